"""The command `plyscope`. `main.py` runs it, `command_line.py` lists the commands, `commands/` has one module for each."""
