"""A store of finished games in one sqlite3 file. Games are written one by one, so a tournament that was killed can be resumed.

The key of a game contains everything that determines it. So no game is stored twice, whichever process writes it.
"""

import math
import os
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.core.atomic_files import WriteFailed, check_folder
from engine.core.errors import PlyscopeError
from engine.core.parsing import is_whole
from engine.games.positions import SIDES
from engine.matches.players import SearchPlayer
from engine.matches.tournament import PlayedGame, make_match
from engine.matches.tournament_grid import Fixture

APPLICATION_ID = 0x504C5953  # "PLYS", in the header of the file
STORE_VERSION = 1
LOCK_TIMEOUT_SECONDS = 30  # to wait for another process that is writing
MAX_REPLAYED = 300  # games of a file that are replayed by the rules
MAX_CHOICES = 10  # replayed games in which one move is searched again
MAX_CHOICE_NODES = 20_000  # of such a search; larger ones are left out
TEXTS = 5  # of a fixture, before the dice
COLUMNS = ("game", "max_player", "min_player", "first", "opening", "moves", "winner", "seconds")
CREATE_TABLE = f"""
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY,
    {", ".join(f"{column} {'REAL' if column == 'seconds' else 'TEXT'} NOT NULL" for column in COLUMNS)}
) WITHOUT ROWID
"""


class BadStore(PlyscopeError):
    """A file that cannot be a store of games."""


class GameStore:
    """A file of finished games. A file that already holds games is only opened with `resume`."""

    def __init__(self, path: str | os.PathLike[str], resume: bool = False):
        self.path = check_folder(path)
        self._database: sqlite3.Connection | None = None
        try:
            self._open_database()
            if not resume and (games := self._count_games()):
                raise BadStore(f"{str(path)!r} already holds {games} games: add --resume to continue, or name another file")
        except (sqlite3.Error, UnicodeError) as error:
            self.close()
            raise BadStore(
                f"{str(path)!r} is not a store of games ({_reason(error)}): name a new file, or one written by Plyscope"
            ) from None
        except BadStore:
            self.close()
            raise

    def _open_database(self) -> None:
        new = not self.path.exists() or self.path.stat().st_size == 0
        self._database = database = sqlite3.connect(
            self.path, timeout=LOCK_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False
        )
        owner, version = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if not new and (owner, version) != (APPLICATION_ID, STORE_VERSION):
            raise BadStore(f"{str(self.path)!r} is the database of another program: name a new file")
        database.execute("PRAGMA trusted_schema = OFF")
        if not new and database.execute("SELECT type, name FROM sqlite_schema").fetchall() != [("table", "games")]:
            raise BadStore(f"{str(self.path)!r} is not a store of games (it needs exactly one table): name a new file")
        database.execute("PRAGMA journal_mode = WAL")  # a killed process leaves only complete games
        database.execute("PRAGMA synchronous = NORMAL")
        if new:
            database.execute(CREATE_TABLE)
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {STORE_VERSION}")
        database.execute("DELETE FROM games WHERE 0")  # fails now if nothing can be written, not at the first game

    def _count_games(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._database is None:
            raise BadStore(f"{str(self.path)!r} is closed")
        return self._database

    def games(self) -> list[PlayedGame]:
        """Return all games of the store."""
        try:
            rows = self._connection.execute(f"SELECT key, {', '.join(COLUMNS)} FROM games").fetchall()  # noqa: S608 - our own names
            games = [_read_row(*row) for row in rows]
            _replay_sample(games)
        except (sqlite3.Error, UnicodeError, PlyscopeError) as error:
            raise BadStore(f"{str(self.path)!r} is damaged ({_reason(error)}): name a new file") from None
        return games

    def add(self, played: PlayedGame) -> None:
        """Store a game. A game that is already there is not changed."""
        row = (played.fixture.key, *played.fixture[:TEXTS], *played[1:])
        try:
            self._connection.execute(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
        except sqlite3.Error as error:
            raise WriteFailed(f"writing {str(self.path)!r} failed ({error}): the earlier games are saved") from error

    def close(self) -> None:
        """Close the file. SQLite then removes its auxiliary files."""
        if self._database is not None:
            self._database.close()
            self._database = None


def read_games(path: str | os.PathLike[str]) -> list[PlayedGame]:
    """Return all games of a store."""
    if not Path(path).is_file():
        raise BadStore(f"there is no store {str(path)!r}")
    store = GameStore(path, resume=True)
    try:
        return store.games()
    finally:
        store.close()


def _reason(error: Exception) -> str:
    """Return the first words of an error. SQLite quotes damaged texts as they are."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(error)[:120])


def _read_row(key: Any, *columns: Any) -> PlayedGame:
    """Return the game of a row, if all its columns have the right types."""
    *texts, moves, winner, seconds = columns
    if not all(isinstance(text, str) for text in (key, *columns[:-1])) or not isinstance(seconds, float):
        raise BadStore("a column of a game has the wrong type")
    game = PlayedGame(Fixture(*texts)._replace(dice=_read_dice(key)), moves, winner, seconds)
    if game.fixture.key != key:
        raise BadStore("a game has the key of another")
    if game.fixture.first not in SIDES or game.winner not in (*SIDES, "") or not 0 <= seconds < math.inf:
        raise BadStore("a game has an impossible start, winner or time")
    return game


def _read_dice(key: str) -> int:
    """Return the seed of the dice. Only the key has it, after the texts."""
    try:
        _, *numbers = msgspec.json.decode(key, type=list)[TEXTS - 1 :]
    except (msgspec.DecodeError, ValueError):
        raise BadStore("a game has a damaged key") from None
    return int(numbers[0]) if len(numbers) == 1 and is_whole(numbers[0]) else 0


def _replay_sample(games: list[PlayedGame]) -> None:
    """Replay some games by their rules, and search some of their moves again."""
    chance = Random()  # noqa: S311 - no secret; another sample each time
    sample = chance.sample(games, min(MAX_REPLAYED, len(games)))
    for game in sample:
        match = make_match(game.fixture, game.moves)
        if match.outcome is None or match.outcome.winner != game.winner:
            raise BadStore(f"the moves {game.moves[:40]!r} do not end as the file says")
        if not _has_opening(game):
            raise BadStore(f"the moves {game.moves[:40]!r} do not begin with the opening {game.fixture.opening[:40]!r}")
    for game in sample[:MAX_CHOICES]:
        _search_again(game, chance)


def _has_opening(game: PlayedGame) -> bool:
    moves, opening = (make_match(game.fixture, position).moves for position in (game.moves, game.fixture.opening))
    return moves[: len(opening)] == opening


def _search_again(game: PlayedGame, chance: Random) -> None:
    """Let the player of one move choose it again."""
    match = make_match(game.fixture, game.moves)
    free = len(match.moves) - len(make_match(game.fixture, game.fixture.opening).moves)
    for _ in range(chance.randint(1, free) if free else 0):
        played = match.moves[-1]
        match = match.previous_match  # type: ignore[assignment] # there are more moves
    if not free or not isinstance(match.player, SearchPlayer):
        return
    try:
        choice = match.choose(max_nodes=MAX_CHOICE_NODES)
    except PlyscopeError:  # it takes more nodes
        return
    if choice is not None and choice.move != played:
        raise BadStore(f"{match.side.upper()} would not play move {len(match.moves) + 1} of {game.moves[:40]!r}")
