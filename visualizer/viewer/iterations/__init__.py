"""Searches in iterations for the browser: it asks for the iterations that it shows, a few at a time."""
