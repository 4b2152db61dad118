"""Tree files: a recorded search in a Parquet file, its columns as they are stored and what was asked for in the metadata.

Metadata key `plyscope` holds a JSON object, `Header` below. Only files of one's own are loaded this way; everything in them is
checked all the same (verify.py): a file is refused, or it is exactly the tree of the search it names.
"""

import math
import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import LINK, STATIC, WINDOWS
from engine.core.atomic_files import write_file
from engine.core.errors import BadRecord, BadTreeFile, NotCompilable, shortened
from engine.games.capabilities import lists_moves, reads_positions, state_of, state_parts, states_as_parts
from engine.games.positions import read_position
from engine.games.registry import MAX_SAVED_TEXT, game_text, kind_for, read_game
from engine.question import Question, Search
from engine.record.columns import PassNote
from engine.record.recorder import STOPPED
from engine.searcher import checked
from engine.tree.external_tree import MOST_ROWS as MOST_WATCHED
from engine.tree.external_tree import Seen, WatchedGame, watched_tree
from engine.tree.tree import SearchTree
from engine.tree.verify import Rows, checked_columns, held

VERSION = 1
KEY = b"plyscope"
GROUP_ROWS = 1 << 20
MAX_ROWS = 2**31 - 2**16  # `end` is an int32
PACKED = "DELTA_BINARY_PACKED"
DTYPES = {
    "move": ("int8", "int32"),
    "depth": ("uint8", "uint16"),
    "flags": ("uint8",),
    "skipped": ("uint8", "uint32"),
    "alpha": ("int32", "float32", "float64"),
    "beta": ("int32", "float32", "float64"),
    "value": ("int32", "float32", "float64"),
    "end": ("int32",),
    "link": ("int32",),
    "static": ("float64",),
}
OPTIONAL = (*WINDOWS, LINK, STATIC)  # columns that not every search has
SHRINKING = ("value", "alpha", "beta", "end", "link")  # integers of which the differences are stored: neighbours are alike


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """What was asked for, and how it ended."""

    version: int
    game: str  # as read_game knows it; empty for a game of the user's own
    position: str | None
    first: str | None
    algorithm: str
    K: int | None
    cut_on_equal: bool
    as_published: bool
    compiled: bool
    seconds: float
    stopped: str
    rows: int
    dtypes: dict[str, str]
    state: list[Any] | None = None  # the root
    watched: Seen | msgspec.UnsetType = msgspec.UNSET  # of a search that was only watched, what was seen beside the columns
    passes: list[PassNote] | msgspec.UnsetType = msgspec.UNSET  # where there are several: first row, K, why
    options: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET  # of the algorithm, but for those above


def save(tree: SearchTree, path: str | os.PathLike[str]) -> None:
    """Write the tree to a Parquet file, all or nothing."""
    write_file(path, lambda file: deque(write_groups(tree, file), maxlen=0))


def write_groups(tree: SearchTree, file: Any) -> Iterator[int]:
    """Pour the tree into an open binary file; after each group of a million rows, how many are done."""
    columns = _stored(tree)
    schema = pa.schema(
        [(name, pa.from_numpy_dtype(column.dtype)) for name, column in columns],
        metadata={KEY: msgspec.json.encode(header_of(tree))},
    )
    packed = dict.fromkeys((name for name, column in columns if column.dtype.kind == "i" and name in SHRINKING), PACKED)
    with pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        use_dictionary=[name for name in schema.names if name not in packed],
        column_encoding=packed or None,
        write_statistics=False,
        write_page_checksum=True,
    ) as writer:
        for start in range(0, len(tree), GROUP_ROWS):
            rows = slice(start, start + GROUP_ROWS)
            writer.write_table(pa.table([column[rows] for _, column in columns], schema=schema))
            yield min(start + GROUP_ROWS, len(tree))


def _stored(tree: SearchTree) -> list[tuple[str, np.ndarray]]:
    return [(name, column) for name, column in tree.columns._asdict().items() if len(column)]


def _lasting_text(game: Any) -> str:
    """The text of a game that every process can read; empty for games of the user's own."""
    kind = kind_for(game)
    return "" if kind is None or kind.own else game_text(game)


