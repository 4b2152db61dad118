"""Kinds of exercises, a module each."""
