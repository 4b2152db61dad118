"""The moves of a reviewed game as a Streamlit component: a list in two columns, as in a chess report."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from visualizer.viewer.bundle import create_component


class ListedMove(NamedTuple):
    """A move of the list."""

    name: str
    mark: str  # ??, ?, ! or nothing
    words: str  # its result, shown when the pointer rests on it
    side: str  # "max" or "min"


def show_move_list(moves: Sequence[ListedMove], shown: int, key: str, parameter: str, on_look: Callable[[int], None]) -> None:
    """Show the moves. `shown` is how many of them the board shows; `on_look` is called with another such number.

    The browser writes it into the URL, as `parameter`.
    """

    def handle_look() -> None:
        ply = st.session_state.get(key, {}).get("ply")
        if isinstance(ply, int) and not isinstance(ply, bool) and 0 <= ply <= len(moves):  # what a browser sends is foreign
            on_look(ply)

    data = {"moves": [move._asdict() for move in moves], "shown": shown, "parameter": parameter}
    create_component("move_list")(key=key, data=data, on_ply_change=handle_look)