def header_of(tree: SearchTree) -> Header:
    """What a file says about the tree in it."""
    asked = tree.question
    options = asked.options
    return Header(
        version=VERSION,
        game=_lasting_text(asked.game),
        position=asked.position_text,
        first=asked.first,
        algorithm=asked.algorithm,
        K=asked.depth,
        cut_on_equal=options.pop("cut_on_equal", True),
        as_published=options.pop("as_published", False),
        options=options if any(option.name in options for option, _ in asked.chosen) else msgspec.UNSET,  # not if all are usual
        compiled=tree.compiled,
        seconds=tree.seconds,
        stopped=tree.stopped,
        rows=len(tree),
        dtypes={name: str(column.dtype) for name, column in _stored(tree)},
        state=_state_list(tree.search),
        watched=asked.game.seen if isinstance(asked.game, WatchedGame) else msgspec.UNSET,
        passes=list(tree.notes) or msgspec.UNSET,
    )


def _state_list(asked: Search) -> list[Any] | None:
    """The root as a list of numbers (the text of a position may be moves or a 64-bit state); none where only the game itself
    knows its states."""
    question = asked.question
    parts = state_parts(question.game, asked.root)
    if parts is not None:
        return parts
    return [asked.root] if question.position_text != "" and isinstance(asked.root, (int, str)) else None


def load(path: str | os.PathLike[str], game: Any = None, state: Any = None) -> SearchTree:
    """The tree saved in a file. A game of your own is not in the file: pass it as `game`, and the root as `state` if the search
    was given one."""
    name = Path(path).name
    if Path(path).exists() and not Path(path).is_file():  # a pipe would be waited for
        raise BadTreeFile(f"{str(path)!r} is no file")
    try:
        with (
            Path(path).open("rb") as opened,  # pyarrow cannot open names that are not UTF-8
            pq.ParquetFile(opened, page_checksum_verification=True, pre_buffer=False) as file,
        ):
            header = read_header(name, (file.schema_arrow.metadata or {}).get(KEY))
            return assemble(header, ParquetRows(name, header, file), game, state)
    except FileNotFoundError:
        raise BadTreeFile(f"there is no file {str(path)!r}") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadTreeFile(f"{name!r} is no tree file, or a damaged one ({str(error).splitlines()[0]})") from None


class ParquetRows:
    """The rows of a Parquet file, a group of at most a million at a time."""

    def __init__(self, name: str, header: Header, file: Any):
        self.name, self.count, self.dtypes, self._file = repr(name), header.rows, header.dtypes, file
        metadata = file.metadata
        groups = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        if not metadata.num_rows == sum(groups) == header.rows or min(groups, default=0) < 1:
            raise BadTreeFile(f"{name!r} does not hold the {header.rows} rows that its header promises")
        if max(groups) > GROUP_ROWS:
            raise BadTreeFile(f"{name!r} holds {max(groups):,} rows in one piece, and {GROUP_ROWS:,} are the most")
        self._check_columns()

    def _check_columns(self) -> None:
        fields = {field.name: _dtype(field.type) for field in self._file.schema_arrow}
        stored = set(fields)
        if (
            len(fields) != len(self._file.schema_arrow)
            or stored != set(self.dtypes)
            or not set(DTYPES) - set(OPTIONAL) <= stored <= set(DTYPES)
        ):
            listed = ", ".join(shortened(name) for name in self._file.schema_arrow.names[:20])
            raise BadTreeFile(f"{self.name} has the columns {listed}, and those of a tree are {', '.join(DTYPES)}")
        for column, dtype in fields.items():
            if dtype != self.dtypes[column] or dtype not in DTYPES[column]:
                raise self._bad_column(column, dtype)

    def _bad_column(self, column: str, dtype: str) -> BadTreeFile:
        needed = " or ".join(DTYPES[column])
        return BadTreeFile(f"the column {column!r} of {self.name} is {dtype[:40]}, and {needed} is needed, with no gaps")

    def pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]:
        """These columns of all rows, in order."""
        for group in range(self._file.metadata.num_row_groups):
            table = self._file.read_row_group(group, columns=list(columns), use_threads=False)
            if table.num_rows != self._file.metadata.row_group(group).num_rows:
                raise BadTreeFile(f"{self.name} does not hold the {self.count} rows that its header promises")
            for column in columns:
                if table.column(column).null_count:
                    raise self._bad_column(column, self.dtypes[column])
            yield {column: table.column(column).to_numpy() for column in columns}


def _dtype(arrow: Any) -> str:
    return {"float": "float32", "double": "float64"}.get(str(arrow), str(arrow))


def assemble(header: Header, rows: Rows, game: Any = None, state: Any = None) -> SearchTree:
    """The tree of a file, once its columns are known to be of the right types; everything else is checked here."""
    if header.watched is not msgspec.UNSET:
        return _watched(header, header.watched, rows)
    asked = _search(rows.name, header, game, state)
    found = checked_columns(rows, asked, header.stopped, not header.game)
    if (header.passes or []) != list(found.passes):
        raise BadTreeFile(f"{rows.name} tells of other passes than the search that it names makes")
    return SearchTree(asked, found.columns, header.seconds, header.stopped, found.rounded, found.passes, found.evaluations)


