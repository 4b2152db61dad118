"""Texts on the savings of a rung over the one before it. If a rung costs more, the text says so."""

from collections.abc import Iterable

from engine.algorithms.variants import variant_title
from engine.analysis.rung_savings import RungStep
from visualizer.narration.numbers import format_count

MIN_TIMES_SHARE = 2.0  # from here on: "3.2 times as many"
MIN_PERCENT_SHARE = 0.005  # below: "1/2,500 as many"
MIN_WHOLE_TIMES = 10  # from here on times have no decimals


def describe_share(share: float) -> str:
    """Describe a number of things as a share of the number before.

    >>> [describe_share(share) for share in (0.3, 1.0, 1.074, 3.25, 99.7, 0.0004, 0.99999)]
    ['70% fewer', 'as many', '7.4% more', '3.2 times as many', '100 times as many', '1/2,500 as many', '0.001% fewer']
    """
    if share == 1:
        return "as many"
    if share >= MIN_TIMES_SHARE:
        return f"{f'{share:,.0f}' if share >= MIN_WHOLE_TIMES else f'{share:.2g}'} times as many"
    if share < MIN_PERCENT_SHARE:
        return f"1/{1 / share:,.0f} as many" if share > 0 else "none"
    return f"{100 * abs(1 - share):.3g}% {'more' if share > 1 else 'fewer'}"


def describe_climb(climb: RungStep) -> str:
    """Describe one rung in a sentence: its calls and evaluations, compared with those of the rung before."""
    calls, evaluations = climb.share(), climb.share("evaluations")
    text = f"{variant_title(climb.row.algorithm)} makes {format_count(climb.row.expanded or 0, 'call')}"
    if calls is not None:
        comparison = describe_share(calls)
        text += f", {comparison} {'as' if comparison.endswith('as many') else 'than'} {variant_title(climb.before.algorithm)}"
    if evaluations is not None:
        text += f", and {format_count(climb.row.evaluations or 0, 'static evaluation')}, {describe_share(evaluations)}"
    return f"{text}."


def join_titles(names: Iterable[str]) -> str:
    """Join the titles of several variants in one list.

    >>> join_titles(["minimax", "alphabeta", "alphabeta:strict"])
    'minimax, alpha-beta and alpha-beta (strict cutoffs)'
    """
    *others, last = map(variant_title, names)
    return f"{', '.join(others)} and {last}" if others else last


def capitalize_first(words: str) -> str:
    """Return the text with a capital at the beginning and nothing else changed."""
    return words[:1].upper() + words[1:]
