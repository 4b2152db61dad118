"""A recorded search: its nodes, its steps, and the bounds that its values prove."""
