"""Tournaments: the games of a grid, player 1 (MAX) against player 2 (MIN), and their results.

>>> cells = Tournament(Grid("connect-m", sizes=(3,), depths=(1, 2))).run().cells()
>>> [(cell.depth1, cell.depth2, cell.wins1, cell.wins2, cell.draws) for cell in cells]
[(1, 1, 0, 3, 0), (1, 2, 0, 3, 0), (2, 1, 0, 0, 3), (2, 2, 0, 0, 3)]
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from engine.core.errors import BadGame
from engine.games.registry import read_game
from engine.matches.match import Match
from engine.matches.players import OnProgress, read_player
from engine.matches.tournament_grid import Cell, CellPlan, Fixture, Grid, plan_cells

MAX_GAME_MOVES = 1000  # of one game


class PlayedGame(NamedTuple):
    """A game that was played to its end."""

    fixture: Fixture
    moves: str  # all moves with the opening, as a position that the game reads
    winner: str  # "max", "min", or "" for a draw
    seconds: float


class GameArchive(Protocol):
    """A place where finished games are stored: see game_store.py."""

    def games(self) -> Iterable[PlayedGame]: ...
    def add(self, played: PlayedGame) -> None: ...


def play_game(fixture: Fixture) -> PlayedGame:
    """Play a game to its end."""
    return play_game_until_stopped(fixture, None)  # type: ignore[return-value] # nothing stops it


def play_game_until_stopped(fixture: Fixture, on_progress: OnProgress) -> PlayedGame | None:
    """Play a game to its end. `on_progress` gets the nodes of each search; return None if it stopped the game."""
    began = time.perf_counter()
    match = make_match(fixture, fixture.opening)
    while not match.is_finished:
        choice = match.choose(on_progress)
        if choice is None:
            return None
        match = match.play(choice.move)
        if len(match.moves) > MAX_GAME_MOVES:
            raise BadGame(
                f"a game has not ended after {MAX_GAME_MOVES:,} moves: let is_over() be true at some point, "
                "for example when a position repeats"
            )
    return PlayedGame(fixture, match.position or "", match.outcome.winner, time.perf_counter() - began)  # type: ignore[union-attr]


def make_match(fixture: Fixture, position: str) -> Match:
    """Return the match of a fixture at a position, such as a part of its moves. Its `choose()` is the search that chose the
    next one.
    """
    players = (read_player(fixture.max_player), read_player(fixture.min_player))
    return Match.read(read_game(fixture.game), position, fixture.first, *players, fixture.dice)


def play_sequentially(fixtures: list[Fixture]) -> Generator[PlayedGame]:
    """Play one game after the other in this process."""
    yield from map(play_game, fixtures)


GameExecutor = Callable[[list[Fixture]], Generator[PlayedGame]]


class CellGame(NamedTuple):
    """A game of a cell, and how often it counts."""

    fixture: Fixture
    moves: str
    winner: str
    times: int


@dataclass(frozen=True)
class CellResult(Cell):
    """A cell with the results of its games, all of which have been played."""

    wins1: int
    wins2: int
    draws: int
    games: list[CellGame]

    @property
    def has_repeated_games(self) -> bool:
        """Return True if a game counts more than once."""
        return any(game.times > 1 for game in self.games)


class Tournament:
    """A grid and the games of it that have been played so far. `run` plays the rest."""

    def __init__(self, grid: Grid, store: GameArchive | None = None):
        self.grid = grid
        self.plans = plan_cells(grid)
        self.fixtures = list(dict.fromkeys(fixture for plan in self.plans for fixture in plan.fixtures))
        self.played: dict[Fixture, PlayedGame] = {}
        self._store = store
        if store is not None:
            wanted = set(self.fixtures)
            self.played = {played.fixture: played for played in store.games() if played.fixture in wanted}

    @property
    def remaining_fixtures(self) -> list[Fixture]:
        """Return the games that have not been played yet."""
        return [fixture for fixture in self.fixtures if fixture not in self.played]

    def run(
        self, run_games: GameExecutor = play_sequentially, on_game: Callable[[PlayedGame], object] | None = None
    ) -> Tournament:
        """Play the remaining games. Each is stored before the next one. `run_games` is the executor: `play_sequentially`, or
        one of executors.py.

        `on_game` is called with each game and stops the tournament by returning False. The games played so far are kept.
        """
        left = self.remaining_fixtures
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

    def cells(self) -> list[CellResult]:
        """Return the cells whose games have all been played."""
        return [self._make_cell_result(plan) for plan in self.plans if all(fixture in self.played for fixture in plan.fixtures)]

    def _make_cell_result(self, plan: CellPlan) -> CellResult:
        games = []
        for fixture, times in plan.fixtures.items():
            played = self.played[fixture]
            games.append(CellGame(fixture, played.moves, played.winner, times))
        won = {side: sum(game.times for game in games if game.winner == side) for side in ("max", "min", "")}
        settings = {field.name: getattr(plan, field.name) for field in fields(Cell)}
        return CellResult(**settings, wins1=won["max"], wins2=won["min"], draws=won[""], games=games)


def explain_repeated_games(games: int) -> str:
    """Explain why all games of a cell are the same."""
    return (
        f"Both players are deterministic, so the {games} games of a cell are the same: one is played and counted {games} times."
    )
