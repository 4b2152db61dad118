"""Tree files: a recorded search in a Parquet file, its columns as they are stored and what was asked for in the metadata.

Metadata key `plyscope` holds a JSON object, `Header` below. Only files of one's own are loaded this way; everything in them is
checked all the same.
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

from engine.catalogue import game_text, read_game
from engine.errors import PlyscopeError
from engine.files import write_file
from engine.game import check_game
from engine.games.connect import Connect
from engine.games.connect import State as ConnectState
from engine.games.literal import Literal
from engine.games.nim import Nim
from engine.games.nim import State as NimState
from engine.games.tictactoe import State as TicTacToeState
from engine.games.tictactoe import TicTacToe
from engine.record import HORIZON, MAXIMIZING, NONE, OPEN, STATUS_BITS, STATUS_NAMES, TERMINAL, Columns
from engine.searcher import ALGORITHMS, read_position
from engine.tree import Search, SearchTree

VERSION = 1
KEY = b"plyscope"
GROUP_ROWS = 1 << 20
PACKED = "DELTA_BINARY_PACKED"
WINDOWS = ("alpha", "beta")
DTYPES = {
    "move": ("int8", "int32"),
    "depth": ("uint8", "uint16"),
    "flags": ("uint8",),
    "skipped": ("uint8", "uint32"),
    "alpha": ("int32", "float32", "float64"),
    "beta": ("int32", "float32", "float64"),
    "value": ("int32", "float32", "float64"),
    "end": ("int32",),
}
SHRINKING = ("value", "alpha", "beta", "end")  # integers of which the differences are stored: neighbours are alike


class BadTreeFile(PlyscopeError):
    """A file that is no tree file, or one that this version cannot read."""


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


def header_of(tree: SearchTree) -> Header:
    """What a file says about the tree in it."""
    asked = tree.search
    return Header(
        version=VERSION,
        game=game_text(asked.game),
        position=asked.position,
        first=asked.first,
        algorithm=asked.algorithm,
        K=asked.K,
        cut_on_equal=asked.cut_on_equal,
        as_published=asked.as_published,
        compiled=asked.compiled,
        seconds=tree.seconds,
        stopped=tree.stopped,
        rows=len(tree),
        dtypes={name: str(column.dtype) for name, column in _stored(tree)},
        state=_state_list(asked),
    )


def _state_list(asked: Search) -> list[Any] | None:
    """The root as a list of numbers (the text of a position may be moves or a 64-bit state); none where only the game itself
    knows its states."""
    if isinstance(asked.game, (Connect, TicTacToe, Nim)):
        return [list(part) if isinstance(part, tuple) else part for part in asked.root]
    return [asked.root] if asked.position != "" and isinstance(asked.root, (int, str)) else None


def load(path: str | os.PathLike[str], game: Any = None, state: Any = None) -> SearchTree:
    """The tree saved in a file. A game of your own is not in the file: pass it as `game`, and the root as `state` if the search
    was given one."""
    name = Path(path).name
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            header = read_header(name, (file.schema_arrow.metadata or {}).get(KEY))
            table = file.read() if file.metadata.num_rows == header.rows else None
    except FileNotFoundError:
        raise BadTreeFile(f"there is no file {str(path)!r}") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadTreeFile(f"{name!r} is no tree file, or a damaged one ({str(error).splitlines()[0]})") from None
    return assemble(name, header, _columns(name, header, table), game, state)


def assemble(name: str, header: Header, columns: Columns, game: Any = None, state: Any = None) -> SearchTree:
    """The tree of a file, once its columns are known to be of the right types; everything else is checked here."""
    asked = _search(name, header, game, state)
    tree = SearchTree(asked, columns, header.seconds, header.stopped)
    _check_rows(name, tree)
    return tree


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
    if not (math.isfinite(header.seconds) and header.seconds >= 0):
        raise BadTreeFile(f"the header of {name!r} says {header.seconds} seconds")
    return header


def _columns(name: str, header: Header, table: Any) -> Columns:
    if table is None or header.rows < 1:
        raise BadTreeFile(f"{name!r} does not hold the {header.rows} rows that its header promises")
    stored = set(table.column_names)
    if stored != set(header.dtypes) or not set(DTYPES) - set(WINDOWS) <= stored <= set(DTYPES) or len(stored & set(WINDOWS)) == 1:
        raise BadTreeFile(
            f"{name!r} has the columns {', '.join(table.column_names)}, and those of a tree are {', '.join(DTYPES)}"
        )
    columns: dict[str, np.ndarray] = {}
    for column, known in DTYPES.items():
        if column not in stored:
            columns[column] = np.empty(0, header.dtypes["value"])
            continue
        dtype = str(table.schema.field(column).type)
        dtype = {"float": "float32", "double": "float64"}.get(dtype, dtype)
        if dtype != header.dtypes[column] or dtype not in known or table.column(column).null_count:
            raise BadTreeFile(f"the column {column!r} of {name!r} is {dtype}, and {' or '.join(known)} is needed, with no gaps")
        columns[column] = np.ascontiguousarray(table.column(column).to_numpy())
    if any(columns[window].dtype != columns["value"].dtype for window in WINDOWS):
        raise BadTreeFile(f"values and windows of {name!r} are of different types")
    return Columns(**columns)


def _search(name: str, header: Header, game: Any, state: Any) -> Search:
    if game is None:
        if not header.game:
            raise BadTreeFile(f"{name!r} is of a game of its maker's own: load it with game=")
        game = read_game(header.game)
    elif header.game and game_text(game) != header.game:
        raise BadTreeFile(f"{name!r} is of the game {header.game}, not of {game_text(game) or type(game).__name__}")
    check_game(game)
    return _asked(header, game, _root(name, header, game, state))


def _root(name: str, header: Header, game: Any, state: Any) -> Any:
    if header.state is not None:
        return _read_state(name, game, header.state)
    if header.position == "" or (header.position is not None and hasattr(game, "state")):
        return read_position(game, header.position or None, header.first)
    if state is not None:
        return state
    raise BadTreeFile(f"{name!r} was searched from a state that is not in the file: load it with state=")


def _asked(header: Header, game: Any, root: Any) -> Search:
    return Search(
        game,
        root,
        header.position,
        header.first,
        header.algorithm,
        header.K,
        header.cut_on_equal,
        header.as_published,
        header.compiled and isinstance(game, Connect),
    )


def _read_state(name: str, game: Any, parts: list[Any]) -> Any:
    try:
        if isinstance(game, Literal):
            raise ValueError
        if not isinstance(game, (Connect, TicTacToe, Nim)):
            return parts[0]
        if isinstance(game, Nim):
            heaps, max_to_move = parts
            return game.state(NimState(tuple(int(heap) for heap in heaps), bool(max_to_move)))
        kind: Any = ConnectState if isinstance(game, Connect) else TicTacToeState
        of_max, of_min, max_to_move = parts
        return game.state(kind(int(of_max), int(of_min), bool(max_to_move)))
    except (TypeError, ValueError, IndexError):
        raise BadTreeFile(f"the root {parts!r} of {name!r} is no state of the game") from None


def _check_rows(name: str, tree: SearchTree) -> None:
    """Refuse columns that do not make a tree: everything else in the program relies on them."""
    columns, rows = tree.columns, len(tree)
    if columns.depth[0] != 0 or columns.move[0] != NONE or tree.maximizing[0] != bool(tree.game.maximizing(tree.search.root)):
        raise BadTreeFile(f"{name!r} is damaged: its first row is not the root of this search")
    for what, wrong in _faults(tree):
        if wrong.any():
            raise BadTreeFile(f"{name!r} is damaged at row {int(wrong.argmax())}: {what}")
    if columns.value.dtype.kind == "f" and any(np.isnan(column).any() for column in (columns.alpha, columns.beta, columns.value)):
        raise BadTreeFile(f"{name!r} is damaged: a value or a window is not a number")
    if tree.search.compiled and rows > 1 and not (columns.move[1:].min() >= 0 and columns.move.max() < tree.game.cols):
        raise BadTreeFile(f"{name!r} is damaged: a move is no column of the board")
    if game_text(tree.game) and not tree.search.compiled:
        try:
            tree.states()
        except (ValueError, KeyError, IndexError, TypeError):
            raise BadTreeFile(f"{name!r} is damaged: a move in it is not legal in its game") from None


def _faults(tree: SearchTree) -> Iterator[tuple[str, np.ndarray]]:
    """What may be wrong, and the rows where it is; each relies on those before it."""
    columns, rows = tree.columns, len(tree)
    deeper = np.diff(columns.depth.astype(np.int32), append=0)  # by how much the next row is deeper
    yield "its depth is more than one below the row before", np.concatenate(([False], deeper[:-1] > 1))
    yield "a second root", np.concatenate(([False], columns.depth[1:] == 0))
    end = np.arange(1, rows + 1, dtype=np.int32)  # of a row without children
    last_child = np.arange(rows, dtype=np.int32)
    last_child[tree.parent[1:]] = end[:-1]
    inner = deeper == 1
    end[inner] = columns.end[last_child[inner]]  # an inner node ends with its last child
    yield "its subtree does not end where the next one begins", columns.end != end
    yield "its status is unknown", (tree.status >= len(STATUS_NAMES)) | (columns.flags > STATUS_BITS | MAXIMIZING)
    leaf = (tree.status == TERMINAL) | (tree.status == HORIZON)
    yield "a leaf with children, or a node without any", np.where(tree.status == OPEN, False, leaf == inner)
    yield "moves are skipped where nothing was cut off", (columns.skipped > 0) != tree.pruned
