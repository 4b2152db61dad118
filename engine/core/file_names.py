"""Names of files that people download."""

from collections.abc import Iterable
from unicodedata import normalize

MAX_STEM_CHARS = 60


def make_file_name(parts: Iterable[object], extension: str) -> str:
    """Return the parts as a file name that is safe on every file system: letters and digits with hyphens between them.

    >>> make_file_name(["connect4", "", "K4", "alphabeta"], ".svg"), make_file_name(["../../x?", "nim:3,4"], ".txt")
    ('connect4-K4-alphabeta.svg', 'x-nim-3-4.txt')
    """
    text = "-".join(map(str, parts))
    letters = "".join(letter if letter.isalnum() else "-" for letter in normalize("NFC", text))
    words = [word for word in letters.split("-") if word]
    return ("-".join(words)[:MAX_STEM_CHARS].rstrip("-") or "plyscope") + extension
