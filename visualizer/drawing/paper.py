"""Sizes of paper."""

from typing import NamedTuple

from engine.core.errors import UnknownName


class Paper(NamedTuple):
    """A size of paper."""

    width: float  # points
    height: float
    latex: str
    css: str

    def sides(self, turned: bool) -> tuple[float, float]:
        """Width and height of a page, which may lie on its side."""
        return (self.height, self.width) if turned else (self.width, self.height)


PAPERS = {"a4": Paper(595.28, 841.89, "a4paper", "A4"), "letter": Paper(612, 792, "letterpaper", "letter")}


def find_paper(name: str) -> Paper:
    """Return the paper of this name.

    >>> find_paper("letter").css
    'letter'
    """
    if name not in PAPERS:
        raise UnknownName("paper", name, PAPERS)
    return PAPERS[name]
