"""The longer commands, one module each. `visualizer/cli/command_line.py` imports a module when its command runs."""
