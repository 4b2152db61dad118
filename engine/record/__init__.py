"""The record of a search: its columns, and the recorder that writes them row by row. Imports `engine.core` and `engine.games`."""
