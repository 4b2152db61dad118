"""The table of a search: its columns, and the recorder that writes them."""
