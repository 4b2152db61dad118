"""Pictures and files from recorded searches."""
