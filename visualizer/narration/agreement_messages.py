"""What is said of a chart of agreement: what was asked, and what its lines mean."""

from collections.abc import Iterator
from math import ceil, sqrt

from engine.analysis.agreement import NODES, Agreements, blind_to_lines, made_for_counting
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import counted

MEASURES = {  # of an Agreement, and what each is called
    "kept": "Kept: the move gives nothing away",
    "best": "Best: the move is among the best",
}


def title(agreements: Agreements) -> str:
    return f"{game_name(agreements.sample.game)}: agreement with the truth"


def share_text(share: float | None) -> str:
    """
    >>> share_text(0.905), share_text(1.0), share_text(0.9999), share_text(0.0001), share_text(None)
    ('90.5', '100', '99.9', '0.1', '–')
    """
    if share is None or share in (0, 1):
        return "–" if share is None else f"{100 * share:.0f}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}"  # 100 is all of them, and 0 none


def notes(agreements: Agreements) -> Iterator[str]:
    """The sample, what agreeing means, who is compared fairly, and how sure it is."""
    sample = agreements.sample
    yield (
        f"Sample: {counted(sample.number, 'random position')} (seed {sample.seed}), two fifths to two thirds of the cells "
        "filled, where the side to move does not win at once, some moves keep what others give away, and the solver needs at "
        f"most {NODES:,} nodes."
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
    foreign = [name for name in agreements.evaluations if name in made_for_counting()]
    if foreign:
        verb = "was" if len(foreign) == 1 else "were"
        fair += f" {' and '.join(foreign)} {verb} made for another rule, `count`: what they are good for is not judged here."
    yield fair
    blind = [name for name in agreements.evaluations if name in blind_to_lines(sample)]
    if blind:
        verb = "looks" if len(blind) == 1 else "look"
        yield f"{' and '.join(blind)} {verb} for four in a line, and on this board another number wins."
    yield (
        f"Small differences say little: of {counted(sample.number, 'position')}, a share lies within about "
        f"{ceil(98 / sqrt(sample.number))} points of what all such positions would give, in 19 of 20 samples."
    )
