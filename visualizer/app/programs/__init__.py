"""Programs on the page "Your search": the files of a visitor, their runs, and examples."""
