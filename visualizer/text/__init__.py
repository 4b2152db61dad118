"""Words: sentences, captions, numbers, escapes."""
