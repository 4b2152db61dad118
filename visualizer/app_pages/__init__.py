"""The pages of the app: each chooses, calls, shows.

The folder is not called `pages`: Streamlit would make a page of every module in it.
"""
