"""A board to play on: shows a position, and hears which move was picked."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st

from engine.games.boards import Clicks, board_of, clicks_of, difference, last_cells, show_state
from engine.games.capabilities import only_leaves_count, single_digits
from engine.games.protocol import Replies
from engine.matches.match import PositionTruth
from visualizer.viewer.board_data import board_json
from visualizer.viewer.bundle import component

MOST_MOVES = 2_000  # that a board offers
KEPT = 500  # positions whose boards need not be made again


class Worth(NamedTuple):
    """What to show at a move: a number, or words."""

    value: float | None  # None: not known
    best: bool
    words: str = ""
    comes_to: PositionTruth | None = None  # where the position is solved


class EvaluationBar(NamedTuple):
    """An evaluation bar beside the board."""

    share: float | None  # of MAX; None: not solved
    label: str  # a sign or a number inside it
    words: str  # the same in words, below it


def picker(
    game: Any,
    state: Any,
    key: str,
    on_pick: Callable[[int], None],
    *,
    ply: int,
    before: Any = None,
    line: Iterable[int] = (),
    values: Mapping[int, Worth] | None = None,
    locked: bool = False,
    falling: bool = False,
    bar: EvaluationBar | None = None,
) -> None:
    """Show a position. `on_pick` hears a legal move before the page runs again.

    `ply` numbers the position, so that a late click means nothing; `before` is the state before the last move, which is marked;
    `line` are the cells of a finished line; `locked` takes no moves; `bar` stands beside the board. A
    position with more than MOST_MOVES moves is only told.
    """
    possible = 0 if game.is_over(state) else len(list(game.moves(state)))
    if possible > MOST_MOVES:
        st.caption(f"{possible:,} moves are possible here, and a board to click on has {MOST_MOVES:,} at most.")
        return
    data = {
        **position_of(game, state, before, locked),
        "line": list(line),
        "values": {
            str(move): {"value": worth.value, "best": worth.best, "words": worth.words} for move, worth in (values or {}).items()
        },
        "bar": None if bar is None else bar._asdict(),
        "ply": ply,
        "falling": falling,
    }

    def picked() -> None:
        sent = st.session_state.get(key, {}).get("move")
        if not isinstance(sent, dict) or sent.get("ply") != ply:
            return
        move = sent.get("move")
        if isinstance(move, int) and not isinstance(move, bool) and move in data["legal"]:  # what a browser sends is foreign
            on_pick(move)

    component("board_picker")(key=key, data={"position": data}, on_move_change=picked)


def position_of(game: Any, state: Any, before: Any, locked: bool) -> dict[str, Any]:
    """What is the same whoever looks at a position."""
    try:
        return _known_position(game, state, before, locked)
    except TypeError:  # a game or a state that has no hash
        return _position(game, state, before, locked)


def _position(game: Any, state: Any, before: Any, locked: bool) -> dict[str, Any]:
    replies = None if locked or game.is_over(state) else Replies(game, state)
    side = "max" if game.maximizing(state) else "min"
    return {
        **shown_board(game, state, before),
        **offered_moves(game, state, replies),
        "toMove": side,
        "words": f"board, {side.upper()} to move",
    }


_known_position = lru_cache(KEPT)(_position)


def shown_board(game: Any, state: Any, before: Any = None) -> dict[str, Any]:
    """The board, None where a game has none: then its text, but for trees, which are drawn beside it; and the cells of the last
    move."""
    board, earlier = board_of(game, state), None if before is None else board_of(game, before)
    if board is None:
        return {"board": None, "text": "" if only_leaves_count(game) else show_state(game, state), "last": []}
    last = () if earlier is None else last_cells(earlier, board)
    return {"board": board_json(board), "text": "", "last": list(last)}


def offered_moves(game: Any, state: Any, replies: Replies | None) -> dict[str, Any]:
    """The moves that can be picked: their names, the cells that choose them, and what they change; and those that are refused."""
    if replies is None:
        return {"legal": [], "names": {}, "cells": {}, "changes": {}, "refused": {}, "digits": False}
    board = board_of(game, state)
    clicks = Clicks({}, {}, {}) if board is None else clicks_of(game, state, replies)
    after = {code: board_of(game, game.play(state, move)) for code, move in replies.moves.items()} if board else {}
    changes = {code: difference(board, then) for code, then in after.items() if board and then}
    return {
        "legal": list(replies.moves),
        "names": {str(code): replies.name(code) for code in replies.moves},
        "cells": {str(code): list(cells) for code, cells in (clicks.cells | clicks.refused).items()},
        "changes": {str(code): [list(pair) for pair in change] for code, change in changes.items()},
        "refused": {str(move): f"{words[:1].upper()}{words[1:]}: try another." for move, words in clicks.words.items()},
        "digits": single_digits(game),  # the key of a digit picks the move
    }