def _watched(header: Header, seen: Seen, rows: Rows) -> SearchTree:
    """The tree of a search that was only watched. It cannot be made again: its rows must go together."""
    if rows.count > MOST_WATCHED:
        raise BadTreeFile(f"{rows.name} holds {rows.count:,} rows, and {MOST_WATCHED:,} of a watched search are the most")
    try:
        columns, notes, options = held(rows), tuple(header.passes or ()), _options(header)
        return watched_tree(columns, seen, header.algorithm, header.K, header.seconds, header.stopped, notes, options)
    except BadRecord as error:
        raise BadTreeFile(f"{rows.name} is damaged: {error}") from None


def read_header(name: str, stored: bytes | None) -> Header:
    """The header in a file, of this version."""
    if stored is None:
        raise BadTreeFile(f"{name!r} is a Parquet file, but no tree file: it has no {KEY.decode()!r} header")
    try:
        version = msgspec.json.decode(stored)["version"]
        if version == VERSION:
            header = msgspec.json.decode(stored, type=Header)
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError) as error:
        raise BadTreeFile(f"the header of {name!r} cannot be read ({error})") from None
    if version != VERSION:
        raise BadTreeFile(f"{name!r} has format version {version!r}, and this program reads version {VERSION}: update it")
    if header.algorithm not in ALGORITHMS:
        raise BadTreeFile(f"{name!r} is of the algorithm {header.algorithm!r}: known are {', '.join(ALGORITHMS)}")
    if header.stopped and header.stopped not in STOPPED:
        raise BadTreeFile(f"{name!r} was stopped for a reason that is not known: {shortened(header.stopped)}")
    if not 1 <= header.rows <= MAX_ROWS:
        raise BadTreeFile(f"{name!r} does not hold the {header.rows} rows that its header promises: 1 to {MAX_ROWS} are possible")
    if not (math.isfinite(header.seconds) and header.seconds >= 0):
        raise BadTreeFile(f"the header of {name!r} says {header.seconds} seconds")
    return header


def _search(name: str, header: Header, game: Any, state: Any) -> Search:
    """The search that the header describes."""
    if game is None:
        if not header.game:
            raise BadTreeFile(f"{name} is of a game of its maker's own: load it with game=, or --game my_game.py:Game")
        game = read_game(header.game, most=MAX_SAVED_TEXT)
    elif _lasting_text(game) != header.game:
        raise BadTreeFile(
            f"{name} is of the game {header.game or 'of its maker'}, not of {game_text(game) or type(game).__name__}"
        )
    root = _root(name, header, game, state)
    question = Question(game, root, header.K, header.algorithm, **_options(header))
    try:
        asked = checked(question, header.rows, header.compiled)
    except NotCompilable as error:
        raise BadTreeFile(f"{name} was searched compiled, and here {error}") from None
    position = root if header.position is None else header.position or None
    return asked._replace(question=question.replace(position=position, first=header.first))


def _options(header: Header) -> dict[str, Any]:
    """The options in the header. Those that every file has are left out where the algorithm has no such option."""
    known = {option.name for option in ALGORITHMS[header.algorithm].options}
    old = {"cut_on_equal": header.cut_on_equal, "as_published": header.as_published}
    return {name: value for name, value in old.items() if name in known} | (header.options or {})


def _root(name: str, header: Header, game: Any, state: Any) -> Any:
    """The root, which is what the position says where both are in the file."""
    written = header.position is not None and (header.position == "" or reads_positions(game) or lists_moves(game))
    if header.state is None:
        if written:
            return read_position(game, header.position or None, header.first)
        if state is None:
            raise BadTreeFile(f"{name} was searched from a state that is not in the file: load it with state=")
        return state
    root = _read_state(name, header, game, header.state)
    if header.game and written and read_position(game, header.position or None, header.first) != root:
        raise BadTreeFile(f"the root of {name} is not the position {shortened(header.position)} that it names")
    return root


def _read_state(name: str, header: Header, game: Any, parts: list[Any]) -> Any:
    """The state in a file: as the game writes it, or one that is a number or a text by itself, of a game of its maker's own."""
    try:
        return state_of(game, parts) if header.game or states_as_parts(game) else parts[0]
    except (TypeError, ValueError, IndexError):
        raise BadTreeFile(f"the root {parts!r} of {name} is no state of the game") from None
