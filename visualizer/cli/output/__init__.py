"""What commands print and write: the console, tables, boards, progress, files."""
