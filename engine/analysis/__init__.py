"""Analysis of searches: counts, comparisons, estimates, overlays, claims and published figures. Start with `comparison.py`."""
