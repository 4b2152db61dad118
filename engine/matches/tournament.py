"""Tournaments: the games of a grid, player 1 (MAX) against player 2 (MIN), and what came out of them.

>>> cells = Tournament(Grid("connect-m", sizes=(3,), depths=(1, 2))).run().cells()
>>> [(cell.depth1, cell.depth2, cell.wins1, cell.wins2, cell.draws) for cell in cells]
[(1, 1, 0, 3, 0), (1, 2, 0, 3, 0), (2, 1, 0, 0, 3), (2, 2, 0, 0, 3)]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import NamedTuple, Protocol

from engine.core.errors import BadGame
from engine.games.registry import read_game
from engine.matches.match import Match
from engine.matches.players import OnProgress, read_player
from engine.matches.tournament_grid import Fixture, Grid, Plan, plans

MOST_MOVES = 1000  # of one game between two searches


class Played(NamedTuple):
    """A game that was played to its end."""

    fixture: Fixture
    moves: str  # all of them, the opening included, as a position that the game reads
    winner: str  # "max", "min", or "" for a draw
    seconds: float


class Games(Protocol):
    """Where finished games are kept: see store.py."""

    def games(self) -> Iterable[Played]: ...
    def add(self, played: Played) -> None: ...


def play_out(fixture: Fixture) -> Played:
    """Play a game to its end."""
    return play_on(fixture, None)  # type: ignore[return-value] # nothing stops it


def play_on(fixture: Fixture, on_progress: OnProgress) -> Played | None:
    """Play a game to its end; None if `on_progress`, which hears of the nodes of each search, stopped it."""
    began = time.perf_counter()
    match = match_of(fixture, fixture.opening)
    while not match.over:
        choice = match.choose(on_progress)
        if choice is None:
            return None
        match = match.play(choice.move)
        if len(match.moves) > MOST_MOVES:
            raise BadGame(
                f"a game has gone on for {MOST_MOVES:,} moves without an end: let is_over() be true at some point, say where a "
                "position comes again"
            )
    return Played(fixture, match.position or "", match.outcome.winner, time.perf_counter() - began)  # type: ignore[union-attr]


def match_of(fixture: Fixture, position: str) -> Match:
    """The match of a fixture at a position, such as a part of its moves: `choose()` is the search that chose the next one."""
    players = (read_player(fixture.max_player), read_player(fixture.min_player))
    return Match.read(read_game(fixture.game), position, fixture.first, *players)


def here(fixtures: list[Fixture]) -> Generator[Played]:
    """Play one game after the other."""
    yield from map(play_out, fixtures)


Runner = Callable[[list[Fixture]], Generator[Played]]


class CellGame(NamedTuple):
    """A game of a cell, and how often it counts."""

    fixture: Fixture
    moves: str
    winner: str
    times: int


class Cell(NamedTuple):
    """A cell of the grid when all its games have been played."""

    size: int | None
    game: str
    depth1: int
    depth2: int
    evaluation1: str
    evaluation2: str
    algorithm: str
    starts: str
    wins1: int
    wins2: int
    draws: int
    games: list[CellGame]

    @property
    def repeated(self) -> bool:
        """Whether games were counted more than once."""
        return any(game.times > 1 for game in self.games)


class Tournament:
    """A grid and what has been played of it so far; `run` plays the rest."""

    def __init__(self, grid: Grid, store: Games | None = None):
        self.grid = grid
        self.plans = plans(grid)
        self.fixtures = list(dict.fromkeys(fixture for plan in self.plans for fixture in plan.fixtures))
        self.played: dict[Fixture, Played] = {}
        self._store = store
        if store is not None:
            wanted = set(self.fixtures)
            self.played = {played.fixture: played for played in store.games() if played.fixture in wanted}

    @property
    def left(self) -> list[Fixture]:
        """The games that have not been played yet."""
        return [fixture for fixture in self.fixtures if fixture not in self.played]

    def run(self, run_games: Runner = here, on_game: Callable[[Played], object] | None = None) -> Tournament:
        """Play what is left, each game kept before the next. `run_games` says where: here, or as in executors.py.

        `on_game` hears of each, and stops the tournament by returning False; what has been played stays.
        """
        left = self.left
        if not left:
            return self
        with closing(run_games(left)) as games:
            for played in games:
                self.played[played.fixture] = played
                if self._store is not None:
                    self._store.add(played)
                if on_game is not None and on_game(played) is False:
                    break
        return self

    def cells(self) -> list[Cell]:
        """The cells whose games have all been played."""
        return [self._cell(plan) for plan in self.plans if all(fixture in self.played for fixture in plan.fixtures)]

    def _cell(self, plan: Plan) -> Cell:
        games = []
        for fixture, times in plan.fixtures.items():
            played = self.played[fixture]
            games.append(CellGame(fixture, played.moves, played.winner, times))
        won = {side: sum(game.times for game in games if game.winner == side) for side in ("max", "min", "")}
        return Cell(*plan[:-1], won["max"], won["min"], won[""], games)


def why_repeated(games: int) -> str:
    """Why the games of a cell are one game."""
    return (
        f"Both players are deterministic, so the {games} games of a cell are one game: "
        f"it is played once and counted {games} times."
    )
