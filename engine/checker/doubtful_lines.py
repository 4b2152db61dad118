"""Lines of a program that may reach into its checker. Its verdict is worth less than that of a usual program.

The text is only searched, in the process that gives the verdict: the program cannot change the result. It can hide such a line.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

SEARCHED_SUFFIXES = (".py", ".ipynb")
MAX_LINES = 5
REASONS = {  # patterns of words that a search has no use for
    r"_getframe|_current_frames|currentframe|inspect\.stack|f_back|f_locals|tb_frame|gi_frame|settrace|setprofile":
        "looks at the calls above it",
    r"__closure__|cell_contents|__wrapped__|__globals__|__code__|__subclasses__": "looks inside functions or classes",
    r"\bgc\.get_|get_objects|get_referrers|\b_?ctypes\b|/proc/self": "looks into the memory",
    r"(?:from|import) +engine\.checker|sys\.modules *\[ *[\"']engine|import +__main__": "uses the checker",
    r"\b(?:exec|compile) *\(|__import__ *\(|marshal\.loads": "runs code that is not in the file",
    r"\bos\.(?:write|dup2?|fdopen|_exit)\b|\bposix\.": "uses the pipes of its process",
}  # fmt: skip
PATTERNS = {re.compile(pattern): reason for pattern, reason in REASONS.items()}


class DoubtfulLine(NamedTuple):
    """A line that a person should read."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.reason}"


def find_doubtful_lines(files: Mapping[str, bytes]) -> list[DoubtfulLine]:
    """Return the first lines of the files of a program that may reach into the checker."""
    found: list[DoubtfulLine] = []
    for name, content in files.items():
        if name.lower().endswith(SEARCHED_SUFFIXES) and len(found) < MAX_LINES:
            found += _search_text(name, content.decode(errors="replace"))
    return found[:MAX_LINES]


def _search_text(name: str, text: str) -> list[DoubtfulLine]:
    places = sorted((match.start(), reason) for pattern, reason in PATTERNS.items() for match in _first_matches(pattern, text))
    return [DoubtfulLine(name, text.count("\n", 0, place) + 1, reason) for place, reason in places[:MAX_LINES]]


def _first_matches(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return [match for match, _ in zip(pattern.finditer(text), range(MAX_LINES), strict=False)]
