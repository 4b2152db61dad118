"""Foreign text made safe for each format: names of moves and states come from games that anyone may write."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape as html_escape

REPLACEMENT = "\ufffd"
FORMULA = ("=", "+", "-", "@", "|", "%", "\t", "\r")  # how a cell begins that a spreadsheet would work out
MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~$&@]|:(?=//)|(?<=www)\.|^[-+](?=\s|$|-)|^=(?==|$)", re.IGNORECASE)
LIST_ITEM = re.compile(r"^(\d+)([.)])(?=\s|$)")
LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "[": r"{[}",
    "]": r"{]}",
    ",": r"{,}",
    "=": r"{=}",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "∞": r"$\infty$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "…": r"\ldots{}",
    "−": r"$-$",
    "≠": r"$\neq$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "µ": r"$\mu$",
    "–": "--",
}
LONGEST_WORD = 20  # characters of a word that LaTeX need not break
BREAK = r"\hspace{0pt}"
TYPED = str.maketrans({"-": "{-}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}"})


def plain(text: str) -> str:
    """One line without control characters, direction overrides and half characters: safe in a terminal, valid in UTF-8 and XML.

    >>> plain("a\\x1b[31mb\\nc")
    'a[31mb c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_plain_character(character) for character in text)


def _plain_character(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\n\t" or category in ("Zl", "Zp"):
        return " "
    if category == "Cs" or (category == "Cn" and ord(character) & 0xFFFE == 0xFFFE):
        return REPLACEMENT
    return "" if category in ("Cc", "Cf") else character


def dot(text: str) -> str:
    r"""For a quoted DOT string: never an HTML-like label, an escape such as \N, or the end of the string.

    >>> dot('<b> "\\N"')
    '&lt;b&gt; \\"\\\\N\\"'
    """
    safe = plain(text).replace("\\", "\\\\").replace('"', '\\"')
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def xml(text: str) -> str:
    """For XML text and attributes."""
    return html_escape(plain(text))


def latex(text: str) -> str:
    """For LaTeX text, also inside the options of forest. What the standard fonts lack becomes a question mark."""
    return "".join(
        LATEX[character] if character in LATEX else character if character.isascii() else "?" for character in plain(text)
    )


def breakable(text: str, most: int = LONGEST_WORD) -> str:
    """LaTeX in which a word of more characters may go on in the next line.

    >>> breakable("abc de", 2)
    'a\\\\hspace{0pt}b\\\\hspace{0pt}c de'
    """
    words = plain(text).split(" ")
    return " ".join(latex(word) if len(word) <= most else BREAK.join(map(latex, word)) for word in words)


def typed(escaped: str) -> str:
    """LaTeX of something to type: no two hyphens become a dash, and no quotation mark is curled.

    >>> typed(latex("--title 'x'"))
    '{-}{-}title \\\\textquotesingle{}x\\\\textquotesingle{}'
    """
    return escaped.translate(TYPED)


def markdown(text: str) -> str:
    """For Markdown text: whatever would be formatting, HTML, a link or the beginning of a list stands for itself.

    >>> markdown("a_b <c> http://x"), markdown("1. alpha-beta: 2")
    ('a\\\\_b \\\\<c\\\\> http\\\\://x', '1\\\\. alpha-beta: 2')
    """
    return LIST_ITEM.sub(r"\1\\\2", MARKDOWN.sub(r"\\\g<0>", plain(text).strip()))


def page_markdown(words: str) -> str:
    """Foreign text inside Markdown: every sign that could mean something there stands for itself."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else " " if sign in "\r\n" else sign for sign in words)


def csv_cell(text: str) -> str:
    """For a cell of text: never a formula.

    >>> csv_cell("=1+1"), csv_cell("-3")
    ("'=1+1", '-3')
    """
    safe = plain(text)
    stripped = safe.lstrip()
    is_number = stripped.removeprefix("-").isdecimal()
    return "'" + safe if stripped.startswith(FORMULA) and not is_number else safe


def csv_table(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV, the head among them; nothing is an empty cell.

    >>> csv_table([["depth", "note"], [3, "@now"], [None, "a,b"]])
    'depth,note\\n3,\\'@now\\n,"a,b"\\n'
    """
    text = io.StringIO()
    safe = ([csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(safe)
    return text.getvalue()
