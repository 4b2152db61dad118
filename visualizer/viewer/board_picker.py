"""A board to play on: shows a position, and hears which move was picked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import streamlit as st

from engine.games.protocol import Replies
from visualizer.drawing.board_data import board_size, kind_of, position_data
from visualizer.viewer.bundle import component

MOST_MOVES = 2_000  # that a board offers


class Worth(NamedTuple):
    """A number to show at a move."""

    value: float | None  # None: not known
    best: bool


def picker(
    game: Any,
    state: Any,
    key: str,
    on_pick: Callable[[int], None],
    *,
    ply: int,
    before: Any = None,
    line: Iterable[tuple[int, int]] = (),
    values: Mapping[int, Worth] | None = None,
    locked: bool = False,
    falling: bool = False,
    path: Sequence[int] = (),
) -> None:
    """Show a position. `on_pick` hears a legal move before the page runs again.

    `ply` numbers the position, so that a late click means nothing; `before` is the state before the last move, which is marked;
    `line` are the cells of a finished line; `locked` takes no moves; `path` are the moves so far, for trees, which have no board.
    A position with more than MOST_MOVES moves is only told.
    """
    kind = kind_of(game)
    replies = None if game.is_over(state) else Replies(game, state)
    legal = list(replies.moves) if replies else []
    if len(legal) > MOST_MOVES:
        st.caption(f"{len(legal):,} moves are possible here, and a board to click on has {MOST_MOVES:,} at most.")
        return
    standing = position_data(kind, game, state) or {}
    data = {
        "kind": kind,
        **board_size(kind, game),
        **(standing if kind != "literal" else {"shown": _shown(game, state, legal), "path": list(path)}),
        "last": None if before is None else _last(kind, standing, position_data(kind, game, before)),
        "line": [list(cell) for cell in line],
        "toMove": "max" if game.maximizing(state) else "min",
        "legal": [] if locked else legal,
        "names": {str(move): replies.name(move) for move in legal} if replies else {},
        "words": f"board, {'MAX' if game.maximizing(state) else 'MIN'} to move",
        "values": {str(move): worth._asdict() for move, worth in (values or {}).items()},
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

    component("board_picker")(key=key, data=data, on_move_change=picked)


def _shown(game: Any, state: Any, legal: list[int]) -> str:
    return f"{len(legal)} moves" if legal else str(game.evaluate(state))


def _last(kind: str, now: Any, then: Any) -> Any:
    """The cell or square that was filled between two positions."""
    if kind not in ("connect", "tictactoe"):
        return None
    new = [cell for side in ("max", "min") for cell in now[side] if cell not in then[side]]
    return new[0] if len(new) == 1 else None
