"""The forms that ask for players and tournaments."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.games.capabilities import only_leaves_count, preset_of
from engine.games.positions import SIDES
from engine.games.registry import kind_for
from engine.matches.match import STARTS, usual_first
from engine.matches.players import Human, PerfectPlayer, RandomPlayer, SearchPlayer, player_text, read_player
from engine.matches.tournament_grid import usual_sizes, usual_tournament_depths
from visualizer.app.forms.form_migration import Carried, carried_moves
from visualizer.app.forms.game_form import ask_for_game, readable
from visualizer.app.state.large_trees import game_on_page
from visualizer.app.state.notices import say_lost
from visualizer.app.state.url_params import (
    MOST_GAMES,
    MOST_OPENINGS,
    MOST_PLIES,
    MOST_SEED,
    Competing,
    Playing,
    read_competing,
    read_playing,
)
from visualizer.narration.escapes import page_markdown

START_NAMES = {"max": "MAX", "min": "MIN", "random": "by chance"}

OPENINGS = "Searches are deterministic: without random openings all games of a cell are one game, played once."
OTHERS = {"human": player_text(Human()), "random": player_text(RandomPlayer()), "perfect": player_text(PerfectPlayer())}
FASTER = "To the textbook search a win is a win, now or later: it may dawdle. With this, the sooner win is played."


def ask_for_players(playing: Playing, asked: Callable[[Playing], None]) -> None:
    """Game, opponent, who starts."""
    salt = str(replace(playing, moves=""))
    with st.container(key="ask"):
        left, right = st.columns(2, gap="medium")
        with left:
            text = ask_for_game(playing.game, salt)
            played = readable(text)
        with right:
            is_tree = played is not None and only_leaves_count(played)
            sides = {side: _ask_for_player(side, getattr(playing, f"{side}_player"), is_tree, salt) for side in SIDES}
            usual = _starts(playing.starts, playing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTS, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            wanted = Playing(text, "", "max", sides["max"], sides["min"], starts or "max").begun(0)
            wrong = "" if played is None else read_playing(wanted.parameters())[1]
            if wrong:
                st.error(page_markdown(wrong))
            ready = played is not None and not wrong
            with st.container(horizontal=True):
                pressed = st.button("New game", type="primary", disabled=not ready, key=f"play {salt}")
                moves = carried_moves(playing.moves, game_on_page(playing.game), played) if ready else Carried("")
                possible = bool(moves.text) and not moves.lost
                going_on = possible and st.button("Go on with this one", key=f"go on {salt}")
            say_lost(moves.lost and f"{moves.lost.partition(':')[0]}: this game cannot go on there.")
    if going_on:
        asked(replace(wanted, moves=moves.text, first=playing.first))
    if pressed:
        asked(wanted)


def ask_for_tournament(competing: Competing, asked: Callable[[Competing], None]) -> None:
    """Game, boards, depths, games."""
    salt = str(competing)
    with st.container(key="ask"):
        left, right = st.columns(2, gap="medium")
        with left:
            text = ask_for_game(competing.game, salt)
            played = readable(text)
            known = played is not None
            sizes, depths = _ask_for_boards(competing, text if known else competing.game, salt)
        with right:
            one, two = st.columns(2)
            games = one.number_input("Games in a cell", 1, MOST_GAMES, competing.games, key=f"games {salt}")
            openings = two.number_input(
                "Random opening moves", 0, MOST_OPENINGS, competing.openings, key=f"openings {salt}", help=OPENINGS
            )
            usual = _starts(competing.starts, competing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTS, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            algorithm = st.selectbox(
                "Searches by",
                ALGORITHMS,
                index=list(ALGORITHMS).index(competing.algorithm),
                format_func=lambda name: ALGORITHMS[name].title,
                key=f"algorithm {salt}",
            )
            seed = st.number_input("Seed of what is random", 0, MOST_SEED, competing.seed, key=f"seed {salt}")
            faster = st.toggle("Players prefer the faster win", competing.faster, key=f"faster {salt}", help=FASTER)
            wanted = Competing(text, sizes, depths, games, openings, starts or "max", seed, algorithm, faster)
            wrong = read_competing(wanted.parameters())[1] if known else ""
            if wrong:
                st.error(page_markdown(wrong))
            pressed = st.button("Play", type="primary", disabled=bool(wrong) or not known, key=f"play {salt}")
    if pressed:
        asked(read_competing(wanted.parameters())[0])


def _starts(before: str, game: str, played: Any) -> str:
    """Who starts: as before, unless another side is to move at the root of the tree that is chosen now."""
    return before if played is None or usual_first(played) == usual_first(game_on_page(game)) else usual_first(played)


def _ask_for_boards(competing: Competing, text: str, salt: str) -> tuple[str, str]:
    """Sizes of boards, where the game has boards of several sizes, and depths: those that were asked for, else the usual ones."""
    game, before = game_on_page(text), game_on_page(competing.game)
    is_tree = only_leaves_count(game)
    one, two = st.columns(2)
    sizes = ""
    if (kind := kind_for(game)) is not None and kind.sizes is not None:
        alike = type(game) is type(before) and preset_of(game) == preset_of(before)
        usual = competing.sizes if alike else usual_sizes(game)
        words = "Square boards by their size, instead of the board above: 3-6. Empty: the board above."
        sizes = one.text_input("Sizes", usual, key=f"sizes {salt} {preset_of(game)}", help=words).strip()
    keeps = text == competing.game if is_tree else not only_leaves_count(before)
    usual = competing.depths if keeps else usual_tournament_depths(game)
    words = "How many plies a player looks ahead; every depth plays against every depth: 1-4"
    depths = two.text_input("Depths", usual, key=f"depths {salt} {text if is_tree else ''}", help=words).strip()
    if sizes:
        st.caption(f"Played on square boards of the sizes {page_markdown(sizes)}, not on the board above.")
    if is_tree:
        st.caption("In a tree of numbers only the leaves have values: every player looks to the end, so one depth is enough.")
    return sizes, depths


def _ask_for_player(side: str, current: str, is_tree: bool, salt: str) -> str:
    """A person, chance, or a search, as text. In a tree of numbers a search goes to the end."""
    player = read_player(current)
    kinds = {"human": "you", "random": "random moves", "search": "a search", "perfect": "the solver: perfect"}
    here = current.partition(":")[0]
    kind = st.selectbox(
        f"{side.upper()} is played by",
        list(kinds),
        index=list(kinds).index(here),
        format_func=kinds.__getitem__,
        key=f"{side} {salt}",
    )
    if kind != "search":
        return current if kind == here else OTHERS[kind]
    search = player if isinstance(player, SearchPlayer) else SearchPlayer(prefer_faster_win=True)
    left, right = st.columns(2)
    depth = None
    if is_tree:
        left.caption("Looks to the end: only leaves have values.")
    else:
        now = min(search.depth or MOST_PLIES, MOST_PLIES)
        depth = left.slider("Looks ahead, plies", 1, MOST_PLIES, now, key=f"{side} K {salt}")
    algorithm = right.selectbox(
        "by",
        ALGORITHMS,
        index=list(ALGORITHMS).index(search.algorithm),
        format_func=lambda name: ALGORITHMS[name].title,
        key=f"{side} algorithm {salt}",
    )
    label = "Prefers the faster win"
    faster = st.toggle(label, search.prefer_faster_win, key=f"{side} faster {salt}", help=FASTER) and not search.as_published
    return player_text(search.replace(depth=depth, algorithm=algorithm, prefer_faster_win=faster))
