"""Exam sheets: exercises on paper, blank and solved, one variant for each student. Start with `sheet.py`."""
