"""Whole games: players, matches, reviews, tournaments, and the store of finished games. Start with `match.py`."""
