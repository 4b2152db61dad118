"""A recorded search as a read-only tree: nodes, steps, bounds, counts, and tree files.

Start with `tree.py` and `trace.py`. `verify.py` and `parquet_file.py` also import the search, to check files against it.
"""
