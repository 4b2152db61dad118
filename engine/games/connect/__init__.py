"""Connect boards: rules, evaluations, texts that name a board, and explanations of a value. Start with `rules.py`."""
