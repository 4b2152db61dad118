"""Charts whose horizontal axis is not a depth."""
