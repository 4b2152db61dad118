"""The five published student programs as games: board, rules, child order, evaluation, and the quirk of the original program.

The first paragraph of each preset's docstring is shown to users.
"""

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.core.errors import BadBoard, UnknownName
from engine.games.connect.board_options import format_connect_text, read_child_orders
from engine.games.connect.evaluations import EVALUATIONS, make_evaluation
from engine.games.connect.rules import Connect
from engine.games.connect.rules import connect as board
from engine.games.quirks import AS_TYPED, DOUBLED_LINKS, FRESH_ROOT_WINDOWS, NO_FULL_BOARD_TEST

SCORINGS = ("linear", "power")
PUBLISHED_SIZES = "3-6"  # board sizes in the report of connect-m


def full_depth_preset(rows: int = 4, cols: int = 5, connect: int = 4) -> Connect:
    """Report 1: full depth on a small board; its pseudo-code as typed has bugs worth teaching."""
    return replace(board(rows, cols, connect, "first", "lines"), quirk=AS_TYPED, searcher_is_max=True)


def connect_m_preset(size: int = 4, connect: int | None = None, scoring: str = "linear") -> Connect:
    """Report 2: M in a row on N x N; a tournament of search depths."""
    if scoring not in SCORINGS:
        raise UnknownName("scoring", scoring, SCORINGS)
    if isinstance(size, bool) or not isinstance(size, int) or not 3 <= size <= 10:
        raise BadBoard(f"connect-m has no board of size {size!r}: choose 3-10")
    game = board(size, size, size if connect is None else connect, "first", f"segments:{scoring}")
    return replace(game, searcher_is_max=True)


def long_state_preset(rows: int = 6, cols: int = 7, connect: int = 4) -> Connect:
    """Report 3: the board as one number; its program counted links, not nodes."""
    order = {"max": (3, 2, 4, 1, 5, 0, 6), "min": (0, 6, 1, 5, 2, 4, 3)} if cols == 7 else "left"
    game = board(rows, cols, connect, "count", "spread", order)
    return replace(game, quirk=DOUBLED_LINKS, searcher_is_max=True, reads_longs=True)


def threats_preset(rows: int = 6, cols: int = 7, connect: int = 4) -> Connect:
    """Report 4: threats of four in a row; its program searched every root move with a fresh window."""
    return replace(board(rows, cols, connect, "first", "threats"), quirk=FRESH_ROOT_WINDOWS, searcher_is_max=True)


def k_tables_preset(rows: int = 6, cols: int = 7, connect: int = 4) -> Connect:
    """Report 5: node counts per K; the computer is MIN and answers the human's move."""
    return replace(board(rows, cols, connect, "count", "chains"), quirk=NO_FULL_BOARD_TEST, default_depth=3)


PRESETS: dict[str, Callable[..., Connect]] = {
    "full-depth": full_depth_preset,
    "connect-m": connect_m_preset,
    "long-state": long_state_preset,
    "threats": threats_preset,
    "k-tables": k_tables_preset,
}


def preset(name: str, **options: Any) -> Connect:
    """Return one of the five published student programs, by name.

    Its options are those of the board; `evaluation` and `order` replace its own.

    >>> preset("k-tables").evaluate(preset("k-tables").state("0"))
    7
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    make = PRESETS[name]
    known = (*inspect.signature(make).parameters, "evaluation", "order")
    for option in options:
        if option not in known:
            raise UnknownName(f"option of the preset {name}", option, known)
    replaced = {option: options[option] for option in ("evaluation", "order") if option in options}
    game = make(**{option: value for option, value in options.items() if option not in replaced})
    if "evaluation" in replaced:
        game = replace_evaluation(game, replaced["evaluation"])
    if "order" in replaced:
        max_order, min_order = read_child_orders(replaced["order"], game.cols)
        game = replace(game, max_order=max_order, min_order=min_order)
    return replace(game, preset=name, name=format_connect_text(name, **options))


def replace_evaluation(game: Connect, evaluation: str) -> Connect:
    """Return the same game with another evaluation."""
    if evaluation not in EVALUATIONS:
        raise UnknownName("evaluation", evaluation, EVALUATIONS)
    game = replace(game, evaluation=evaluation)
    make_evaluation(game)  # raises BadEvaluation if it is not defined on this board
    return game
