"""The exercise types, one module each."""
