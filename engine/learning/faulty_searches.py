"""Alpha-beta with one mistake, as students write it, recorded like a correct search.

`AlphaBetaDecisions` has the decisions at a node as small methods. Each mistake is a subclass that gets one of them wrong. Its
name is one of those in `engine/checker/diagnosis/mistakes.py`.
"""

from collections.abc import Callable
from typing import Any

from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import check_recursion_depth
from engine.games.protocol import is_max_to_move, iterate_moves, legal_moves, play_move, static_value
from engine.question import CheckedSearch, Question
from engine.record.columns import CUTOFF, EXHAUSTED, INFINITY, NONE, TERMINAL
from engine.record.recorder import Record
from engine.searcher import MAX_NODES
from engine.tree.tree import SearchTree

Window = tuple[float, float]
OPEN_WINDOW: Window = (-INFINITY, INFINITY)


class AlphaBetaDecisions:
    """The decisions of alpha-beta at a node, made correctly."""

    def is_maximizing(self, maximizing: bool) -> bool:
        """Return True if the node takes the largest value."""
        return maximizing

    def initial_value(self, maximizing: bool) -> float:
        """Return the value before the first move is tried."""
        return -INFINITY if maximizing else INFINITY

    def update_value(self, maximizing: bool, value: float, score: float) -> float:
        """Return the value after another move has returned its score."""
        return max(value, score) if maximizing else min(value, score)

    def update_window(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        """Return the node's own window after another move has returned its score."""
        alpha, beta = window
        return (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))

    def child_window(self, depth: int, entry: Window, window: Window) -> Window:
        """Return the window with which the next move is searched."""
        return window

    def is_cutoff(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        """Return True if the remaining moves are skipped."""
        return is_refuted(maximizing, value, *window, cut_on_equal)


class RootFreshWindow(AlphaBetaDecisions):
    def child_window(self, depth: int, entry: Window, window: Window) -> Window:
        return entry if depth == 0 else window


class WindowNotPassed(AlphaBetaDecisions):
    def child_window(self, depth: int, entry: Window, window: Window) -> Window:
        return entry


class WindowSwapped(AlphaBetaDecisions):
    def child_window(self, depth: int, entry: Window, window: Window) -> Window:
        return window[1], window[0]


class WrongBoundUpdated(AlphaBetaDecisions):
    def update_window(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        return super().update_window(not maximizing, window, value, score)


class BoundLoosened(AlphaBetaDecisions):
    def update_window(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        return (score, window[1]) if maximizing else (window[0], score)


class WrongBoundCompared(AlphaBetaDecisions):
    def is_cutoff(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return is_refuted(not maximizing, value, *window, cut_on_equal)


class CutTooEarly(AlphaBetaDecisions):
    def is_cutoff(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        alpha, beta = window
        return alpha > -INFINITY and value > alpha if maximizing else beta < INFINITY and value < beta


class NoCutoff(AlphaBetaDecisions):
    def is_cutoff(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return False


class ReturnsTooSoon(AlphaBetaDecisions):
    def is_cutoff(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return True


class ReturnsLastChild(AlphaBetaDecisions):
    def update_value(self, maximizing: bool, value: float, score: float) -> float:
        return score


class StartsAtZero(AlphaBetaDecisions):
    def initial_value(self, maximizing: bool) -> float:
        return 0.0


class SidesSwapped(AlphaBetaDecisions):
    def is_maximizing(self, maximizing: bool) -> bool:
        return not maximizing


class SidesDoNotAlternate(AlphaBetaDecisions):
    def is_maximizing(self, maximizing: bool) -> bool:
        return True


class ShallowOnly(AlphaBetaDecisions):
    """Bounds reach only one ply down, so deep cutoffs are missed. Not in the list of mistakes, since the result stays right."""

    def child_window(self, depth: int, entry: Window, window: Window) -> Window:
        if window[0] != entry[0]:
            return window[0], INFINITY
        return (-INFINITY, window[1]) if window[1] != entry[1] else OPEN_WINDOW


FAULTY_DECISIONS: dict[str, Callable[[], AlphaBetaDecisions]] = {  # the most frequent ones first
    "root-fresh-window": RootFreshWindow,
    "window-not-passed": WindowNotPassed,
    "sides-do-not-alternate": SidesDoNotAlternate,
    "sides-swapped": SidesSwapped,
    "window-swapped": WindowSwapped,
    "no-cutoff": NoCutoff,
    "returns-last-child": ReturnsLastChild,
    "returns-too-soon": ReturnsTooSoon,
    "starts-at-zero": StartsAtZero,
    "wrong-bound-updated": WrongBoundUpdated,
    "wrong-bound-compared": WrongBoundCompared,
    "bound-loosened": BoundLoosened,
    "cut-too-early": CutTooEarly,
}


def run_faulty_search(question: Question, decisions: AlphaBetaDecisions) -> SearchTree:
    """Record a search with these decisions."""
    game = question.game
    record = Record(MAX_NODES, windows=True, on_progress=None)
    root = game.start()
    search_with_decisions(game, record, root, decisions, bool(question.options["cut_on_equal"]))
    return SearchTree(CheckedSearch(question, root, "", False), record.columns(), 0.0)


def search_with_decisions(
    game: Any,
    record: Record,
    state: Any,
    decisions: AlphaBetaDecisions,
    cut_on_equal: bool,
    depth: int = 0,
    move: int = NONE,
    entry: Window = OPEN_WINDOW,
) -> float:
    """Search to the end of the game by alpha-beta, with these decisions. Return the value for MAX."""
    node = record.enter(move, depth, *entry, is_max_to_move(game, state))
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    check_recursion_depth(depth)

    maximizing = decisions.is_maximizing(is_max_to_move(game, state))
    value, window = decisions.initial_value(maximizing), entry
    replies = legal_moves(game, state)
    for tried, code, reply in iterate_moves(game, state, replies, node):
        child_window = decisions.child_window(depth, entry, window)
        child = play_move(game, state, reply)
        score = search_with_decisions(game, record, child, decisions, cut_on_equal, depth + 1, code, child_window)
        value = decisions.update_value(maximizing, value, score)
        if tried < len(replies) and decisions.is_cutoff(maximizing, value, window, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        window = decisions.update_window(maximizing, window, value, score)
    return record.leave(node, EXHAUSTED, value)
