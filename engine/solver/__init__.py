"""The exact solver for Connect positions: win, draw or loss, and how soon. Start with `solver.py`."""
