"""Code compiled by numba: kernels of the searches and the solver, passes over whole trees, and their drivers.

Each kernel writes the same rows as its readable algorithm. `numba_compat.py` holds everything that touches numba's internals.
Start with `alphabeta_driver.py`.
"""
