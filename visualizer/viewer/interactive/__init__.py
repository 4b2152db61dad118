"""Interactive pages: one HTML file each that shows a tree, two searches or an exercise without a server."""
