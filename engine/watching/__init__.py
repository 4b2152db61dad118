"""Searches that others have written: their program is loaded, its search found, and every call of it written down."""
