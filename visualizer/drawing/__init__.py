"""What is drawn, where, and how it looks."""
