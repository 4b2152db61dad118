"""Tic-tac-toe with a perfect opponent."""
