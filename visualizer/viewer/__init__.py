"""The tree viewer: what the browser gets, and the modules that run there."""
