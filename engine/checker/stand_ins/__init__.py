"""Stand-ins for packages that a program needs and that are not there, or that would open windows."""
