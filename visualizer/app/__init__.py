"""The Streamlit app: `server.py` starts it, `main.py` runs for each visitor, `views/` has one module per page.

A view puts together `forms/` (ask), `sections/` (show) and `state/` (URL parameters, session, background work). Everything that
touches Streamlit's internals is in `streamlit_compat.py`.
"""
