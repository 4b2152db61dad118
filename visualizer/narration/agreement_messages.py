"""Texts for a chart of agreement: its title, and notes on what was asked and what its lines mean."""

from collections.abc import Iterator
from math import ceil, sqrt

from engine.analysis.agreement import MAX_SOLVER_NODES, Agreements, find_blind_evaluations, find_counting_evaluations
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import format_count

MEASURES = {  # of an Agreement, and what each is called
    "kept": "Kept: the move gives nothing away",
    "best": "Best: the move is among the best",
}


def agreement_title(agreements: Agreements) -> str:
    """Return the title of the chart."""
    return f"{game_name(agreements.sample.game)}: agreement with the truth"


def format_share(share: float | None) -> str:
    """Format a share as a percentage, without the sign.

    >>> format_share(0.905), format_share(1.0), format_share(0.9999), format_share(0.0001), format_share(None)
    ('90.5', '100', '99.9', '0.1', '–')
    """
    if share is None or share in (0, 1):
        return "–" if share is None else f"{100 * share:.0f}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}"  # 100 is all of them, and 0 none


def list_agreement_notes(agreements: Agreements) -> Iterator[str]:
    """Yield notes: the sample, the meaning of agreement, which comparisons are fair, and the statistical error."""
    sample = agreements.sample
    yield (
        f"Sample: {format_count(sample.number, 'random position')} (seed {sample.seed}), two fifths to two thirds of the cells "
        "filled, where the side to move does not win at once, some moves keep what others give away, and the solver needs at "
        f"most {MAX_SOLVER_NODES:,} nodes."
    )
    yield (
        "Kept: the move of the search gives nothing away; a won position stays won, a drawn one drawn. "
        "Best: it also wins as soon as possible, or loses as late."
    )
    yield (
        "Ties: of several moves that are truly best any one counts; of moves that a search holds for equally good it plays the "
        "first in its order, and that one is judged."
    )
    fair = (
        "All of them search the same positions with alpha-beta, under the rule `first`, the one that the solver knows. "
        "A random move, dashed in the chart, is what chance alone gets."
    )
    foreign = [name for name in agreements.evaluations if name in find_counting_evaluations()]
    if foreign:
        verb = "was" if len(foreign) == 1 else "were"
        fair += f" {' and '.join(foreign)} {verb} made for another rule, `count`: what they are good for is not judged here."
    yield fair
    blind = [name for name in agreements.evaluations if name in find_blind_evaluations(sample)]
    if blind:
        verb = "looks" if len(blind) == 1 else "look"
        yield f"{' and '.join(blind)} {verb} for four in a line, and on this board another number wins."
    yield (
        f"Small differences say little: of {format_count(sample.number, 'position')}, a share lies within about "
        f"{ceil(98 / sqrt(sample.number))} points of what all such positions would give, in 19 of 20 samples."
    )
