"""The Streamlit app: main script, server, and the pages in `views/`.

No folder is called `pages`: Streamlit would make a page of every module in it.
"""
