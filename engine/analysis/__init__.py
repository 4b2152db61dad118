"""Analysis of searches: counts, comparisons, estimates, published figures."""
