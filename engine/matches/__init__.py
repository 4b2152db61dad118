"""Whole games: players, matches, tournaments, and the stores of their games."""
