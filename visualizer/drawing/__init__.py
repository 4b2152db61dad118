"""Pictures: the shown part of a tree, its layout and styles, charts, and pages of paper.

Imports the engine and `narration`. Start with `view.py`, `tidy_layout.py` and `theme.py`.
"""
