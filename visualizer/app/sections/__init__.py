"""Sections of pages: lessons, exercises, comparisons, exact results. A view puts them together."""
