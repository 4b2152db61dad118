"""The lowest layer, which all other parts of the engine may use: errors, parsing, stop reasons, files, interrupts, memory.

Imports nothing else of ours. Start with `errors.py`.
"""
