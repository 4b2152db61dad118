"""The tree viewer: the Python side of every component, and the JavaScript in `assets/` that runs in the browser.

Start with `tree_viewer.py` and `payload.py`; `assets/README.md` describes the JavaScript.
"""
