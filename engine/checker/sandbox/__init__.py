"""Run a student's program in one process, with limits, and judge it in another. Start with `launcher.py`.

`worker_main.py` is the process of the program, `judge_main.py` that of the judge.
"""
