"""Texts for the course of a search in iterations: title, panels and notes."""

from collections.abc import Iterator

from engine.analysis.search_curves import SearchCurves
from engine.games.capabilities import move_phrase
from engine.record.columns import NONE
from engine.tree.tree import SearchTree
from visualizer.narration.captions import search_title
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_count

MAX_DRAWN_MOVES = 8
PANELS = {
    "share": "Share of the visits of each move",
    "mean": "Mean of each move, for the side to move",
    "regret": "Simple regret: what the most visited move loses against the best one",
    "depth": "Depth of the tree",
}


def curves_title(tree: SearchTree) -> str:
    """Return the title of the charts."""
    return f"{search_title(tree)}, over time"


def move_title(tree: SearchTree, name: str) -> str:
    """Return a move as a name in a legend."""
    return capitalize_first(move_phrase(tree.game, name))


def panel_title(curves: SearchCurves, panel: str) -> str:
    """Return the title of a panel, with the meaning of its broken lines."""
    broken = {"share": "dotted: the most visited move changes"} if curves.changes else {}
    broken |= {"mean": "dashed: its exact value"} if curves.is_solved else {}
    return "; ".join([PANELS[panel], *([broken[panel]] if panel in broken else [])])


def list_panels(curves: SearchCurves) -> list[str]:
    """Return the panels to draw: there is no regret if an exact value is missing."""
    return [name for name in PANELS if name != "regret" or curves.is_solved]


def list_curve_notes(tree: SearchTree, curves: SearchCurves) -> Iterator[str]:
    """Yield notes: changes of mind, the exact values, the chosen move, the moves that are left out, and the moments."""
    if curves.best[-1] == NONE:
        yield "No move of the root was visited yet."
        return
    most_visited = curves.moves[int(curves.best[-1])]
    name, chosen = move_title(tree, most_visited.name), tree.root.best_child
    equal = sum(curve.visits[-1] == most_visited.visits[-1] for curve in curves.moves)
    role = "the most visited move" if equal == 1 else f"the first of the {equal} most visited moves"
    if not curves.changes:
        yield f"No other move was ever visited more often than {move_phrase(tree.game, most_visited.name)}."
    else:
        times, last = format_count(len(curves.changes), "time"), curves.changes[-1]
        yield f"The most visited move, of equals the first, changes {times}, the last time after iteration {last:,}."
    if chosen is not None and int(chosen) != most_visited.row:
        yield f"The search chooses {move_phrase(tree.game, chosen.move_name)}: a proven result counts more than visits."
    if not curves.is_solved:
        yield "The exact values of the moves are not known, so there is no regret."
    elif curves.regret[-1] == 0:
        yield f"{name}, {role}, is a best move: its regret is 0."
    else:
        yield f"{name}, {role}, is not a best move: its regret is {curves.regret[-1]:.3g}."
    if len(curves.moves) > MAX_DRAWN_MOVES:
        yield f"Only the {MAX_DRAWN_MOVES} most visited of {len(curves.moves)} moves are drawn. The .csv file has all of them."
    if len(curves.iterations) < tree.iterations:
        yield f"The curves have {len(curves.iterations)} moments, in even steps on a logarithmic scale."
