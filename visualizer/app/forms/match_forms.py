"""The forms that ask for players and tournaments."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.algorithms import ALGORITHMS
from engine.games.capabilities import declared_name, game_preset, has_leaf_values_only
from engine.games.chance_outcomes import has_chance
from engine.games.policies import list_policies
from engine.games.positions import SIDES
from engine.games.registry import find_game_type
from engine.matches.match import STARTING_SIDES, choose_starting_side, default_starting_side
from engine.matches.players import PolicyPlayer, player_text, read_player
from engine.matches.tournament_grid import default_sizes, default_tournament_algorithm, default_tournament_depths
from engine.searcher import list_suitable_algorithms
from visualizer.app.forms.form_migration import MigratedText, migrate_moves
from visualizer.app.forms.game_form import ask_for_game, try_read_game
from visualizer.app.forms.player_form import FASTER_HELP, ask_for_player
from visualizer.app.state.large_trees import read_page_game
from visualizer.app.state.notices import show_lost_notice
from visualizer.app.state.url_params import (
    MAX_CELL_GAMES,
    MAX_OPENING_MOVES,
    MAX_SEED,
    PLAYER_SEPARATOR,
    MatchParams,
    TournamentParams,
    read_match_params,
    read_tournament_params,
)
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.player_messages import player_title

OFFERED_NUMBERS, OFFERED_DEPTHS = range(2, 9), (2, 4, 6)  # of players of a tournament
CONTENDERS_HELP = (
    "These players take the place of depths and algorithm: each plays against each. You can type others, such as "
    "`policy:hold=5`, `star2:depth=3` or `mcts:iterations=500,c=0.5`."
)
START_NAMES = {"max": "MAX", "min": "MIN", "random": "at random"}

OPENINGS_HELP = "Searches are deterministic. Without random openings all games of a cell are the same game, so it is played once."


def ask_for_players(playing: MatchParams, on_submit: Callable[[MatchParams], None]) -> None:
    """Ask for the game, the players and who starts. Call `on_submit` with the new game."""
    salt = str(replace(playing, moves=""))
    with st.container(key="ask"):
        left, right = st.columns(2, gap="medium")
        with left:
            text = ask_for_game(playing.game, salt)
            played = try_read_game(text)
        with right:
            asked = read_page_game(playing.game) if played is None else played
            sides = {side: ask_for_player(side, getattr(playing, f"{side}_player"), asked, salt) for side in SIDES}
            usual = _choose_start(playing.starts, playing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTING_SIDES, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            seed = _ask_for_seed(playing.seed, "Seed of the dice", salt) if has_chance(asked) else playing.seed
            wanted = MatchParams(text, "", "max", sides["max"], sides["min"], starts or "max", seed)
            wanted = replace(wanted, first=choose_starting_side(wanted.starts))
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
            text = ask_for_game(competing.game, salt)
            played = try_read_game(text)
            known = played is not None
            asked = played if known else read_page_game(competing.game)
            sizes, depths = _ask_for_boards(competing, text if known else competing.game, salt)
            players = _ask_for_contenders(competing, asked, salt)
        with right:
            one, two = st.columns(2, vertical_alignment="bottom")
            games = one.number_input("Games per cell", 1, MAX_CELL_GAMES, competing.games, key=f"games {salt}")
            drawn = has_chance(asked)
            before = 0 if drawn else competing.openings
            openings = two.number_input(
                "Random opening moves",
                0,
                MAX_OPENING_MOVES,
                before,
                key=f"openings {salt} {drawn}",
                help=OPENINGS_HELP,
                disabled=drawn,
            )
            usual = _choose_start(competing.starts, competing.game, played)
            starts = st.segmented_control(
                "Who starts", STARTING_SIDES, default=usual, format_func=START_NAMES.__getitem__, key=f"starts {salt} {usual}"
            )
            offered = list_suitable_algorithms(asked)
            now = competing.algorithm if competing.algorithm in offered else default_tournament_algorithm(asked)
            algorithm = st.selectbox(
                "Algorithm",
                offered,
                index=offered.index(now),
                format_func=lambda name: ALGORITHMS[name].title,
                key=f"algorithm {salt} {drawn}",
                disabled=bool(players),
            )
            seed = _ask_for_seed(competing.seed, "Random seed", salt)
            faster = st.toggle("Players prefer the faster win", competing.faster, key=f"faster {salt}", help=FASTER_HELP)
            wanted = TournamentParams(text, sizes, depths, games, openings, starts or "max", seed, algorithm, faster, players)
            wrong = read_tournament_params(wanted.parameters())[1] if known else ""
            if wrong:
                st.error(escape_page_markdown(wrong))
            pressed = st.button("Play", type="primary", disabled=bool(wrong) or not known, key=f"play {salt}")
    if pressed:
        on_submit(read_tournament_params(wanted.parameters())[0])


def _ask_for_contenders(competing: TournamentParams, game: Any, salt: str) -> str:
    """Ask for players that take the place of the depths. Return their texts."""
    alike = declared_name(game) == declared_name(read_page_game(competing.game))
    now = list(competing.named_players) if alike else []
    policies = [player_text(PolicyPlayer(policy, number)) for policy in list_policies(game) for number in OFFERED_NUMBERS]
    search = f"{default_tournament_algorithm(game)}:depth="
    searches = [] if has_leaf_values_only(game) else [f"{search}{depth}" for depth in OFFERED_DEPTHS]
    offered = dict.fromkeys([*now, *policies, *searches, "random", "mcts:iterations=200"])
    chosen = st.multiselect(
        "Players",
        list(offered),
        default=now,
        format_func=_describe_contender,
        accept_new_options=True,
        placeholder="One for each depth",
        key=f"players {salt} {declared_name(game)}",
        help=CONTENDERS_HELP,
    )
    return PLAYER_SEPARATOR.join(chosen)


def _describe_contender(text: str) -> str:
    """Return a player in words, or the text that is not one."""
    try:
        return player_title(read_player(text))
    except PlyscopeError:
        return text


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
    words = "How many moves the players look ahead, such as 1-4. Every depth plays against every depth."
    depths = two.text_input("Depths K", usual, key=f"depths {salt} {text if is_tree else ''}", help=words).strip()
    if sizes:
        st.caption(f"The games are played on square boards of sizes {escape_page_markdown(sizes)}, not on the board above.")
    if is_tree:
        st.caption("In a tree of numbers only the leaves have values: every player looks to the end, so one depth is enough.")
    return sizes, depths


def _ask_for_seed(seed: int, label: str, salt: str) -> int:
    """Ask for the seed of the random numbers."""
    return int(st.number_input(label, 0, MAX_SEED, seed, key=f"seed {salt}"))
