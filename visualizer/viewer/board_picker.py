"""A board to play on: shows a position and reports the move that the user picks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import streamlit as st

from engine.games.boards import ClickTargets, changed_cells, find_board, find_click_targets, format_state, last_move_cells
from engine.games.capabilities import game_size, has_leaf_values_only, has_single_digit_moves, whole_tree
from engine.games.chance_outcomes import chance_outcomes
from engine.games.positions import play_moves
from engine.games.protocol import MovesByCode
from engine.games.tree_formats.json_trees import write_one_line
from engine.matches.match import PositionTruth
from engine.record.columns import TURN_NAMES
from visualizer.drawing.theme import TURN_TITLES
from visualizer.viewer.board_data import board_json
from visualizer.viewer.bundle import create_component

MAX_MOVES = 2_000  # that a board offers
MAX_DRAWN_NODES = 200  # of a tree of numbers
MAX_CACHED_POSITIONS = 500  # positions whose boards need not be made again


class MoveValue(NamedTuple):
    """The value to show at a move: a number, or words."""

    value: float | None  # None: not known
    best: bool
    words: str = ""
    comes_to: PositionTruth | None = None  # where the position is solved


class EvaluationBar(NamedTuple):
    """An evaluation bar beside the board."""

    share: float | None  # of MAX; None: not solved
    label: str  # a sign or a number inside it
    words: str  # the same in words, below it


def show_board_picker(
    game: Any,
    state: Any,
    key: str,
    on_pick: Callable[[int], None],
    *,
    ply: int,
    before: Any = None,
    line: Iterable[int] = (),
    values: Mapping[int, MoveValue] | None = None,
    locked: bool = False,
    falling: bool = False,
    bar: EvaluationBar | None = None,
    made: Sequence[int] = (),
) -> None:
    """Show a position. `on_pick` is called with a legal move before the page runs again.

    `ply` numbers the position, so that a late click is ignored. `before` is the state before the last move, which is
    marked. `line` holds the cells of a finished line. `locked` takes no moves. `bar` stands beside the board. `made` are
    the moves so far: a tree of numbers is drawn with them. A position with more than MAX_MOVES moves gets a sentence
    instead of a board.
    """
    possible = 0 if locked or game.is_over(state) else len(MovesByCode(game, state).moves)
    if possible > MAX_MOVES:
        st.caption(f"{possible:,} moves are possible here, and a board to click on has {MAX_MOVES:,} at most.")
        return
    data = {
        **position_data(game, state, before, locked),
        "tree": drawable_tree(game, state, made),
        "line": list(line),
        "values": {
            str(move): {"value": worth.value, "best": worth.best, "words": worth.words} for move, worth in (values or {}).items()
        },
        "bar": None if bar is None else bar._asdict(),
        "ply": ply,
        "falling": falling,
    }

    def handle_pick() -> None:
        sent = st.session_state.get(key, {}).get("move")
        if not isinstance(sent, dict) or sent.get("ply") != ply:
            return
        move = sent.get("move")
        if isinstance(move, int) and not isinstance(move, bool) and move in data["legal"]:  # what a browser sends is foreign
            on_pick(move)

    create_component("board_picker")(key=key, data={"position": data}, on_move_change=handle_pick)


def position_data(game: Any, state: Any, before: Any, locked: bool) -> dict[str, Any]:
    """Return the data of a position that is the same for every visitor."""
    try:
        return _cached_position_data(game, state, before, locked)
    except TypeError:  # a game or a state that has no hash
        return _build_position_data(game, state, before, locked)


def _build_position_data(game: Any, state: Any, before: Any, locked: bool) -> dict[str, Any]:
    replies = None if locked or game.is_over(state) else MovesByCode(game, state)
    side = "chance" if chance_outcomes(game, state) else "max" if game.maximizing(state) else "min"
    return {
        **displayed_board(game, state, before),
        **selectable_moves(game, state, replies),
        "toMove": side,
        "words": f"board, {TURN_TITLES[TURN_NAMES.index(side)]} to move",
    }


_cached_position_data = lru_cache(MAX_CACHED_POSITIONS)(_build_position_data)


def displayed_board(game: Any, state: Any, before: Any = None) -> dict[str, Any]:
    """Return the board and the cells of the last move.

    A game without a board has its text instead. A tree of numbers has neither: see `drawable_tree`.
    """
    board, earlier = find_board(game, state), None if before is None else find_board(game, before)
    if board is None:
        return {"board": None, "text": "" if has_leaf_values_only(game) else format_state(game, state), "last": []}
    last = () if earlier is None else last_move_cells(earlier, board)
    return {"board": board_json(board), "text": "", "last": list(last)}


def drawable_tree(game: Any, state: Any, made: Sequence[int]) -> dict[str, Any] | None:
    """Return a game that is a tree of numbers, for the browser to draw; None for other games and for large trees."""
    tree, size = whole_tree(game), game_size(game)
    if tree is None or size is None or size.nodes > MAX_DRAWN_NODES:
        return None
    start = game.start()  # a game may let the other side begin
    max_first = game.maximizing(start) == (game.maximizing(state) == game.maximizing(play_moves(game, start, made, made)))
    return {"text": write_one_line(tree.tree), "maxFirst": max_first, "path": list(made)}


def selectable_moves(game: Any, state: Any, replies: MovesByCode | None) -> dict[str, Any]:
    """Return the moves to pick, with their names, the cells that choose them and their changes; and the refused moves."""
    if replies is None:
        return {"legal": [], "names": {}, "cells": {}, "changes": {}, "refused": {}, "digits": False}
    board = find_board(game, state)
    clicks = ClickTargets({}, {}, {}) if board is None else find_click_targets(game, state, replies)
    after = {code: find_board(game, game.play(state, move)) for code, move in replies.moves.items()} if board else {}
    changes = {code: changed_cells(board, then) for code, then in after.items() if board and then}
    return {
        "legal": list(replies.moves),
        "names": {str(code): replies.name(code) for code in replies.moves},
        "cells": {str(code): list(cells) for code, cells in (clicks.cells | clicks.refused).items()},
        "changes": {str(code): [list(pair) for pair in change] for code, change in changes.items()},
        "refused": {str(move): f"{words[:1].upper()}{words[1:]}: try another." for move, words in clicks.words.items()},
        "digits": has_single_digit_moves(game),  # the key of a digit picks the move
    }
