"""Alpha-beta with one mistake, as students write it, recorded like a right one.

`Right` has the decisions of a node as small methods; each mistake is a class that takes one of them wrongly. The names are those
of `engine/checker/diagnosis/mistakes.py`.
"""

from collections.abc import Callable
from typing import Any

from engine.algorithms.refutation import refuted
from engine.algorithms.spec import check_stack
from engine.games.protocol import after_move, legal_moves, max_to_move, static_value, tried_in_turn
from engine.question import Question, Search
from engine.record.columns import CUTOFF, EXHAUSTED, INFINITY, NONE, TERMINAL
from engine.record.recorder import Record
from engine.searcher import MAX_NODES
from engine.tree.tree import SearchTree

Window = tuple[float, float]
OPEN: Window = (-INFINITY, INFINITY)


class Right:
    """The decisions of alpha-beta as they should be."""

    def side(self, maximizing: bool) -> bool:
        """Whether the node takes the largest value."""
        return maximizing

    def start(self, maximizing: bool) -> float:
        """The value before any move was tried."""
        return -INFINITY if maximizing else INFINITY

    def folded(self, maximizing: bool, value: float, score: float) -> float:
        """The value when another move has come back."""
        return max(value, score) if maximizing else min(value, score)

    def narrowed(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        """The node's own window after that."""
        alpha, beta = window
        return (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))

    def handed_down(self, depth: int, entry: Window, window: Window) -> Window:
        """The window that the next move is searched with."""
        return window

    def cuts(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        """Whether the moves that are left are skipped."""
        return refuted(maximizing, value, *window, cut_on_equal)


class RootFreshWindow(Right):
    def handed_down(self, depth: int, entry: Window, window: Window) -> Window:
        return entry if depth == 0 else window


class WindowNotPassed(Right):
    def handed_down(self, depth: int, entry: Window, window: Window) -> Window:
        return entry


class WindowSwapped(Right):
    def handed_down(self, depth: int, entry: Window, window: Window) -> Window:
        return window[1], window[0]


class WrongBoundUpdated(Right):
    def narrowed(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        return super().narrowed(not maximizing, window, value, score)


class BoundLoosened(Right):
    def narrowed(self, maximizing: bool, window: Window, value: float, score: float) -> Window:
        return (score, window[1]) if maximizing else (window[0], score)


class WrongBoundCompared(Right):
    def cuts(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return refuted(not maximizing, value, *window, cut_on_equal)


class CutTooEarly(Right):
    def cuts(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        alpha, beta = window
        return alpha > -INFINITY and value > alpha if maximizing else beta < INFINITY and value < beta


class NoCutoff(Right):
    def cuts(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return False


class ReturnsTooSoon(Right):
    def cuts(self, maximizing: bool, value: float, window: Window, cut_on_equal: bool) -> bool:
        return True


class ReturnsLastChild(Right):
    def folded(self, maximizing: bool, value: float, score: float) -> float:
        return score


class StartsAtZero(Right):
    def start(self, maximizing: bool) -> float:
        return 0.0


class SidesSwapped(Right):
    def side(self, maximizing: bool) -> bool:
        return not maximizing


class SidesDoNotAlternate(Right):
    def side(self, maximizing: bool) -> bool:
        return True


class ShallowOnly(Right):
    """No mistake of the catalogue, since it stays right: bounds reach only one ply down, so deep cutoffs are missed."""

    def handed_down(self, depth: int, entry: Window, window: Window) -> Window:
        return (window[0], INFINITY) if window[0] != entry[0] else (-INFINITY, window[1]) if window[1] != entry[1] else OPEN


WRONG: dict[str, Callable[[], Right]] = {  # from those that are met most often
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


def searched_wrongly(question: Question, hand: Right) -> SearchTree:
    """The record of a search that decides as `hand` does."""
    game = question.game
    record = Record(MAX_NODES, windows=True, on_progress=None)
    root = game.start()
    alphabeta(game, record, root, hand, bool(question.options["cut_on_equal"]))
    return SearchTree(Search(question, root, "", False), record.columns(), 0.0)


def alphabeta(
    game: Any, record: Record, state: Any, hand: Right, cut_on_equal: bool, depth: int = 0, move: int = NONE, entry: Window = OPEN
) -> float:
    """Alpha-beta to the end of the game, with the decisions of a hand."""
    node = record.enter(move, depth, *entry, max_to_move(game, state))
    if game.is_over(state):
        return record.leave(node, TERMINAL, static_value(game, state, record))
    check_stack(depth)

    maximizing = hand.side(max_to_move(game, state))
    value, window = hand.start(maximizing), entry
    replies = legal_moves(game, state)
    for tried, code, reply in tried_in_turn(game, state, replies, node):
        below = hand.handed_down(depth, entry, window)
        score = alphabeta(game, record, after_move(game, state, reply), hand, cut_on_equal, depth + 1, code, below)
        value = hand.folded(maximizing, value, score)
        if tried < len(replies) and hand.cuts(maximizing, value, window, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        window = hand.narrowed(maximizing, window, value, score)
    return record.leave(node, EXHAUSTED, value)
