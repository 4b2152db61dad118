"""Whole games: players, matches, tournaments, and where their games are kept."""
