"""The command `plyscope`: `command_line.py` declares the commands and their options, `main.py` runs them and handles errors."""
