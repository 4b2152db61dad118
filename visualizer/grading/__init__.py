"""Grades for checked programs: a rubric, its points, and the files that course servers and CI systems read."""
