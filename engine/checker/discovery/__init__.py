"""Find the search in a student's program and a way to start it. Start with `search_finder.py`."""
