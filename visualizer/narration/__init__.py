"""Words: sentences for steps, captions, messages, numbers as text, and escapes for every format.

Imports the engine only. Start with `sentences.py`; `step_facts.py` defines the facts that its rules test.
"""
