"""Record every call of a student's search: arguments, positions, results, sides. Start with `call_recorder.py`."""
