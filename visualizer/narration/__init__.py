"""The texts of Plyscope: sentences, captions, numbers, escapes."""
