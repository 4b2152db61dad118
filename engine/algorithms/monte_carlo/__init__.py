"""Searches that run in iterations: select a path, expand it, simulate the rest of the game, back up the result."""
