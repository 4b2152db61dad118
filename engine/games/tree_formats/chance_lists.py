"""Chance nodes in trees of numbers and lists: the list of what may follow, with a probability for each."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from engine.core.errors import BadTree, short_repr
from engine.games.chance_outcomes import SUM_TOLERANCE, format_probability, sum_probabilities

MAX_LISTED_PROBABILITIES = 6  # in an error
MAX_PROBABILITY_CHARS = 40


class ChanceList(list[Any]):
    """The children of a chance node, with their probabilities. The probabilities are fractions, or floats as given."""

    def __init__(self, children: Sequence[Any], probabilities: Sequence[Fraction | float]):
        super().__init__(children)
        self.probabilities = tuple(probabilities)
        self.weights = tuple(map(float, probabilities))  # for the search

    def __reduce__(self) -> tuple[Any, ...]:
        return ChanceList, (list(self), self.probabilities)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChanceList) and self.probabilities == other.probabilities and list.__eq__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        listed = (f"{format_probability(p)}: {child!r}" for p, child in zip(self.probabilities, self, strict=True))
        return f"chance({', '.join(listed)})"


def chance(*outcomes: tuple[Any, Any]) -> ChanceList:
    """Return a chance node of a literal tree. Each outcome is (probability, what follows).

    A probability is a number, or a text such as "1/6". Together they add up to 1.

    >>> chance((0.5, 3), ("1/2", [1, 2]))
    chance(1/2: 3, 1/2: [1, 2])
    """
    for outcome in outcomes:
        if not isinstance(outcome, (tuple, list)) or len(outcome) != 2:
            raise BadTree(f"{short_repr(outcome)} is not an outcome: write (probability, what follows), such as ('1/2', [1, 2])")
    node = ChanceList([what for _, what in outcomes], [read_probability(p) for p, _ in outcomes])
    check_probabilities(node)
    return node


def read_probability(given: Any) -> Fraction | float:
    """Return a probability that is given as a number or as text. Raise BadTree unless it is greater than 0."""
    number: Fraction | float | None = None
    if isinstance(given, str) and len(given) <= MAX_PROBABILITY_CHARS and "e" not in given.lower():
        try:
            number = Fraction(given.strip())
        except (ValueError, ZeroDivisionError):
            number = None
    elif isinstance(given, (int, Fraction)) and not isinstance(given, bool):
        number = Fraction(given)
    elif isinstance(given, float):
        number = float(given)
    if number is None or not 0 < number <= 1:
        raise BadTree(f"{short_repr(given)} is not a probability: use a number greater than 0, at most 1, such as 0.5 or '1/6'")
    return number


def check_probabilities(node: ChanceList) -> None:
    """Raise BadTree unless the probabilities of a chance node add up to 1."""
    if not node:
        raise BadTree("a chance node without outcomes: it has at least one")
    total = sum_probabilities(node.probabilities)
    if not abs(float(total) - 1) <= SUM_TOLERANCE:
        listed = ", ".join(map(format_probability, node.probabilities[:MAX_LISTED_PROBABILITIES]))
        more = ", …" if len(node) > MAX_LISTED_PROBABILITIES else ""
        raise BadTree(f"the probabilities {listed}{more} add up to {format_probability(total)}: they must add up to 1")


def write_probability(probability: Fraction | float) -> str | float:
    """Return a probability as JSON writes it: a fraction as text, a float as it is."""
    return str(probability) if isinstance(probability, Fraction) else probability
