"""The pages, one module each. A page chooses, calls and shows. To add one, write a module and its line in
`pages.py`."""
