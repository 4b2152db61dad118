"""Check searches in students' programs: load the program, find its search, record every call, judge it."""
