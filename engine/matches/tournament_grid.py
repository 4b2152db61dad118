"""What a tournament is to play: a grid of boards and search depths, and the games of its cells.

Every game is a `Fixture`: five texts that determine it completely, and so its key in a store. Searches are deterministic: the
games of a cell are all the same, unless random opening moves or a random start tell them apart. Equal fixtures are played once
and counted as often as they occur.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any, NamedTuple

import msgspec

from engine.core.errors import BadLimit, PlyscopeError, UnknownName
from engine.core.parsing import is_whole
from engine.games.capabilities import only_leaves_count, plies_to_end, single_digits, square_size
from engine.games.positions import SIDES, read_position, write_moves
from engine.games.protocol import Replies
from engine.games.registry import game_text, games_with, has_options, kind_for, read_game, with_options
from engine.matches.match import STARTS, starting_side
from engine.matches.players import SearchPlayer, check_player, player_text

MOST_GAMES = 100_000  # different games of one grid
ATTEMPTS = 100  # to find opening moves that do not end the game
DEPTHS = (1, 2, 3, 4)
GAMES = 3


class Fixture(NamedTuple):
    """A game to be played: all that determines it, as text."""

    game: str
    max_player: str
    min_player: str
    first: str  # the side that starts
    opening: str  # moves made before the players take over

    @property
    def key(self) -> str:
        return msgspec.json.encode(self).decode()


@dataclass(frozen=True)
class Grid:
    """What is to be played. Every list is a dimension of the grid; depths and evaluations are those of either player."""

    game: str
    sizes: tuple[int, ...] = ()  # of square boards; none: the board of the game
    depths: tuple[int, ...] = DEPTHS
    games: int = GAMES  # per cell
    connect: tuple[int, ...] = ()  # in a line; none: as the game has it
    evaluations: tuple[str, ...] = ()  # none: the game's own
    algorithms: tuple[str, ...] = ("alphabeta",)
    starts: tuple[str, ...] = ("max",)  # max, min or random
    openings: int = 0  # random plies before the players take over
    seed: int = 0
    prefer_faster_win: bool = False


def usual_sizes(game: Any) -> str:
    """The sizes of boards to play on, as text, where none are asked for; empty: the board of the game.

    >>> from engine import preset
    >>> usual_sizes(preset("connect-m")), usual_sizes(preset("connect-m", size=5))
    ('3-6', '')
    """
    kind = kind_for(game)
    return kind.sizes or "" if kind is not None and game_text(game) == kind.name else ""


def usual_tournament_depths(game: Any) -> str:
    """The depths to play with, as text, where none are asked for. In a literal tree all players look to the end.

    >>> from engine import literal, nim
    >>> usual_tournament_depths(nim([3, 4, 5])), usual_tournament_depths(literal([[1, 2], [3, 4]]))
    ('1-4', '2')
    """
    if only_leaves_count(game):
        return str(max(1, plies_to_end(game, game.start())))
    return f"{DEPTHS[0]}-{DEPTHS[-1]}"


class Plan(NamedTuple):
    """A cell of the grid before it is played."""

    size: int | None
    game: str
    depth1: int
    depth2: int
    evaluation1: str
    evaluation2: str
    algorithm: str
    starts: str
    fixtures: Counter[Fixture]  # each with how often it counts


def plans(grid: Grid) -> list[Plan]:
    """The cells, in order; everything that is wrong with the grid is said here."""
    _check(grid)
    boards = [_board(grid, size, connect) for size, connect in product(grid.sizes or (None,), grid.connect or (None,))]
    either = list(product(grid.evaluations or ("",), repeat=2))
    planned = []
    for (size, game), (one, two), algorithm, starts in product(boards, either, grid.algorithms, grid.starts):
        openings = _openings(grid, game, starts)
        for depth1, depth2 in product(grid.depths, repeat=2):
            players = [
                SearchPlayer(depth, algorithm, evaluation, prefer_faster_win=grid.prefer_faster_win)
                for depth, evaluation in ((depth1, one), (depth2, two))
            ]
            for player, side in zip(players, SIDES, strict=True):
                check_player(player, read_game(game), side)
            text1, text2 = map(player_text, players)
            fixtures = Counter({Fixture(game, text1, text2, *opening): times for opening, times in openings.items()})
            planned.append(Plan(size, game, depth1, depth2, one, two, algorithm, starts, fixtures))
    return planned


def _check(grid: Grid) -> None:
    if not is_whole(grid.games) or grid.games < 1:
        raise BadLimit(f"{grid.games!r} games in a cell: at least 1 is needed")
    if not is_whole(grid.openings) or not 0 <= grid.openings <= 1000:
        raise BadLimit(f"{grid.openings!r} random opening moves: 0 to 1,000 are possible")
    if not grid.depths:
        raise BadLimit("no depths: at least one is needed")
    if not grid.algorithms or not grid.starts:
        raise BadLimit("a tournament needs an algorithm and a starting side: name at least one of each")
    for starts in grid.starts:
        if starts not in STARTS:
            raise UnknownName("starting side", starts, STARTS)
    lists = (grid.sizes, grid.connect, grid.algorithms, grid.starts)
    cells = max(1, len(grid.evaluations)) ** 2 * len(grid.depths) ** 2
    for chosen in lists:
        cells *= max(1, len(chosen))
    different = cells * (grid.games if grid.openings or "random" in grid.starts else 1)
    if different > MOST_GAMES:
        raise BadLimit(f"{different:,} games to play: {MOST_GAMES:,} are the most, so narrow the grid or play fewer per cell")


def _board(grid: Grid, size: int | None, connect: int | None) -> tuple[int | None, str]:
    """The text of the game on one of the boards."""
    game = read_game(grid.game)
    square = () if size is None or (kind := kind_for(game)) is None else kind.square
    changes = dict.fromkeys(square, str(size))
    if connect is not None:
        changes["connect"] = str(connect)
    if not has_options(game, changes) or (size is not None and not square):
        lines = games_with(["connect"])
        raise PlyscopeError(f"{grid.game[:60]} has one board only: sizes and lengths of lines are for {lines}")
    game = with_options(game, changes)
    return square_size(game) if size is None else size, game_text(game)


def _openings(grid: Grid, game: str, starts: str) -> Counter[tuple[str, str]]:
    """Who starts and the opening moves of the games of a cell: the same for all depths, so that cells can be compared."""
    if not grid.openings and starts != "random":
        return Counter({(starts, ""): grid.games})
    firsts = [starting_side(starts, f"{grid.seed}:{number}") for number in range(grid.games)]
    return Counter((first, _opening(grid, game, first, number)) for number, first in enumerate(firsts))


def _opening(grid: Grid, text: str, first: str, number: int) -> str:
    """Random moves that do not end the game. Sorted, so that the child order has no part in them."""
    game = read_game(text)
    for attempt in range(ATTEMPTS):
        chance = Random(f"opening {grid.seed}:{number}:{attempt}")  # noqa: S311 - no secret
        state = read_position(game, None, first)
        moves: list[int] = []
        while len(moves) < grid.openings and not game.is_over(state):
            replies = Replies(game, state).moves
            moves.append(chance.choice(sorted(replies)))
            state = game.play(state, replies[moves[-1]])
        if not game.is_over(state):
            return write_moves(moves, single_digits(game))
    raise BadLimit(f"{grid.openings} random opening moves end every game of {text[:60]}: give fewer")
