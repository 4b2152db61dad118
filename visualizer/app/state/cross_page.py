"""One search on three pages: the URL parameters of Step, Compare and Play for the same position.

Each page checks them when it reads its URL.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine import Question
from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import make_variant
from engine.analysis.alignment import FULL_ALGORITHM
from engine.analysis.comparison import default_comparison
from engine.analysis.node_estimate import estimate_nodes, max_tree_nodes
from engine.core.parsing import depth_text
from engine.games.capabilities import (
    default_depth,
    has_leaf_values_only,
    has_single_digit_moves,
    is_searcher_max,
    position_prefixes,
)
from engine.games.positions import read_moves, read_position
from engine.matches.match import default_starting_side
from engine.matches.players import SearchPlayer, options_by_key, player_text, read_player
from visualizer.app.forms.form_migration import migrate_depths
from visualizer.app.state.large_trees import page_game_text, read_page_game
from visualizer.app.state.url_params import MAX_PLAYER_PLIES, MatchParams, default_depths, search_params
from visualizer.pool.pool import current_pool

UrlParams = dict[str, str]
MAX_PLAYER_NODES = 5_000_000  # of a move that Play preselects: nobody waits longer for the computer
UNSHARED_PARAMS = ("algorithm", "depth")
COMMON_OPTIONS = ALGORITHMS[FULL_ALGORITHM].options  # options of a comparison; others are an algorithm's own


def is_same_position(one: Question, other: Question) -> bool:
    """Return True if two searches have the same position and rules. K, the algorithm and its own options may differ."""
    return _position_key(one) == _position_key(other)


def _position_key(search: Question) -> tuple[Any, ...]:
    state = read_position(search.game, search.position, search.first)
    rules = [(option.name, value) for option, value in search.chosen if option in COMMON_OPTIONS]
    return search.game, search.position_text, state, rules


def step_page_params(search: Question, last: Mapping[str, str]) -> UrlParams:
    """Return the URL parameters of Step for this position, with its last algorithm and K, where they make sense."""
    params = {name: last[name] for name in ("algorithm", "depth") if name in last}
    if "depth" in params and "game" in last:
        before, usual = read_page_game(last["game"]), depth_text(default_depth(search.game))
        params["depth"] = migrate_depths(params["depth"], before, search.game, search.position_text or "", usual).text
    return {**_shared_params(search), **params}


def compare_page_params(search: Question, last: Mapping[str, str]) -> UrlParams:
    """Return the URL parameters of Compare for this position, with its last depths and algorithms, where they make sense.

    If it had none, the algorithm of the search is compared with the default ones.
    """
    params = {name: last[name] for name in ("depths", "repeat", "algorithms") if name in last}
    usual = default_comparison(search.game)
    if "algorithms" not in params and search.algorithm in ALGORITHMS and (own := _variant_text(search)) not in usual:
        params["algorithms"] = ",".join([*usual, own])
    if "depths" in params and "game" in last:
        before, game = read_page_game(last["game"]), search.game
        params["depths"] = migrate_depths(params["depths"], before, game, search.position_text or "", default_depths(game)).text
    return {**_shared_params(search), **params}


def _variant_text(search: Question) -> str:
    """Return the algorithm of a search with its own options, as text."""
    return make_variant(
        search.algorithm, **{option.name: value for option, value in search.chosen if option not in COMMON_OPTIONS}
    ).text


def _shared_params(search: Question) -> UrlParams:
    own = {option.key for option, _ in search.chosen if option not in COMMON_OPTIONS}
    return {name: text for name, text in search_params(search).items() if name not in UNSHARED_PARAMS and name not in own}


def play_page_params(search: Question) -> UrlParams | None:
    """Return the URL parameters of a game that starts from this position against this search; None if the position has no moves.

    The person is the side that does not search: MIN where the computer is MAX in a preset, else MAX.

    >>> from engine import preset
    >>> play_page_params(Question(preset("k-tables"), "3", depth=3))
    {'game': 'k-tables', 'moves': '3', 'first': 'max', 'max': 'human', 'min': 'search:depth=3,faster'}
    """
    game, moves = search.game, search.position_text or ""
    if moves.startswith(tuple(position_prefixes(game))):
        return None
    plays_max = is_searcher_max(game)
    text = player_text(_make_player(search, game))
    players = (text, "human") if plays_max else ("human", text)
    odd = plays_max and len(read_moves(moves, has_single_digit_moves(game))) % 2
    first = search.first or ("min" if odd else default_starting_side(game))
    return MatchParams(page_game_text(game), moves, first, *players, starts=first).parameters()


def _make_player(search: Question, game: Any) -> SearchPlayer:
    """Return a player as deep as the search, within the limits of the page."""
    deep = default_depth(game) if search.depth is None else min(max(search.depth, 1), MAX_PLAYER_PLIES)
    return SearchPlayer(
        None
        if has_leaf_values_only(game)
        else _find_affordable_depth(search.replace(depth=deep), min(MAX_PLAYER_NODES, current_pool().limits.nodes)),
        search.algorithm,
        prefer_faster_win=not search.options.get("as_published", False),
        **options_by_key(search.algorithm, search.options),
    )


@lru_cache(maxsize=200)
def _find_affordable_depth(search: Question, max_nodes: int) -> int | None:
    """Return the depth of a search or, where it would take more than `max_nodes`, the largest that does not."""
    depth = search.depth
    while depth is not None and depth > 1 and max_tree_nodes(search.game, depth) > max_nodes:
        if estimate_nodes(search.replace(depth=depth)).nodes <= max_nodes:
            break
        depth -= 1
    return depth


def question_from_match(playing: MatchParams) -> Question:
    """Return the position of a game as a search, as deep as its computer player looks."""
    game = read_page_game(playing.game)
    search = Question(game, playing.moves or None, default_depth(game), first=playing.first)
    for text in (playing.max_player, playing.min_player):
        if isinstance(player := read_player(text), SearchPlayer):
            return player.make_question(search).replace(game=game)
    return search
