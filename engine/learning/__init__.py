"""Exercises: made from a seed, answered by a learner, graded by a search. Start with `exercise.py`."""
