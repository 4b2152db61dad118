"""The pages of the app: each chooses, calls, shows."""
