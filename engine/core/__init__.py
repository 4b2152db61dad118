"""The ground floor, which every other part of the engine may use: errors, parsing, atomic files, file locks, the memory budget.

Imports nothing else of ours. Start with `errors.py`.
"""
