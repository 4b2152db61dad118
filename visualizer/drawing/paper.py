"""Paper sizes."""

from typing import NamedTuple

from engine.core.errors import UnknownName


class Paper(NamedTuple):
    """A paper size."""

    width: float  # points
    height: float
    latex: str
    css: str

    def page_size(self, turned: bool) -> tuple[float, float]:
        """Return width and height of a page in points. `turned` means landscape."""
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
