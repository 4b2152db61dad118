"""The draws of chance on the page "Play": what was rolled since the last decision of a person."""

from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import streamlit as st

from engine.games.chance_outcomes import has_chance
from engine.games.protocol import MovesByCode
from engine.matches.match import CHANCE_SIDE, Match
from engine.matches.players import HumanPlayer
from visualizer.drawing.theme import TURN_SIGNS
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.move_text import describe_draw

MAX_SHOWN_MOVES = 30
DRAW_SIGN = TURN_SIGNS[-1]
SIDE_SIGNS = {"min": TURN_SIGNS[0], "max": TURN_SIGNS[1]}


class ShownMove(NamedTuple):
    """A move or a draw, for people."""

    side: str  # the side that moved last, also of a draw
    is_draw: bool
    name: str


def show_draws(match: Match) -> None:
    """Show the last draw, and every move since the last decision of a person."""
    if not has_chance(match.game) or not match.moves:
        return
    last = match if match.previous_match is None or match.previous_match.is_chance else match.previous_match
    if last.moves and last.previous_match is not None and last.previous_match.is_chance:
        st.markdown(f"{DRAW_SIGN} **{escape_page_markdown(describe_draw(last))}**")
    moves = list_recent_moves(match)
    turns = []
    for side, made in groupby(moves, attrgetter("side")):
        words = " ".join(f":gray-badge[{DRAW_SIGN} {_escape(move)}]" if move.is_draw else _escape(move) for move in made)
        turns.append(f"{SIDE_SIGNS.get(side, '')} {words}")
    st.caption(f"Since the last decision: {' · '.join(turns)}")


def list_recent_moves(match: Match) -> list[ShownMove]:
    """Return the moves and draws since the last decision of a person, that decision included; the last ones if none plays."""
    found: list[ShownMove] = []
    after = match
    while (before := after.previous_match) is not None and len(found) < MAX_SHOWN_MOVES:
        name = MovesByCode(match.game, before.state).name(after.moves[-1])
        found.insert(0, ShownMove(_side_of(before), before.is_chance, name))
        if isinstance(before.player, HumanPlayer):
            break
        after = before
    return found


def _side_of(match: Match) -> str:
    """Return the side to move; of a draw, the side that moved before it."""
    while match.side == CHANCE_SIDE and match.previous_match is not None:
        match = match.previous_match
    return match.side


def _escape(move: ShownMove) -> str:
    return escape_page_markdown(move.name)
