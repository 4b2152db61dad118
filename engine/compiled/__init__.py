"""What numba compiles: the kernel, passes over whole trees, and what they need."""
