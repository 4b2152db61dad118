"""Run a student's program in a process of its own, with limits. Start with `launcher.py`; `worker_main.py` is that process."""
