"""Trees that are too large for the browser: it asks the server for the parts that it shows."""
