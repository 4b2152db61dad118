"""Escape untrusted text for each format. Games written by users provide the names of moves and states."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape as html_escape

REPLACEMENT_CHARACTER = "\ufffd"
FORMULA_STARTS = (
    "=",
    "+",
    "-",
    "@",
    "|",
    "%",
    "\t",
    "\r",
)  # a spreadsheet reads a cell that begins with one of these as a formula
MARKDOWN_PATTERN = re.compile(r"[\\`*_{}\[\]<>#|~$&@]|:(?=//)|(?<=www)\.|^[-+](?=\s|$|-)|^=(?==|$)", re.IGNORECASE)
LIST_ITEM_PATTERN = re.compile(r"^(\d+)([.)])(?=\s|$)")
LATEX_ESCAPES = {
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
MAX_WORD_CHARS = 20  # longer words may break across lines
LATEX_BREAK = r"\hspace{0pt}"
LIGATURE_ESCAPES = str.maketrans({"-": "{-}", "'": r"\textquotesingle{}", "`": r"\textasciigrave{}"})


def sanitize_line(text: str) -> str:
    """Return one line without control characters, direction overrides and lone surrogates.

    It is safe in a terminal and valid in UTF-8 and XML.

    >>> sanitize_line("a\\x1b[31mb\\nc")
    'a[31mb c'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_sanitize_character(character) for character in text)


def _sanitize_character(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\n\t" or category in ("Zl", "Zp"):
        return " "
    if category == "Cs" or (category == "Cn" and ord(character) & 0xFFFE == 0xFFFE):
        return REPLACEMENT_CHARACTER
    return "" if category in ("Cc", "Cf") else character


def escape_dot(text: str) -> str:
    r"""Escape text for a quoted DOT string: no HTML-like label, no escape such as \N, no end of the string.

    >>> escape_dot('<b> "\\N"')
    '&lt;b&gt; \\"\\\\N\\"'
    """
    safe = sanitize_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_xml(text: str) -> str:
    """Escape text for XML text and attributes."""
    return html_escape(sanitize_line(text))


def escape_latex(text: str) -> str:
    """Escape LaTeX text, also for the options of forest. Characters outside the standard fonts become question marks."""
    return "".join(
        LATEX_ESCAPES[character] if character in LATEX_ESCAPES else character if character.isascii() else "?"
        for character in sanitize_line(text)
    )


def escape_latex_breakable(text: str, max_word_chars: int = MAX_WORD_CHARS) -> str:
    """Escape LaTeX text and let words of more than `max_word_chars` characters break across lines.

    >>> escape_latex_breakable("abc de", 2)
    'a\\\\hspace{0pt}b\\\\hspace{0pt}c de'
    """
    words = sanitize_line(text).split(" ")
    return " ".join(
        escape_latex(word) if len(word) <= max_word_chars else LATEX_BREAK.join(map(escape_latex, word)) for word in words
    )


def escape_ligatures(escaped: str) -> str:
    """Return escaped LaTeX of text to be typed: two hyphens stay hyphens and quotation marks stay straight.

    >>> escape_ligatures(escape_latex("--title 'x'"))
    '{-}{-}title \\\\textquotesingle{}x\\\\textquotesingle{}'
    """
    return escaped.translate(LIGATURE_ESCAPES)


def escape_markdown(text: str) -> str:
    """Escape Markdown text: formatting, HTML, links and the beginning of a list lose their meaning.

    >>> escape_markdown("a_b <c> http://x"), escape_markdown("1. alpha-beta: 2")
    ('a\\\\_b \\\\<c\\\\> http\\\\://x', '1\\\\. alpha-beta: 2')
    """
    return LIST_ITEM_PATTERN.sub(r"\1\\\2", MARKDOWN_PATTERN.sub(r"\\\g<0>", sanitize_line(text).strip()))


def escape_page_markdown(words: str) -> str:
    """Escape untrusted text inside Markdown: every character that could have a meaning there."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else " " if sign in "\r\n" else sign for sign in words)


def escape_csv_cell(text: str) -> str:
    """Escape the text of a CSV cell, so that it is never a formula.

    >>> escape_csv_cell("=1+1"), escape_csv_cell("-3")
    ("'=1+1", '-3')
    """
    safe = sanitize_line(text)
    stripped = safe.lstrip()
    is_number = stripped.removeprefix("-").isdecimal()
    return "'" + safe if stripped.startswith(FORMULA_STARTS) and not is_number else safe


def format_csv_table(rows: Iterable[Sequence[object]]) -> str:
    """Format rows as CSV, including the head. None becomes an empty cell.

    >>> format_csv_table([["depth", "note"], [3, "@now"], [None, "a,b"]])
    'depth,note\\n3,\\'@now\\n,"a,b"\\n'
    """
    text = io.StringIO()
    safe = ([escape_csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    csv.writer(text, lineterminator="\n").writerows(safe)
    return text.getvalue()
