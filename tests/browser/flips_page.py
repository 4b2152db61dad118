"""A page of a few lines with the game of tests/support/flips.py, searched by a toy of tests/support/toy_algorithms.py, and a
board to play on."""

import streamlit as st

from engine import ALGORITHMS, search
from engine.games.protocol import move_from_code
from tests.support.flips import SHOWN_DEPTH, Flips
from tests.support.toy_algorithms import PVS
from visualizer.viewer.board_picker import show_board_picker
from visualizer.viewer.evaluation_breakdown import send_breakdown
from visualizer.viewer.tree_viewer import show_viewer


def page() -> None:
    ALGORITHMS[PVS.name] = PVS
    game = Flips()
    states = st.session_state.setdefault("states", [game.start()])

    def play(code: int) -> None:
        states.append(game.play(states[-1], move_from_code(game, states[-1], code)))

    show_board_picker(game, states[-1], "board", play, ply=len(states), before=states[-2] if len(states) > 1 else None)
    tree = search(game, depth=SHOWN_DEPTH, algorithm=PVS.name)
    wish, node = show_viewer(tree, None, None, 0, key="flips")
    if wish == "why":
        send_breakdown(tree, node)


if __name__ == "__main__":
    page()
