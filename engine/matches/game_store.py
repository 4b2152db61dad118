"""Finished games in one file (sqlite3), written one by one, so that a tournament that was killed goes on where it stopped.

The key of a game is all that determines it, so no game is there twice, whoever writes.
"""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from engine.atomic_files import WriteFailed, check_folder
from engine.errors import PlyscopeError
from engine.matches.tournament import Played
from engine.matches.tournament_grid import Fixture

OURS = 0x504C5953  # "PLYS": what the file says it belongs to
VERSION = 1
WAIT_SECONDS = 30  # for another process that is writing
COLUMNS = ("game", "max_player", "min_player", "first", "opening", "moves", "winner", "seconds")
TABLE = f"""
CREATE TABLE IF NOT EXISTS games (
    key TEXT PRIMARY KEY,
    {", ".join(f"{column} {'REAL' if column == 'seconds' else 'TEXT'} NOT NULL" for column in COLUMNS)}
) WITHOUT ROWID
"""


class BadStore(PlyscopeError):
    """A file that cannot be a store of games."""


class Store:
    """A file of finished games. One that holds games already is only taken up again if that is wanted."""

    def __init__(self, path: str | os.PathLike[str], resume: bool = False):
        self.path = check_folder(path)
        self._database: sqlite3.Connection | None = None
        try:
            self._open()
            if not resume and (kept := self._count()):
                raise BadStore(f"{str(path)!r} holds {kept} games already: add --resume to go on with it, or name another file")
        except sqlite3.Error as error:
            self.close()
            raise BadStore(f"{str(path)!r} cannot hold games ({error}): name a new file, or one that was written here") from None
        except BadStore:
            self.close()
            raise

    def _open(self) -> None:
        new = not self.path.exists() or self.path.stat().st_size == 0
        self._database = database = sqlite3.connect(
            self.path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        owner, version = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if not new and (owner, version) != (OURS, VERSION):
            raise BadStore(f"{str(self.path)!r} is a database of something else: name a new file")
        database.execute("PRAGMA journal_mode = WAL")  # a process that is killed leaves whole games
        database.execute("PRAGMA synchronous = NORMAL")
        if new:
            database.execute(TABLE)
            database.execute(f"PRAGMA application_id = {OURS}")
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("DELETE FROM games WHERE 0")  # where nothing can be written this fails now, and not at the first game

    def _count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._database is None:
            raise BadStore(f"{str(self.path)!r} is closed")
        return self._database

    def games(self) -> Iterator[Played]:
        """All games that are there."""
        try:
            for row in self._connection.execute(f"SELECT {', '.join(COLUMNS)} FROM games"):  # noqa: S608 - our own names
                yield Played(Fixture(*row[:5]), *row[5:])
        except sqlite3.Error as error:
            raise BadStore(f"{str(self.path)!r} is damaged ({error}): name a new file") from None

    def add(self, played: Played) -> None:
        """Keep a game; one that is there already stays as it is."""
        row = (played.fixture.key, *played.fixture, *played[1:])
        try:
            self._connection.execute(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
        except sqlite3.Error as error:
            raise WriteFailed(f"writing {str(self.path)!r} failed ({error}): the games before this one are kept") from error

    def close(self) -> None:
        """Let go of the file; what SQLite keeps beside it goes too."""
        if self._database is not None:
            self._database.close()
            self._database = None


def read_games(path: str | os.PathLike[str]) -> list[Played]:
    """All games of a store."""
    if not Path(path).is_file():
        raise BadStore(f"there is no store {str(path)!r}")
    store = Store(path, resume=True)
    try:
        return list(store.games())
    finally:
        store.close()
