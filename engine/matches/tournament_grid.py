"""The grid of a tournament: its boards and search depths, and the games of its cells.

Every game is a `Fixture`: five texts that determine it. They are its key in a store. Searches are deterministic, so the
games of a cell are all the same unless they have random opening moves or a random starting side. Equal fixtures are played once
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
from engine.games.capabilities import has_leaf_values_only, has_single_digit_moves, plies_to_end, square_size
from engine.games.positions import SIDES, read_position, write_moves
from engine.games.protocol import MovesByCode
from engine.games.registry import find_game_type, game_text, has_options, list_games_with_options, read_game, replace_options
from engine.matches.match import STARTING_SIDES, choose_starting_side
from engine.matches.players import SearchPlayer, check_player, player_text

MAX_GAMES = 100_000  # different games of one grid
MAX_OPENING_ATTEMPTS = 100  # to find opening moves that do not end the game
DEFAULT_DEPTHS = (1, 2, 3, 4)
DEFAULT_GAMES = 3


class Fixture(NamedTuple):
    """A game to be played: everything that determines it, as text."""

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
    """The games to play. Every tuple is a dimension of the grid; depths and evaluations apply to either player."""

    game: str
    sizes: tuple[int, ...] = ()  # of square boards; none: the board of the game
    depths: tuple[int, ...] = DEFAULT_DEPTHS
    games: int = DEFAULT_GAMES  # per cell
    connect: tuple[int, ...] = ()  # in a row; none: as the game has it
    evaluations: tuple[str, ...] = ()  # none: the game's own
    algorithms: tuple[str, ...] = ("alphabeta",)
    starts: tuple[str, ...] = ("max",)  # max, min or random
    openings: int = 0  # random plies before the players take over
    seed: int = 0
    prefer_faster_win: bool = False


def default_sizes(game: Any) -> str:
    """Return the default board sizes, as text. An empty text stands for the board of the game.

    >>> from engine import preset
    >>> default_sizes(preset("connect-m")), default_sizes(preset("connect-m", size=5))
    ('3-6', '')
    """
    kind = find_game_type(game)
    return kind.sizes or "" if kind is not None and game_text(game) == kind.name else ""


def default_tournament_depths(game: Any) -> str:
    """Return the default depths, as text. In a literal tree all players search to the end.

    >>> from engine import literal, nim
    >>> default_tournament_depths(nim([3, 4, 5])), default_tournament_depths(literal([[1, 2], [3, 4]]))
    ('1-4', '2')
    """
    if has_leaf_values_only(game):
        return str(max(1, plies_to_end(game, game.start())))
    return f"{DEFAULT_DEPTHS[0]}-{DEFAULT_DEPTHS[-1]}"


@dataclass(frozen=True)
class Cell:
    """A cell of the grid: a game and its two players."""

    size: int | None  # of a square board
    game: str
    depth1: int  # of player 1, MAX
    depth2: int  # of player 2, MIN
    evaluation1: str
    evaluation2: str
    algorithm: str
    starts: str


@dataclass(frozen=True)
class CellPlan(Cell):
    """A cell with the games to be played."""

    fixtures: Counter[Fixture]  # how often each counts


def plan_cells(grid: Grid) -> list[CellPlan]:
    """Return the cells, in order. Raise an error for everything that is wrong with the grid."""
    _check_grid(grid)
    boards = [_choose_board(grid, size, connect) for size, connect in product(grid.sizes or (None,), grid.connect or (None,))]
    either = list(product(grid.evaluations or ("",), repeat=2))
    planned = []
    for (size, game), (one, two), algorithm, starts in product(boards, either, grid.algorithms, grid.starts):
        openings = _draw_openings(grid, game, starts)
        for depth1, depth2 in product(grid.depths, repeat=2):
            players = [
                SearchPlayer(depth, algorithm, evaluation, prefer_faster_win=grid.prefer_faster_win)
                for depth, evaluation in ((depth1, one), (depth2, two))
            ]
            for player, side in zip(players, SIDES, strict=True):
                check_player(player, read_game(game), side)
            text1, text2 = map(player_text, players)
            fixtures = Counter({Fixture(game, text1, text2, *opening): times for opening, times in openings.items()})
            planned.append(CellPlan(size, game, depth1, depth2, one, two, algorithm, starts, fixtures))
    return planned


def _check_grid(grid: Grid) -> None:
    if not is_whole(grid.games) or grid.games < 1:
        raise BadLimit(f"{grid.games!r} games in a cell: at least 1 is needed")
    if not is_whole(grid.openings) or not 0 <= grid.openings <= 1000:
        raise BadLimit(f"{grid.openings!r} random opening moves: 0 to 1,000 are possible")
    if not grid.depths:
        raise BadLimit("no depths: at least one is needed")
    if not grid.algorithms or not grid.starts:
        raise BadLimit("a tournament needs an algorithm and a starting side: name at least one of each")
    for starts in grid.starts:
        if starts not in STARTING_SIDES:
            raise UnknownName("starting side", starts, STARTING_SIDES)
    lists = (grid.sizes, grid.connect, grid.algorithms, grid.starts)
    cells = max(1, len(grid.evaluations)) ** 2 * len(grid.depths) ** 2
    for chosen in lists:
        cells *= max(1, len(chosen))
    different = cells * (grid.games if grid.openings or "random" in grid.starts else 1)
    if different > MAX_GAMES:
        raise BadLimit(
            f"{different:,} games to play: the maximum is {MAX_GAMES:,}, so choose a smaller grid or fewer games per cell"
        )


def _choose_board(grid: Grid, size: int | None, connect: int | None) -> tuple[int | None, str]:
    """Return the size and the text of the game on one of the boards."""
    game = read_game(grid.game)
    square = () if size is None or (kind := find_game_type(game)) is None else kind.square
    changes = dict.fromkeys(square, str(size))
    if connect is not None:
        changes["connect"] = str(connect)
    if not has_options(game, changes) or (size is not None and not square):
        lines = list_games_with_options(["connect"])
        raise PlyscopeError(f"{grid.game[:60]} has only one board: {lines} can have other sizes and line lengths")
    game = replace_options(game, changes)
    return square_size(game) if size is None else size, game_text(game)


def _draw_openings(grid: Grid, game: str, starts: str) -> Counter[tuple[str, str]]:
    """Draw who starts and the opening moves of the games of a cell. They are the same for all depths, so that cells can be
    compared.
    """
    if not grid.openings and starts != "random":
        return Counter({(starts, ""): grid.games})
    firsts = [choose_starting_side(starts, f"{grid.seed}:{number}") for number in range(grid.games)]
    return Counter((first, _draw_opening(grid, game, first, number)) for number, first in enumerate(firsts))


def _draw_opening(grid: Grid, text: str, first: str, number: int) -> str:
    """Draw random moves that do not end the game. Moves are sorted first, so the child order does not matter."""
    game = read_game(text)
    for attempt in range(MAX_OPENING_ATTEMPTS):
        chance = Random(f"opening {grid.seed}:{number}:{attempt}")  # noqa: S311 - no secret
        state = read_position(game, None, first)
        moves: list[int] = []
        while len(moves) < grid.openings and not game.is_over(state):
            replies = MovesByCode(game, state).moves
            moves.append(chance.choice(sorted(replies)))
            state = game.play(state, replies[moves[-1]])
        if not game.is_over(state):
            return write_moves(moves, has_single_digit_moves(game))
    raise BadLimit(f"{grid.openings} random opening moves end every game of {text[:60]}: choose fewer")
