"""The form that asks for a search, shared by the pages."""

from dataclasses import replace
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.catalogue import OTHER_GAMES, read_game, with_options
from engine.evaluations import EVALUATIONS
from engine.presets import PRESETS
from visualizer.choices import Setup, read_setup, with_game
from visualizer.pages.words import plain

QUIRKS = {
    "k-tables": "No full-board test: a full board with plies left is worth −2147483648.",
    "threats": "Every move at the root is searched with a fresh window: nothing is pruned between them.",
    "full-depth": "The pseudo-code as typed: MIN starts at 0, a finished game with plies left is worth 0.",
    "long-state": "The search is the same; only the counting differs.",
    "connect-m": "This program has no quirk.",
}


KEEP = "as the game has it"


def _connect_choices(played: Any) -> dict[str, str]:
    """Evaluation and child order of a Connect board, where they differ from the game's own."""
    names = list(EVALUATIONS)
    left, right = st.columns(2)
    evaluation = left.selectbox("Evaluation", names, index=names.index(played.evaluation))
    order = right.selectbox(
        "Child order",
        [KEEP, "left", "centre"],
        accept_new_options=True,
        help="left to right, centre first, or all columns: 3-2-4-1-5-0-6",
    )
    changes = {} if evaluation == played.evaluation else {"evaluation": evaluation}
    return changes if order in (None, KEEP) else {**changes, "order": order}


def ask_for_search(setup: Setup) -> Setup | None:
    """The widgets; a new setup when the user has asked for one."""
    kinds = [*PRESETS, *OTHER_GAMES]
    listed = kinds if setup.game in kinds else [setup.game, *kinds]
    game = st.selectbox(
        "Game",
        listed,
        index=listed.index(setup.game),
        key=f"game instead of {setup.game}",  # a new widget for a new game, or the old choice would come back
        accept_new_options=True,
        help="A preset, or a game as `plyscope list` writes it.",
    )
    if game and game != setup.game:
        try:
            return with_game(setup, game)
        except PlyscopeError as error:
            st.error(plain(str(error)))
            return None
    played = read_game(setup.game)
    with st.form("ask", border=False):
        moves = st.text_input("Moves so far", setup.moves, help="Columns (or squares) played from the start: 334")
        left, right = st.columns(2)
        algorithm = left.selectbox("Algorithm", ["alphabeta", "minimax"], index=int(setup.algorithm == "minimax"))
        depth = right.text_input("K", "end" if setup.depth is None else str(setup.depth), help="Plies to look ahead, or: end")
        first = st.segmented_control("Who moved first", ["default", "max", "min"], default=setup.first or "default")
        changes = _connect_choices(played) if hasattr(played, "rule") else {}
        strict = st.toggle("Cut only when strictly better", setup.strict)
        published = False
        if getattr(played, "preset", ""):
            published = st.toggle("As published, with the quirks of the program", setup.published, help=QUIRKS[played.preset])
        if not st.form_submit_button("Search", type="primary"):
            return None
    text = with_options(setup.game, changes)
    side = "" if first in (None, "default") else first
    wanted = replace(setup, game=text, moves=moves.strip(), algorithm=algorithm, first=side, strict=strict, published=published)
    checked, notice = read_setup({**wanted.parameters(), "depth": depth.strip().lower()})
    if notice:
        st.error(plain(notice.removesuffix(" Here is the usual example instead.").removeprefix("This link could not be used: ")))
        return None
    return checked
