"""Forms that ask for a game, a tree, a search, an algorithm with options, or players. Start with `search_form.py`."""
