"""Formats, one module each."""
