"""The meaning of a score.

A side that can win at once scores (cells + 1 - discs) // 2, a full board 0, every other position the best of minus its children's
scores. So the side to move wins with a positive score, draws with 0, and a larger score is a sooner win.

Moves to a win are counted as in "mate in seven": those of the side that wins.
"""

from typing import NamedTuple


class DiscCount(NamedTuple):
    """The numbers of cells and discs of a position, which bound its score."""

    cells: int
    own: int  # discs of the side to move
    other: int

    @property
    def discs(self) -> int:
        return self.own + self.other

    @property
    def least(self) -> int:
        """Return the lowest score of a position with so many discs that is not lost already."""
        return -((self.cells - self.discs) // 2)

    @property
    def most(self) -> int:
        """Return the score of a win at once."""
        return (self.cells + 1 - self.discs) // 2

    @property
    def lost_already(self) -> int:
        """Return the score where the other side has a line: minus the score of its last move."""
        return -((self.cells + 2 - self.discs) // 2)


def moves_to_end(score: int, stand: DiscCount) -> int:
    """Return how many moves the winning side still makes.

    >>> moves_to_end(7, DiscCount(42, 11, 11)), moves_to_end(-7, DiscCount(42, 11, 11)), moves_to_end(10, DiscCount(42, 11, 11))
    (4, 4, 1)
    """
    discs = stand.discs if score > 0 else stand.discs + 1  # when the side that wins is to move
    sooner = (stand.cells + 1 - discs) // 2 - abs(score)
    return sooner + 1


def short_outcome(score: int, stand: DiscCount, weak: bool = False) -> str:
    """Describe a score in two or three words.

    >>> count = DiscCount(42, 11, 11)
    >>> short_outcome(7, count), short_outcome(0, count), short_outcome(-7, count, weak=True)
    ('wins in 4', 'draws', 'loses')
    """
    if score == 0:
        return "draws"
    verb = "wins" if score > 0 else "loses"
    return verb if weak else f"{verb} in {moves_to_end(score, stand)}"


def describe_score(score: int, stand: DiscCount, weak: bool = False) -> str:
    """Describe the outcome for the side to move, as the rest of a sentence about it.

    >>> describe_score(4, DiscCount(42, 11, 11)), describe_score(-8, DiscCount(42, 12, 11))
    ('wins with its 18th disc, in 7 moves', "loses to the other side's 13th disc, in 2 moves")
    """
    if score == 0:
        return "draws: the board fills up without a line"
    if weak:
        return "wins" if score > 0 else "loses"
    moves = moves_to_end(score, stand)
    soon = f"in {moves} move{'' if moves == 1 else 's'}"
    if score > 0:
        return f"wins with its {ordinal(stand.own + moves)} disc, {soon}"
    return f"loses to the other side's {ordinal(stand.other + moves)} disc, {soon}"


def describe_bounds(least: int, most: int) -> str:
    """Describe the outcome where the score is only known to lie between `least` and `most`."""
    if least > 0:
        return "wins, but how soon is not known"
    if most < 0:
        return "loses, but how soon is not known"
    if least == 0:
        return "does not lose; more is not known"
    if most == 0:
        return "does not win; more is not known"
    return "is not solved"


def ordinal(number: int) -> str:
    """Format a number as 1st, 2nd, 3rd, …

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st']
    """
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
