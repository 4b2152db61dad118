"""Run a search again with one thing changed from outside, and prove mistakes by what changes."""
