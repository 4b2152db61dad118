"""What a rung saves over the one before it, in words. A rung can cost more: then that is what is said."""

from collections.abc import Iterable

from engine.algorithms.variants import title_of
from engine.analysis.rung_savings import Climb
from visualizer.narration.numbers import counted

MUCH, LITTLE, MANY = 2.0, 0.005, 10  # from twice as many on the times are said, below a two hundredth the part of it


def share_words(share: float) -> str:
    """How many there are, compared with before.

    >>> [share_words(share) for share in (0.3, 1.0, 1.074, 3.25, 99.7, 0.0004, 0.99999)]
    ['70% fewer', 'as many', '7.4% more', '3.2 times as many', '100 times as many', '1/2,500 as many', '0.001% fewer']
    """
    if share == 1:
        return "as many"
    if share >= MUCH:
        return f"{f'{share:,.0f}' if share >= MANY else f'{share:.2g}'} times as many"
    if share < LITTLE:
        return f"1/{1 / share:,.0f} as many" if share > 0 else "none"
    return f"{100 * abs(1 - share):.3g}% {'more' if share > 1 else 'fewer'}"


def climb_words(climb: Climb) -> str:
    """One rung in a sentence: its calls and evaluations, and what they are to those of the rung before."""
    calls, evaluations = climb.share(), climb.share("evaluations")
    said = f"{title_of(climb.row.algorithm)} makes {counted(climb.row.expanded or 0, 'call')}"
    if calls is not None:
        words = share_words(calls)
        said += f", {words} {'as' if words.endswith('as many') else 'than'} {title_of(climb.before.algorithm)}"
    if evaluations is not None:
        said += f", and {counted(climb.row.evaluations or 0, 'static evaluation')}, {share_words(evaluations)}"
    return f"{said}."


def titles(names: Iterable[str]) -> str:
    """What people call several contenders, in one list.

    >>> titles(["minimax", "alphabeta", "alphabeta:strict"])
    'minimax, alpha-beta and alpha-beta (strict cutoffs)'
    """
    *others, last = map(title_of, names)
    return f"{', '.join(others)} and {last}" if others else last


def capital(words: str) -> str:
    """With a capital at the beginning, and nothing else changed."""
    return words[:1].upper() + words[1:]
