"""One search, three pages: what Step, Compare and Play show, as parts of each other's addresses.

Everything that comes out of here is checked where the page reads its address.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine import Question
from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import contender
from engine.analysis.alignment import FULL
from engine.analysis.comparison import COMPARED
from engine.analysis.node_estimate import foresee, most_nodes
from engine.core.parsing import plies
from engine.games.capabilities import default_depth, only_leaves_count, other_positions, searcher_is_max, single_digits
from engine.games.positions import read_moves, read_position
from engine.matches.match import usual_first
from engine.matches.players import SearchPlayer, by_key, player_text, read_player
from visualizer.app.forms.form_migration import carried_depths
from visualizer.app.state.large_trees import game_on_page, text_on_page
from visualizer.app.state.url_params import MOST_PLIES, Playing, parameters_of, usual_depths
from visualizer.pool.pool import the_pool

Address = dict[str, str]
NOT_SHARED = ("algorithm", "depth")
FOR_ALL = ALGORITHMS[FULL].options  # options of a comparison; others are an algorithm's own


def same_place(one: Question, other: Question) -> bool:
    """Whether two searches are of the same position, by the same rules; K, the algorithm and its own options may differ."""
    return _place(one) == _place(other)


def _place(search: Question) -> tuple[Any, ...]:
    state = read_position(search.game, search.position, search.first)
    rules = [(option.name, value) for option, value in search.chosen if option in FOR_ALL]
    return search.game, search.position_text, state, rules


def to_step(search: Question, last: Mapping[str, str]) -> Address:
    """The address of Step for this position, with the algorithm and K that it had, where they make sense."""
    kept = {name: last[name] for name in ("algorithm", "depth") if name in last}
    if "depth" in kept and "game" in last:
        before, usual = game_on_page(last["game"]), plies(default_depth(search.game))
        kept["depth"] = carried_depths(kept["depth"], before, search.game, search.position_text or "", usual).text
    return {**_shared(search), **kept}


def to_compare(search: Question, last: Mapping[str, str]) -> Address:
    """The address of Compare for this position, with the depths and algorithms that it had, where they make sense; before it had
    any, the algorithm of the search is set against the usual ones."""
    kept = {name: last[name] for name in ("depths", "repeat", "algorithms") if name in last}
    if "algorithms" not in kept and (own := _contender(search)) not in COMPARED:
        kept["algorithms"] = ",".join([*COMPARED, own])
    if "depths" in kept and "game" in last:
        before, game = game_on_page(last["game"]), search.game
        kept["depths"] = carried_depths(kept["depths"], before, game, search.position_text or "", usual_depths(game)).text
    return {**_shared(search), **kept}


def _contender(search: Question) -> str:
    """The algorithm of a search with its own options."""
    return contender(search.algorithm, **{option.name: value for option, value in search.chosen if option not in FOR_ALL}).text


def _shared(search: Question) -> Address:
    own = {option.key for option, _ in search.chosen if option not in FOR_ALL}
    return {name: text for name, text in parameters_of(search).items() if name not in NOT_SHARED and name not in own}


def to_play(search: Question) -> Address | None:
    """A game that goes on from this position against this search; None if it has no moves to go on from.

    The person is the side that does not search: MIN where the computer is MAX in a preset, else MAX.

    >>> from engine import preset
    >>> to_play(Question(preset("k-tables"), "3", depth=3))
    {'game': 'k-tables', 'moves': '3', 'first': 'max', 'max': 'human', 'min': 'search:depth=3,faster'}
    """
    game, moves = search.game, search.position_text or ""
    if moves.startswith(tuple(other_positions(game))):
        return None
    plays_max = searcher_is_max(game)
    text = player_text(_player(search, game))
    players = (text, "human") if plays_max else ("human", text)
    odd = plays_max and len(read_moves(moves, single_digits(game))) % 2
    first = search.first or ("min" if odd else usual_first(game))
    return Playing(text_on_page(game), moves, first, *players, starts=first).parameters()


def _player(search: Question, game: Any) -> SearchPlayer:
    """A player as deep as the search, so far as a page plays."""
    deep = default_depth(game) if search.depth is None else min(max(search.depth, 1), MOST_PLIES)
    return SearchPlayer(
        None if only_leaves_count(game) else _deepest(search.replace(depth=deep), the_pool().limits.nodes),
        search.algorithm,
        prefer_faster_win=not search.options.get("as_published", False),
        **by_key(search.algorithm, search.options),
    )


@lru_cache(maxsize=200)
def _deepest(search: Question, max_nodes: int) -> int | None:
    """Return the depth of a search or, where it would take more than `max_nodes`, the largest that does not."""
    depth = search.depth
    while depth is not None and depth > 1 and most_nodes(search.game, depth) > max_nodes:
        if foresee(search.replace(depth=depth)).nodes <= max_nodes:
            break
        depth -= 1
    return depth


def from_play(playing: Playing) -> Question:
    """The position of a game as a search, as deep as its computer player looks."""
    game = game_on_page(playing.game)
    search = Question(game, playing.moves or None, default_depth(game), first=playing.first)
    for text in (playing.max_player, playing.min_player):
        if isinstance(player := read_player(text), SearchPlayer):
            return player.asks(search).replace(game=game)
    return search
