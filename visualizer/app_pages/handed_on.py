"""One search, three pages: what Step, Compare and Play show, as parts of each other's addresses.

Everything that comes out of here is checked where the page reads its address.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.games.connect import LONG
from engine.games.literal import Literal
from engine.games.positions import read_moves
from engine.games.registry import read_game
from engine.matches.players import SearchPlayer, player_text, read_player
from engine.searcher import read_position
from engine.text_lists import plies
from visualizer.app_pages.addresses import MOST_PLIES, Playing, Setup, usual_depths
from visualizer.app_pages.carried import carried_depths

Address = dict[str, str]
SHARED = ("game", "moves", "first", "strict", "published")


def same_place(one: Setup, other: Setup) -> bool:
    """Whether two searches are of the same position, by the same rules; K and the algorithm may differ."""
    return _place(one) == _place(other)


def _place(setup: Setup) -> tuple[Any, ...]:
    state = read_position(read_game(setup.game), setup.moves or None, setup.first or None)
    return setup.game, setup.moves, state, setup.strict, setup.published


def to_step(search: Setup, last: Mapping[str, str]) -> Address:
    """The address of Step for this position, with the algorithm and K that it had, where they make sense."""
    kept = {name: last[name] for name in ("algorithm", "depth") if name in last}
    game = read_game(search.game)
    if "depth" in kept and "game" in last:
        before, usual = read_game(last["game"]), plies(game.default_depth)
        kept["depth"] = carried_depths(kept["depth"], before, game, search.moves, usual).text
    return {**_shared(search), **kept}


def to_compare(search: Setup, last: Mapping[str, str]) -> Address:
    """The address of Compare for this position, with the depths that it had, where they make sense."""
    kept = {name: last[name] for name in ("depths", "repeat") if name in last}
    if "depths" in kept and "game" in last:
        game = read_game(search.game)
        kept["depths"] = carried_depths(kept["depths"], read_game(last["game"]), game, search.moves, usual_depths(game)).text
    return {**_shared(search), **kept}


def _shared(search: Setup) -> Address:
    return {name: text for name, text in search.parameters().items() if name in SHARED}


def to_play(search: Setup) -> Address | None:
    """A game that goes on from this position against this search; None if it has no moves to go on from.

    The person is the side that does not search: MIN where the computer is MAX in a preset, else MAX.

    >>> to_play(Setup("k-tables", "3"))
    {'game': 'k-tables', 'moves': '3', 'first': 'max', 'max': 'human', 'min': 'search:depth=3,faster'}
    """
    if search.moves.startswith(LONG):
        return None
    game = read_game(search.game)
    plays_max = getattr(game, "searcher_is_max", False)
    text = player_text(_player(search, game))
    players = (text, "human") if plays_max else ("human", text)
    first = search.first or ("min" if plays_max and len(read_moves(search.moves, game.single_digits)) % 2 else "max")
    return Playing(search.game, search.moves, first, *players, starts=first).parameters()


def _player(search: Setup, game: Any) -> SearchPlayer:
    """A player as deep as the search, so far as a page plays."""
    deep = game.default_depth if search.depth is None else min(max(search.depth, 1), MOST_PLIES)
    return SearchPlayer(
        None if isinstance(game, Literal) else deep,
        search.algorithm,
        cut_on_equal=not search.strict,
        as_published=search.published,
        prefer_faster_win=not search.published,
    )


def from_play(playing: Playing) -> Setup:
    """The position of a game as a search, as deep as its computer player looks."""
    search = Setup(playing.game, playing.moves, playing.first, depth=read_game(playing.game).default_depth)
    for text in (playing.max_player, playing.min_player):
        if isinstance(player := read_player(text), SearchPlayer):
            published = player.as_published and bool(getattr(read_game(playing.game), "preset", ""))
            return replace(
                search,
                algorithm=player.algorithm,
                depth=player.depth,
                strict=not player.cut_on_equal,
                published=published,
            )
    return search
