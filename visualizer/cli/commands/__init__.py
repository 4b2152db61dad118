"""The commands, one module each. `visualizer/cli/command_line.py` imports a module when its command is used.

A module reads the arguments, calls the engine and prints. Printing that is longer or shared is in `visualizer/cli/output/`.
"""
