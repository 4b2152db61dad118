"""Run a student's program in a separate process, with limits. Start with `launcher.py`; `worker_main.py` is that process."""
