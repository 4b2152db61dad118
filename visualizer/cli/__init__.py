"""The command `plyscope`."""
