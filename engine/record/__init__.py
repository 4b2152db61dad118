"""The table of a search: its columns, and what writes them."""
