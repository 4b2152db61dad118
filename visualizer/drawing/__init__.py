"""Pictures: the part of a tree that is drawn, the layout, the styles, and charts."""
