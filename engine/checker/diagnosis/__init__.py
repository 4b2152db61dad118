"""Decide what is wrong with a recorded search, with evidence. Start with `judge.py`; `mistakes.py` lists what can be found."""
