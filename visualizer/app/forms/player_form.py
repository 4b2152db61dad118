"""The form that asks for a player of a match: a person, random moves, a policy of the game, a search, or the solver."""

from typing import Any

import streamlit as st

from engine.algorithms import find_algorithm
from engine.algorithms.monte_carlo.options import ITERATIONS
from engine.games.capabilities import default_depth, has_leaf_values_only
from engine.games.chance_outcomes import has_chance
from engine.games.policies import list_policies
from engine.matches.players import (
    HumanPlayer,
    PerfectPlayer,
    PolicyPlayer,
    RandomPlayer,
    SearchPlayer,
    player_text,
    read_player,
)
from engine.searcher import default_algorithm, list_suitable_algorithms
from visualizer.app.state.url_params import MAX_PLAYER_PLIES

MAX_PLAYER_ITERATIONS = 100_000  # of a player on a page, unless its link says otherwise
MAX_POLICY_NUMBER = 1_000
PLAYER_KINDS = {
    "human": "you",
    "random": "random moves",
    "search": "a search",
    "policy": "a rule of thumb",
    "perfect": "the solver (perfect)",
}
SIMPLE_PLAYERS = {
    "human": player_text(HumanPlayer()),
    "random": player_text(RandomPlayer()),
    "perfect": player_text(PerfectPlayer()),
}
FASTER_HELP = (
    "The textbook search scores every win the same, so it may win later than it could. "
    "With this option it prefers the faster win."
)


def ask_for_player(side: str, current: str, game: Any, salt: str) -> str:
    """Ask for the player of a side. Return it as text."""
    kinds = [kind for kind in PLAYER_KINDS if kind != "policy" or list_policies(game)]
    here = current.partition(":")[0]
    kind = st.selectbox(
        f"{side.upper()} is played by",
        kinds,
        index=kinds.index(here if here in kinds else "search"),
        format_func=PLAYER_KINDS.__getitem__,
        key=f"{side} {salt} {len(kinds)}",
    )
    player = read_player(current)
    if kind == "policy":
        return _ask_for_policy(side, player, game, salt)
    if kind == "search":
        return _ask_for_search(side, player, game, salt)
    return current if kind == here else SIMPLE_PLAYERS[kind]


def _ask_for_policy(side: str, player: Any, game: Any, salt: str) -> str:
    """Ask for a policy of the game and its number."""
    policies = list_policies(game)
    now = player if isinstance(player, PolicyPlayer) and player.policy in policies else PolicyPlayer(next(iter(policies)), 5)
    left, right = st.columns(2)
    policy = left.selectbox("Rule", list(policies), index=list(policies).index(now.policy), key=f"{side} policy {salt}")
    number = right.number_input("at", 1, MAX_POLICY_NUMBER, now.number, key=f"{side} number {salt}", help=policies[policy])
    return player_text(PolicyPlayer(policy, number))


def _ask_for_search(side: str, player: Any, game: Any, salt: str) -> str:
    """Ask for an algorithm that can search the game, and for its depth or its iterations."""
    offered, with_chance = list_suitable_algorithms(game, with_iterations=True), has_chance(game)
    search = player if isinstance(player, SearchPlayer) else SearchPlayer(prefer_faster_win=not with_chance)
    usual = search.algorithm if search.algorithm in offered else default_algorithm(game)[0]
    left, right = st.columns([1, 2])  # the names of algorithms are long
    algorithm = right.selectbox(
        "by",
        offered,
        index=offered.index(usual),
        format_func=lambda name: find_algorithm(name).title,
        key=f"{side} algorithm {salt}{' with chance' if with_chance else ''}",
    )
    if find_algorithm(algorithm).iterate is not None:
        now = search.options.get(ITERATIONS.name, ITERATIONS.default)
        most = max(now, MAX_PLAYER_ITERATIONS)
        iterations = left.number_input(
            "Iterations", 1, most, now, step=100, key=f"{side} iterations {salt}", help=ITERATIONS.line
        )
        return player_text(search.replace(algorithm=algorithm, iterations=iterations))
    depth = None
    if has_leaf_values_only(game):
        left.caption("Searches to the end: only leaves have values.")
    else:
        same = search.algorithm in offered and not search.iterates
        now = min((search.depth if same else default_depth(game)) or MAX_PLAYER_PLIES, MAX_PLAYER_PLIES)
        depth = left.slider("Depth K (moves ahead)", 1, MAX_PLAYER_PLIES, now, key=f"{side} K {salt} {same}")
    faster = False
    if not with_chance:
        label, now = "Prefers the faster win", search.prefer_faster_win or search.iterates
        faster = st.toggle(label, now, key=f"{side} faster {salt}", help=FASTER_HELP) and not search.as_published
    return player_text(search.replace(depth=depth, algorithm=algorithm, prefer_faster_win=faster))
