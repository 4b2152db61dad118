"""What is true of a Connect position: won, drawn or lost, and how soon."""
