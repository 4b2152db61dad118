"""The forms that ask for players and tournaments."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.games.capabilities import game_preset, has_leaf_values_only
from engine.games.positions import SIDES
from engine.games.registry import find_game_type
from engine.matches.match import STARTING_SIDES, default_starting_side
from engine.matches.players import HumanPlayer, PerfectPlayer, RandomPlayer, SearchPlayer, player_text, read_player
from engine.matches.tournament_grid import default_sizes, default_tournament_depths
from visualizer.app.forms.form_migration import MigratedText, migrate_moves
from visualizer.app.forms.game_form import ask_for_game, try_read_game
from visualizer.app.state.large_trees import read_page_game
from visualizer.app.state.notices import show_lost_notice
from visualizer.app.state.url_params import (
    MAX_CELL_GAMES,
    MAX_OPENING_MOVES,
    MAX_PLAYER_PLIES,
    MAX_TOURNAMENT_SEED,
    MatchParams,
    TournamentParams,
    read_match_params,
    read_tournament_params,
)
from visualizer.narration.escapes import escape_page_markdown

START_NAMES = {"max": "MAX", "min": "MIN", "random": "at random"}

OPENINGS_HELP = "Searches are deterministic. Without random openings all games of a cell are the same game, so it is played once."
SIMPLE_PLAYERS = {
    "human": player_text(HumanPlayer()),
    "random": player_text(RandomPlayer()),
    "perfect": player_text(PerfectPlayer()),
}
FASTER_HELP = (
    "The textbook search scores every win the same, so it may win later than it could. "
    "With this option it prefers the faster win."
)


def ask_for_players(playing: MatchParams, on_submit: Callable[[MatchParams], None]) -> None:
    """Ask for the game, the players and who starts. Call `on_submit` with the new game."""
    salt = str(replace(playing, moves=""))
    with st.container(key="ask"):
        left, right = st.columns(2, gap="medium")
        with left:
            text = ask_for_game(playing.game, salt, with_chance=False)
            played = try_read_game(text)
        with right:
            is_tree = played is not None and has_leaf_values_only(played)
            sides = {side: _ask_for_player(side, getattr(playing, f"{side}_player"), is_tree, salt) for side in SIDES}
            usual = _choose_start(playing.starts, playing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTING_SIDES, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            wanted = MatchParams(text, "", "max", sides["max"], sides["min"], starts or "max").new_game(0)
            wrong = "" if played is None else read_match_params(wanted.parameters())[1]
            if wrong:
                st.error(escape_page_markdown(wrong))
            ready = played is not None and not wrong
            with st.container(horizontal=True):
                pressed = st.button("New game", type="primary", disabled=not ready, key=f"play {salt}")
                moves = migrate_moves(playing.moves, read_page_game(playing.game), played) if ready else MigratedText("")
                possible = bool(moves.text) and not moves.lost
                going_on = possible and st.button("Continue this game", key=f"go on {salt}")
            show_lost_notice(moves.lost and f"{moves.lost.partition(':')[0]}: this game cannot continue there.")
    if going_on:
        on_submit(replace(wanted, moves=moves.text, first=playing.first))
    if pressed:
        on_submit(wanted)


def ask_for_tournament(competing: TournamentParams, on_submit: Callable[[TournamentParams], None]) -> None:
    """Ask for the game, boards, depths and games. Call `on_submit` with the tournament."""
    salt = str(competing)
    with st.container(key="ask"):
        left, right = st.columns(2, gap="medium")
        with left:
            text = ask_for_game(competing.game, salt, with_chance=False)
            played = try_read_game(text)
            known = played is not None
            sizes, depths = _ask_for_boards(competing, text if known else competing.game, salt)
        with right:
            one, two = st.columns(2, vertical_alignment="bottom")
            games = one.number_input("Games per cell", 1, MAX_CELL_GAMES, competing.games, key=f"games {salt}")
            openings = two.number_input(
                "Random opening moves", 0, MAX_OPENING_MOVES, competing.openings, key=f"openings {salt}", help=OPENINGS_HELP
            )
            usual = _choose_start(competing.starts, competing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTING_SIDES, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            algorithm = st.selectbox(
                "Algorithm",
                ALGORITHMS,
                index=list(ALGORITHMS).index(competing.algorithm),
                format_func=lambda name: ALGORITHMS[name].title,
                key=f"algorithm {salt}",
            )
            seed = st.number_input("Random seed", 0, MAX_TOURNAMENT_SEED, competing.seed, key=f"seed {salt}")
            faster = st.toggle("Players prefer the faster win", competing.faster, key=f"faster {salt}", help=FASTER_HELP)
            wanted = TournamentParams(text, sizes, depths, games, openings, starts or "max", seed, algorithm, faster)
            wrong = read_tournament_params(wanted.parameters())[1] if known else ""
            if wrong:
                st.error(escape_page_markdown(wrong))
            pressed = st.button("Play", type="primary", disabled=bool(wrong) or not known, key=f"play {salt}")
    if pressed:
        on_submit(read_tournament_params(wanted.parameters())[0])


def _choose_start(before: str, game: str, played: Any) -> str:
    """Return who starts: as before, unless another side is to move at the root of the chosen tree."""
    return (
        before
        if played is None or default_starting_side(played) == default_starting_side(read_page_game(game))
        else default_starting_side(played)
    )


def _ask_for_boards(competing: TournamentParams, text: str, salt: str) -> tuple[str, str]:
    """Ask for board sizes, if the game has several, and for depths: those of before, else the default ones."""
    game, before = read_page_game(text), read_page_game(competing.game)
    is_tree = has_leaf_values_only(game)
    one, two = st.columns(2)
    sizes = ""
    if (kind := find_game_type(game)) is not None and kind.sizes is not None:
        alike = type(game) is type(before) and game_preset(game) == game_preset(before)
        usual = competing.sizes if alike else default_sizes(game)
        words = "Sizes of square boards, such as 3-6. Empty: the board above."
        sizes = one.text_input("Sizes", usual, key=f"sizes {salt} {game_preset(game)}", help=words).strip()
    keeps = text == competing.game if is_tree else not has_leaf_values_only(before)
    usual = competing.depths if keeps else default_tournament_depths(game)
    words = "Plies that the players look ahead, such as 1-4. Every depth plays against every depth."
    depths = two.text_input("Depths", usual, key=f"depths {salt} {text if is_tree else ''}", help=words).strip()
    if sizes:
        st.caption(f"The games are played on square boards of sizes {escape_page_markdown(sizes)}, not on the board above.")
    if is_tree:
        st.caption("In a tree of numbers only the leaves have values: every player looks to the end, so one depth is enough.")
    return sizes, depths


def _ask_for_player(side: str, current: str, is_tree: bool, salt: str) -> str:
    """Ask for a person, random moves, a search or the solver. Return the player as text.

    In a tree of numbers a search goes to the end.
    """
    player = read_player(current)
    kinds = {"human": "you", "random": "random moves", "search": "a search", "perfect": "the solver (perfect)"}
    here = current.partition(":")[0]
    kind = st.selectbox(
        f"{side.upper()} is played by",
        list(kinds),
        index=list(kinds).index(here),
        format_func=kinds.__getitem__,
        key=f"{side} {salt}",
    )
    if kind != "search":
        return current if kind == here else SIMPLE_PLAYERS[kind]
    search = player if isinstance(player, SearchPlayer) else SearchPlayer(prefer_faster_win=True)
    left, right = st.columns(2)
    depth = None
    if is_tree:
        left.caption("Searches to the end: only leaves have values.")
    else:
        now = min(search.depth or MAX_PLAYER_PLIES, MAX_PLAYER_PLIES)
        depth = left.slider("Depth in plies", 1, MAX_PLAYER_PLIES, now, key=f"{side} K {salt}")
    algorithm = right.selectbox(
        "by",
        ALGORITHMS,
        index=list(ALGORITHMS).index(search.algorithm),
        format_func=lambda name: ALGORITHMS[name].title,
        key=f"{side} algorithm {salt}",
    )
    label = "Prefers the faster win"
    faster = st.toggle(label, search.prefer_faster_win, key=f"{side} faster {salt}", help=FASTER_HELP) and not search.as_published
    return player_text(search.replace(depth=depth, algorithm=algorithm, prefer_faster_win=faster))
