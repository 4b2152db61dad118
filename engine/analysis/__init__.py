"""What can be said about searches: counts, comparisons, estimates, published figures."""
