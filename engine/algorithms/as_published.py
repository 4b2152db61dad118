"""The searches of the five reports as their programs really run: `as_published=True` restores their quirks.

Each quirk (games/quirks.py) is a mistake worth teaching. The search below is alphabeta (or minimax, without pruning) with
three of them marked. The fourth, `doubled links`, does not change the search at all.
"""

from typing import Any

from engine.algorithms.refutation import is_refuted
from engine.algorithms.templates import Rule, Rules
from engine.games.protocol import Game, is_max_to_move, play_move, static_value
from engine.games.quirks import AS_TYPED, FRESH_ROOT_WINDOWS, NO_FULL_BOARD_TEST
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.record.recorder import NodeCounter, Record

MIN_INT, MAX_INT = -(2**31), 2**31 - 1

QUIRK_RULES: dict[str, Rules] = {  # extra narration rules, by quirk
    NO_FULL_BOARD_TEST: {
        "sentence": [
            Rule(
                "evaluate.no full-board test",
                {"step": "evaluate", "status": "terminal", "plies left": True},
                "The board is full with plies left. The original program does not test for that: "
                "the node returns the number that its value started with, {value}.",
            )
        ]
    },
    FRESH_ROOT_WINDOWS: {
        "sentence": [
            Rule(
                "enter.fresh root windows",
                {"step": "enter", "root": False, "windows": True, "alpha": "open", "beta": "open"},
                "{mover} tries {move}. The original program searches every move of the root "
                "with the full window, {alpha} to {beta}.",
            )
        ],
        "window": [
            Rule(
                "window.fresh root windows",
                {"root": True, "windows": True},
                " The original program searches every move of the root with the full window, so the window stays.",
            )
        ],
    },
    AS_TYPED: {
        "sentence": [
            Rule(
                "evaluate.as typed",
                {"step": "evaluate", "status": "terminal", "plies left": True},
                "The game is over with plies left. The program as typed then returns {value}, no matter who won.",
            ),
            Rule(
                "return.as typed",
                {"step": "return", "started": True},
                "{Move} returns {known}. A MIN node of the program as typed starts with the value 0, "
                "and nothing here is lower, so its value is {best}.{window}",
            ),
            Rule(
                "leave.as typed",
                {"step": "leave", "best": False, "started": True},
                "All moves have been searched. None is below 0, the value that a MIN node of the program as typed "
                "starts with, so this node is worth {known}.",
            ),
        ],
        "window": [Rule("window.as typed", {"narrows": "", "improves": False}, "")],
    },
}


def root_window(quirk: str) -> tuple[float, float]:
    """Return the window of the root: the two numbers that stand for minus and plus infinity."""
    return (MIN_INT, MAX_INT) if quirk == NO_FULL_BOARD_TEST else (-INFINITY, INFINITY)


def run_as_published(
    game: Game,
    record: Record | NodeCounter,
    state: Any,
    remaining: int,
    quirk: str,
    pruning: bool,
    cut_on_equal: bool = True,
    depth: int = 0,
    move: int = NONE,
    window: tuple[float, float] | None = None,
) -> float:
    """Return the value of `state` for MAX as the program with this quirk computes it."""
    maximizing = is_max_to_move(game, state)
    alpha, beta = window or root_window(quirk)
    node = record.enter(move, depth, *((alpha, beta) if pruning else (-INFINITY, INFINITY)), maximizing)
    if game.is_over(state) and remaining > 0 and quirk == NO_FULL_BOARD_TEST:
        return record.leave(node, TERMINAL, MIN_INT if maximizing else MAX_INT)
    if game.is_over(state) and remaining > 0 and quirk == AS_TYPED:
        return record.leave(node, TERMINAL, 0)
    if game.is_over(state) or remaining == 0:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static_value(game, state, record))

    low, high = root_window(quirk)
    better, value = (max, low) if maximizing else (min, high)
    if quirk == AS_TYPED and not maximizing:
        value = 0
    replies = game.moves(state)
    for tried, reply in enumerate(replies, start=1):
        passed = root_window(quirk) if not pruning or (quirk == FRESH_ROOT_WINDOWS and depth == 0) else (alpha, beta)
        child = play_move(game, state, reply)
        score = run_as_published(game, record, child, remaining - 1, quirk, pruning, cut_on_equal, depth + 1, reply, passed)
        value = better(value, score)
        if pruning and is_refuted(maximizing, score, alpha, beta, cut_on_equal):
            if quirk == AS_TYPED:
                value = score
            if tried < len(replies):
                return record.leave(node, CUTOFF, value, skipped=len(replies) - tried)
        if maximizing:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
    return record.leave(node, EXHAUSTED, value)
