"""A recorded search, its nodes, its steps, and what its values prove."""
