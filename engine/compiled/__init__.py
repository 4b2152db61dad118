"""Code compiled by numba: the search kernels, passes over whole trees, and their Python side."""
