"""The meaning of a score.

A side that can win at once scores (cells + 1 - discs) // 2, a full board 0, every other position the best of minus its children's
scores. So the side to move wins with a positive score and draws with 0. A larger score is an earlier win.

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
    def min_score(self) -> int:
        """Return the lowest possible score of a position with this many discs that is not lost yet."""
        return -((self.cells - self.discs) // 2)

    @property
    def max_score(self) -> int:
        """Return the score of an immediate win."""
        return (self.cells + 1 - self.discs) // 2

    @property
    def lost_score(self) -> int:
        """Return the score after the other side has made a line: minus the score of its last move."""
        return -((self.cells + 2 - self.discs) // 2)


def moves_to_end(score: int, disc_count: DiscCount) -> int:
    """Return the number of moves that the winning side still makes.

    >>> moves_to_end(7, DiscCount(42, 11, 11)), moves_to_end(-7, DiscCount(42, 11, 11)), moves_to_end(10, DiscCount(42, 11, 11))
    (4, 4, 1)
    """
    discs = disc_count.discs if score > 0 else disc_count.discs + 1  # discs when the winning side is to move
    sooner = (disc_count.cells + 1 - discs) // 2 - abs(score)
    return sooner + 1


def score_of_end(sign: int, moves: int, disc_count: DiscCount) -> int:
    """Return the score of a win (sign 1) or a loss (-1) in so many moves of the winning side, which `moves_to_end` turns back.

    >>> count = DiscCount(42, 11, 11)
    >>> score_of_end(1, 4, count), score_of_end(-1, 4, count), score_of_end(1, 1, count) == count.max_score
    (7, -7, True)
    """
    discs = disc_count.discs if sign > 0 else disc_count.discs + 1
    return sign * ((disc_count.cells + 1 - discs) // 2 + 1 - moves)


def short_outcome(score: int, disc_count: DiscCount, weak: bool = False) -> str:
    """Describe a score in two or three words.

    >>> count = DiscCount(42, 11, 11)
    >>> short_outcome(7, count), short_outcome(0, count), short_outcome(-7, count, weak=True)
    ('wins in 4', 'draws', 'loses')
    """
    verb = result_word(score)
    return verb if weak or score == 0 else f"{verb} in {moves_to_end(score, disc_count)}"


def result_word(score: int) -> str:
    """Return "wins", "draws" or "loses"."""
    return "draws" if score == 0 else "wins" if score > 0 else "loses"


def describe_score(score: int, disc_count: DiscCount, weak: bool = False) -> str:
    """Describe the outcome for the side to move, as the rest of a sentence about it.

    >>> describe_score(4, DiscCount(42, 11, 11)), describe_score(-8, DiscCount(42, 12, 11))
    ('wins with its 18th disc, in 7 moves', "loses to the other side's 13th disc, in 2 moves")
    """
    if score == 0:
        return "draws: the board fills up without a line"
    if weak:
        return "wins" if score > 0 else "loses"
    moves = moves_to_end(score, disc_count)
    soon = f"in {moves} move{'' if moves == 1 else 's'}"
    if score > 0:
        return f"wins with its {ordinal(disc_count.own + moves)} disc, {soon}"
    return f"loses to the other side's {ordinal(disc_count.other + moves)} disc, {soon}"


def describe_bounds(lower: int, upper: int) -> str:
    """Describe the outcome of a score that is only known to lie between `lower` and `upper`."""
    if lower > 0:
        return "wins, but it is not known how soon"
    if upper < 0:
        return "loses, but it is not known how soon"
    if lower == 0:
        return "wins or draws: more is not known"
    if upper == 0:
        return "loses or draws: more is not known"
    return "has an unknown result"


def ordinal(number: int) -> str:
    """Format a number as 1st, 2nd, 3rd, …

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st']
    """
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
