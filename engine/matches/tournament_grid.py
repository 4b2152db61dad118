"""The grid of a tournament: its boards and search depths, and the games of its cells.

Every game is a `Fixture`: everything that determines it. It is the key of the game in a store. Searches are deterministic, so
the games of a cell are all the same unless they have random opening moves, a random starting side, dice, or players with random
numbers. Equal fixtures are played once and counted as often as they occur.
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
from engine.games.chance_outcomes import has_chance
from engine.games.positions import SIDES, read_position, write_moves
from engine.games.protocol import MovesByCode
from engine.games.registry import find_game_type, game_text, has_options, list_games_with_options, read_game, replace_options
from engine.matches.match import STARTING_SIDES, choose_starting_side
from engine.matches.players import (
    HumanPlayer,
    Player,
    SearchPlayer,
    check_player,
    has_random_numbers,
    player_text,
    read_player,
    read_players,
    seed_player,
)
from engine.searcher import default_algorithm

MAX_GAMES = 100_000  # different games of one grid
MAX_OPENING_ATTEMPTS = 100  # to find opening moves that do not end the game
DEFAULT_DEPTHS = (1, 2, 3, 4)
DEFAULT_GAMES = 3


class Fixture(NamedTuple):
    """A game to be played: everything that determines it."""

    game: str
    max_player: str
    min_player: str
    first: str  # the side that starts
    opening: str  # moves made before the players take over
    dice: int = 0  # the seed of chance; stores of games without dice do not have it

    @property
    def key(self) -> str:
        return msgspec.json.encode(self if self.dice else self[:-1]).decode()


class GameStart(NamedTuple):
    """The beginning of a game of a cell."""

    first: str
    opening: str
    dice: int


@dataclass(frozen=True)
class Grid:
    """The games to play. Every tuple is a dimension of the grid; depths and evaluations apply to either player.

    If `players` are named, they take the place of depths, evaluations and algorithms: each plays against each, and itself.
    """

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
    players: tuple[str, ...] = ()


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


def default_tournament_algorithm(game: Any) -> str:
    """Return the algorithm of the players if none is named.

    >>> from engine import chance, literal, preset
    >>> default_tournament_algorithm(preset("k-tables")), default_tournament_algorithm(literal([chance((1, 2))]))
    ('alphabeta', 'expectiminimax')
    """
    return default_algorithm(game)[0] if has_chance(game) else Grid.algorithms[0]


@dataclass(frozen=True)
class Cell:
    """A cell of the grid: a game and its two players. Depths are None, and other settings empty, if the players are named."""

    size: int | None  # of a square board
    game: str
    depth1: int | None  # of player 1, MAX
    depth2: int | None  # of player 2, MIN
    evaluation1: str
    evaluation2: str
    algorithm: str
    starts: str
    player1: str
    player2: str


@dataclass(frozen=True)
class CellPlan(Cell):
    """A cell with the games to be played."""

    fixtures: Counter[Fixture]  # how often each counts


def plan_cells(grid: Grid) -> list[CellPlan]:
    """Return the cells, in order. Raise an error for everything that is wrong with the grid."""
    _check_grid(grid)
    boards = [_choose_board(grid, size, connect) for size, connect in product(grid.sizes or (None,), grid.connect or (None,))]
    either = [("", "")] if grid.players else list(product(grid.evaluations or ("",), repeat=2))
    algorithms = ("",) if grid.players else grid.algorithms
    planned = []
    for (size, game), (evaluation1, evaluation2), algorithm, starts in product(boards, either, algorithms, grid.starts):
        begins = _draw_starts(grid, game, starts)
        contenders = [_list_contenders(grid, algorithm, evaluation) for evaluation in (evaluation1, evaluation2)]
        for (depth1, one), (depth2, two) in product(*contenders):
            for player, side in zip((one, two), SIDES, strict=True):
                check_player(player, read_game(game), side)
            fixtures = _plan_fixtures(game, one, two, begins)
            texts = (evaluation1, evaluation2, algorithm, starts, player_text(one), player_text(two))
            planned.append(CellPlan(size, game, depth1, depth2, *texts, fixtures))
    return planned


def _list_contenders(grid: Grid, algorithm: str, evaluation: str) -> list[tuple[int | None, Player]]:
    """Return the players of one side, with their depths unless they are named."""
    if grid.players:
        return [(None, read_player(text)) for text in grid.players]
    return [
        (depth, SearchPlayer(depth, algorithm, evaluation, prefer_faster_win=grid.prefer_faster_win)) for depth in grid.depths
    ]


def _plan_fixtures(game: str, one: Player, two: Player, begins: list[GameStart]) -> Counter[Fixture]:
    """Return the games of a cell, and how often each counts. Random numbers of players differ from game to game."""
    if has_random_numbers(one) or has_random_numbers(two):
        seeded = ((player_text(seed_player(one, n)), player_text(seed_player(two, n)), begin) for n, begin in enumerate(begins))
        return Counter(Fixture(game, text1, text2, *begin) for text1, text2, begin in seeded)
    text1, text2 = player_text(one), player_text(two)
    return Counter({Fixture(game, text1, text2, *begin): times for begin, times in Counter(begins).items()})


def _check_grid(grid: Grid) -> None:
    if not is_whole(grid.games) or grid.games < 1:
        raise BadLimit(f"{grid.games!r} games in a cell: at least 1 is needed")
    if not is_whole(grid.openings) or not 0 <= grid.openings <= 1000:
        raise BadLimit(f"{grid.openings!r} random opening moves: 0 to 1,000 are possible")
    if not grid.depths:
        raise BadLimit("no depths: at least one is needed")
    if any(isinstance(player, HumanPlayer) for player in read_players(grid.players)):
        raise PlyscopeError("a person cannot play a tournament: name searches, policies or random moves")
    drawn = has_chance(read_game(grid.game))
    if drawn and grid.openings:
        raise BadLimit(f"no random opening moves where chance moves: the dice of {grid.game[:60]} make the games differ")
    if not grid.algorithms or not grid.starts:
        raise BadLimit("a tournament needs an algorithm and a starting side: name at least one of each")
    for starts in grid.starts:
        if starts not in STARTING_SIDES:
            raise UnknownName("starting side", starts, STARTING_SIDES)
    lists = (grid.sizes, grid.connect, grid.algorithms, grid.starts)
    cells = (len(grid.players) or max(1, len(grid.evaluations)) * len(grid.depths)) ** 2
    for chosen in lists:
        cells *= max(1, len(chosen))
    different = cells * (grid.games if grid.openings or "random" in grid.starts or drawn or grid.players else 1)
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


def _draw_starts(grid: Grid, game: str, starts: str) -> list[GameStart]:
    """Draw who starts, the opening moves and the dice of the games of a cell. They are the same for all players, so that
    cells can be compared.
    """
    drawn = has_chance(read_game(game))
    if not grid.openings and starts != "random" and not drawn:
        return [GameStart(starts, "", 0)] * grid.games
    firsts = [choose_starting_side(starts, f"{grid.seed}:{number}") for number in range(grid.games)]
    return [
        GameStart(first, _draw_opening(grid, game, first, number), grid.seed * MAX_GAMES + number if drawn else 0)
        for number, first in enumerate(firsts)
    ]


def _draw_opening(grid: Grid, text: str, first: str, number: int) -> str:
    """Draw random moves that do not end the game. Moves are sorted first, so the child order does not matter."""
    if not grid.openings:
        return ""
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
