"""Pictures: which part of a tree is shown, where its nodes stand, how they look, and pages of paper.

Imports the engine and `narration`. Start with `view.py`, `tidy_layout.py` and `theme.py`.
"""
