"""Texts for a chart of agreement: its title, and notes on its sample and its lines."""

from collections.abc import Iterator
from math import ceil, sqrt

from engine.analysis.agreement import MAX_SOLVER_NODES, Agreements, find_blind_evaluations, find_counting_evaluations
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import format_count

MEASURES = {  # the measures of an Agreement, with their names
    "kept": "Kept: the move gives nothing away",
    "best": "Best: the move is among the best",
}


def agreement_title(agreements: Agreements) -> str:
    """Return the title of the chart."""
    return f"{game_name(agreements.sample.game)}: agreement with the solver"


def format_share(share: float | None) -> str:
    """Format a share as a percentage, without the sign.

    >>> format_share(0.905), format_share(1.0), format_share(0.9999), format_share(0.0001), format_share(None)
    ('90.5', '100', '99.9', '0.1', '–')
    """
    if share is None or share in (0, 1):
        return "–" if share is None else f"{100 * share:.0f}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}"  # 100 means all of them, and 0 means none


def list_agreement_notes(agreements: Agreements) -> Iterator[str]:
    """Yield notes: the sample, the meaning of agreement, which comparisons are fair, and the statistical error."""
    sample = agreements.sample
    yield (
        f"Sample: {format_count(sample.number, 'random position')} (seed {sample.seed}). Two fifths to two thirds of the cells "
        "are filled, the side to move cannot win at once, some moves keep the result and others give it away, and the solver "
        f"needs at most {MAX_SOLVER_NODES:,} nodes."
    )
    yield (
        "Kept: the move gives nothing away. A won position stays won, a drawn one stays drawn. "
        "Best: the move also wins as soon as possible, or loses as late as possible."
    )
    yield (
        "Ties: if several moves are best, any of them counts. If a search rates several moves equally, it plays the first in its "
        "order, and that move is judged."
    )
    fair = (
        "All evaluations search the same positions with alpha-beta, under the rule `first`, the only rule that the solver knows. "
        "The dashed line in the chart is a random move."
    )
    foreign = [name for name in agreements.evaluations if name in find_counting_evaluations()]
    if foreign:
        verb = "was" if len(foreign) == 1 else "were"
        fair += f" {' and '.join(foreign)} {verb} made for another rule, `count`, which is not judged here."
    yield fair
    blind = [name for name in agreements.evaluations if name in find_blind_evaluations(sample)]
    if blind:
        verb = "looks" if len(blind) == 1 else "look"
        yield f"{' and '.join(blind)} {verb} for four in a row, but this board needs another number."
    yield (
        f"Small differences say little: with {format_count(sample.number, 'position')}, a share is within about "
        f"{ceil(98 / sqrt(sample.number))} percentage points of its true value in 19 of 20 samples."
    )
