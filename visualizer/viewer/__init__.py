"""The tree viewer: the components of the browser (`assets/`) and the Python code that sends them data."""
