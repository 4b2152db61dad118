"""Tree files: a recorded search in a Parquet file, with its columns and, in the metadata, the search it belongs to.

The metadata key `plyscope` holds a JSON object, `Header` below. Users load only their own files this way. Still, everything in a
file is checked (verify.py): a file is either refused, or it is exactly the tree of the search it names.
"""

import math
import os
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine.algorithms import all_algorithms, find_algorithm
from engine.core.atomic_files import write_file
from engine.core.errors import BadRecord, BadTreeFile, NotCompilable, short_repr
from engine.core.stop_reason import StopReason
from engine.games.capabilities import (
    can_encode_states,
    can_read_positions,
    has_move_list_positions,
    state_from_parts,
    state_parts,
)
from engine.games.positions import read_position
from engine.games.registry import MAX_SAVED_TEXT_CHARS, find_game_type, game_text, read_game
from engine.question import CheckedSearch, Question
from engine.record.columns import COLUMN_SPECS, PassNote
from engine.searcher import check_question
from engine.tree.external_tree import MAX_EXTERNAL_ROWS, ExternalData, ExternalGame, build_external_tree
from engine.tree.tree import SearchTree
from engine.tree.verify import RowSource, read_all_columns, verify_columns

FORMAT_VERSION = 1
METADATA_KEY = b"plyscope"
GROUP_ROWS = 1 << 20
MAX_ROWS = 2**31 - 2**16  # `end` is an int32
DELTA_ENCODING = "DELTA_BINARY_PACKED"
COLUMN_DTYPES = {name: spec.dtypes for name, spec in COLUMN_SPECS.items()}
OPTIONAL_COLUMNS = tuple(name for name, spec in COLUMN_SPECS.items() if spec.optional)


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The search, and how it ended."""

    version: int
    game: str  # text for read_game; empty for a user's game
    position: str | None
    first: str | None
    algorithm: str
    K: int | None
    cut_on_equal: bool
    as_published: bool
    compiled: bool
    seconds: float
    stopped: StopReason
    rows: int
    dtypes: dict[str, str]
    state: list[Any] | None = None  # the root
    watched: ExternalData | msgspec.UnsetType = msgspec.UNSET  # of an external search
    passes: list[PassNote] | msgspec.UnsetType = msgspec.UNSET  # if there are several: first row, K, why
    options: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET  # of the algorithm, except those above


def save(tree: SearchTree, path: str | os.PathLike[str]) -> None:
    """Write the tree to a Parquet file, all or nothing."""
    write_file(path, lambda file: deque(write_groups(tree, file), maxlen=0))


def write_groups(tree: SearchTree, file: Any) -> Iterator[int]:
    """Write the tree to an open binary file. Yield the number of rows written after each group of a million."""
    columns = _stored_columns(tree)
    schema = pa.schema(
        [(name, pa.from_numpy_dtype(column.dtype)) for name, column in columns],
        metadata={METADATA_KEY: msgspec.json.encode(make_header(tree))},
    )
    packed = dict.fromkeys(
        (name for name, column in columns if column.dtype.kind == "i" and COLUMN_SPECS[name].packed), DELTA_ENCODING
    )
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


def _stored_columns(tree: SearchTree) -> list[tuple[str, np.ndarray]]:
    return [(name, column) for name, column in tree.columns._asdict().items() if len(column)]


def _portable_game_text(game: Any) -> str:
    """Return the text of a game that every process can read; empty for a user's game."""
    kind = find_game_type(game)
    return "" if kind is None or kind.own else game_text(game)


def make_header(tree: SearchTree) -> Header:
    """Return the header of the file of a tree."""
    question = tree.question
    options = question.options
    return Header(
        version=FORMAT_VERSION,
        game=_portable_game_text(question.game),
        position=question.position_text,
        first=question.first,
        algorithm=question.algorithm,
        K=question.depth,
        cut_on_equal=options.pop("cut_on_equal", True),
        as_published=options.pop("as_published", False),
        options=options
        if any(option.name in options for option, _ in question.chosen)
        else msgspec.UNSET,  # not if all have their defaults
        compiled=tree.compiled,
        seconds=tree.seconds,
        stopped=tree.stopped,
        rows=len(tree),
        dtypes={name: str(column.dtype) for name, column in _stored_columns(tree)},
        state=_encode_root(tree.search),
        watched=question.game.seen if isinstance(question.game, ExternalGame) else msgspec.UNSET,
        passes=list(tree.notes) or msgspec.UNSET,
    )


def _encode_root(checked: CheckedSearch) -> list[Any] | None:
    """Return the root as a list of numbers, since the text of a position may be moves or a 64-bit state.

    Return None if only the game itself knows its states.
    """
    question = checked.question
    parts = state_parts(question.game, checked.root)
    if parts is not None:
        return parts
    return [checked.root] if question.position_text != "" and isinstance(checked.root, (int, str)) else None


def load(
    path: str | os.PathLike[str],
    game: Any = None,
    state: Any = None,
    *,
    on_progress: Callable[[int, int], object] | None = None,
) -> SearchTree:
    """Return the tree saved in a file. It is read in groups of a million rows, so it takes little more memory than its tree.

    The file does not contain a user's game: pass it as `game`, and the root as `state` if the search started from one.
    `on_progress` is called with the rows that were checked so far, and the rows to check: each is checked twice.
    """
    name = Path(path).name
    if Path(path).exists() and not Path(path).is_file():  # opening a pipe would block
        raise BadTreeFile(f"{str(path)!r} is not a file")
    try:
        with (
            Path(path).open("rb") as opened,  # pyarrow cannot open names that are not UTF-8
            pq.ParquetFile(opened, page_checksum_verification=True, pre_buffer=False) as file,
        ):
            header = read_header(name, (file.schema_arrow.metadata or {}).get(METADATA_KEY))
            return assemble_tree(header, ParquetRows(name, header, file, on_progress), game, state)
    except FileNotFoundError:
        raise BadTreeFile(f"there is no file {str(path)!r}") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadTreeFile(f"{name!r} is not a tree file, or it is damaged ({str(error).splitlines()[0]})") from None


class ParquetRows:
    """The rows of a Parquet file, read in groups of at most a million."""

    def __init__(self, name: str, header: Header, file: Any, on_progress: Callable[[int, int], object] | None = None):
        self.name, self.count, self.dtypes, self._file = repr(name), header.rows, header.dtypes, file
        self._on_progress, self._checked = on_progress, 0
        metadata = file.metadata
        groups = [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
        if not metadata.num_rows == sum(groups) == header.rows or min(groups, default=0) < 1:
            raise BadTreeFile(f"{name!r} does not have the {header.rows} rows that its header declares")
        if max(groups) > GROUP_ROWS:
            raise BadTreeFile(f"{name!r} has a group of {max(groups):,} rows: the limit is {GROUP_ROWS:,}")
        self._check_columns()

    def _check_columns(self) -> None:
        fields = {field.name: _dtype_name(field.type) for field in self._file.schema_arrow}
        stored = set(fields)
        if (
            len(fields) != len(self._file.schema_arrow)
            or stored != set(self.dtypes)
            or not set(COLUMN_DTYPES) - set(OPTIONAL_COLUMNS) <= stored <= set(COLUMN_DTYPES)
        ):
            listed = ", ".join(short_repr(name) for name in self._file.schema_arrow.names[:20])
            raise BadTreeFile(f"{self.name} has the columns {listed}, but the columns of a tree are {', '.join(COLUMN_DTYPES)}")
        for column, dtype in fields.items():
            if dtype != self.dtypes[column] or dtype not in COLUMN_DTYPES[column]:
                raise self._column_error(column, dtype)

    def _column_error(self, column: str, dtype: str) -> BadTreeFile:
        needed = " or ".join(COLUMN_DTYPES[column])
        return BadTreeFile(f"the column {column!r} of {self.name} is {dtype[:40]}: it must be {needed}, without missing values")

    def read_pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]:
        """Yield these columns of all rows, in order."""
        for group in range(self._file.metadata.num_row_groups):
            table = self._file.read_row_group(group, columns=list(columns), use_threads=False)
            if table.num_rows != self._file.metadata.row_group(group).num_rows:
                raise BadTreeFile(f"{self.name} does not have the {self.count} rows that its header declares")
            for column in columns:
                if table.column(column).null_count:
                    raise self._column_error(column, self.dtypes[column])
            yield {column: table.column(column).to_numpy() for column in columns}
            self._report_progress(table.num_rows)

    def _report_progress(self, rows: int) -> None:
        """Report that the search has checked some more rows: each of them twice, when it is entered and when it is left."""
        self._checked = min(self._checked + rows, 2 * self.count)  # a stopped search reads one column once more
        if self._on_progress is not None:
            self._on_progress(self._checked, 2 * self.count)


def _dtype_name(arrow: Any) -> str:
    return {"float": "float32", "double": "float64"}.get(str(arrow), str(arrow))


def assemble_tree(header: Header, rows: RowSource, game: Any = None, state: Any = None) -> SearchTree:
    """Return the tree of a file. The types of its columns must have been checked; everything else is checked here."""
    if header.watched is not msgspec.UNSET:
        return _assemble_external_tree(header, header.watched, rows)
    checked = _rebuild_search(rows.name, header, game, state)
    found = verify_columns(rows, checked, header.stopped, not header.game)
    declared, made = ([(note.first, note.K) for note in notes] for notes in (header.passes or (), found.passes))
    if declared != made:  # the reasons are words, which differ between versions
        raise BadTreeFile(f"{rows.name} lists other passes than its search makes")
    return SearchTree(
        checked, found.columns, header.seconds, header.stopped, found.rounded, found.passes, found.evaluations, found.log
    )


def _assemble_external_tree(header: Header, seen: ExternalData, rows: RowSource) -> SearchTree:
    """Return the tree of an external search. It cannot be searched again, so its rows must be consistent."""
    if rows.count > MAX_EXTERNAL_ROWS:
        raise BadTreeFile(f"{rows.name} has {rows.count:,} rows: the limit for another program's search is {MAX_EXTERNAL_ROWS:,}")
    try:
        columns, notes, options = read_all_columns(rows), tuple(header.passes or ()), _header_options(header)
        return build_external_tree(columns, seen, header.algorithm, header.K, header.seconds, header.stopped, notes, options)
    except BadRecord as error:
        raise BadTreeFile(f"{rows.name} is damaged: {error}") from None


def read_header(name: str, stored: bytes | None) -> Header:
    """Read the header of a file. Raise BadTreeFile if it is damaged or of another version."""
    if stored is None:
        raise BadTreeFile(f"{name!r} is a Parquet file but not a tree file: it has no {METADATA_KEY.decode()!r} header")
    try:
        version = msgspec.json.decode(stored)["version"]
        if version == FORMAT_VERSION:
            header = msgspec.json.decode(stored, type=Header)
    except (msgspec.DecodeError, KeyError, TypeError, RecursionError) as error:
        raise BadTreeFile(f"the header of {name!r} cannot be read ({error})") from None
    if version != FORMAT_VERSION:
        raise BadTreeFile(
            f"{name!r} has format version {version!r}, but this program reads version {FORMAT_VERSION}: update Plyscope"
        )
    if header.algorithm not in all_algorithms():
        raise BadTreeFile(f"{name!r} names the unknown algorithm {header.algorithm!r}: known are {', '.join(all_algorithms())}")
    if not 1 <= header.rows <= MAX_ROWS:
        raise BadTreeFile(f"the header of {name!r} declares {header.rows} rows: 1 to {MAX_ROWS} are possible")
    if not (math.isfinite(header.seconds) and header.seconds >= 0):
        raise BadTreeFile(f"the header of {name!r} has an impossible time: {header.seconds} seconds")
    return header


def _rebuild_search(name: str, header: Header, game: Any, state: Any) -> CheckedSearch:
    """Return the search that the header describes."""
    if game is None:
        if not header.game:
            raise BadTreeFile(f"{name} belongs to a user's game: load it with game=, or --game my_game.py:Game")
        game = read_game(header.game, max_chars=MAX_SAVED_TEXT_CHARS)
    elif _portable_game_text(game) != header.game:
        raise BadTreeFile(
            f"{name} belongs to {header.game or 'a game of a user'}, not to {game_text(game) or type(game).__name__}"
        )
    root = _read_root(name, header, game, state)
    question = Question(game, root, header.K, header.algorithm, **_header_options(header))
    try:
        checked = check_question(question, header.rows, header.compiled)
    except NotCompilable as error:
        raise BadTreeFile(f"{name} was searched by compiled code, but here {error}") from None
    position = root if header.position is None else header.position or None
    return checked._replace(question=question.replace(position=position, first=header.first))


def _header_options(header: Header) -> dict[str, Any]:
    """Return the options in the header. Options that every file stores are left out if the algorithm does not have them."""
    known = {option.name for option in find_algorithm(header.algorithm).options}
    old = {"cut_on_equal": header.cut_on_equal, "as_published": header.as_published}
    return {name: value for name, value in old.items() if name in known} | (header.options or {})


def _read_root(name: str, header: Header, game: Any, state: Any) -> Any:
    """Return the root. If the file has both a position and a state, they must agree."""
    written = header.position is not None and (header.position == "" or can_read_positions(game) or has_move_list_positions(game))
    if header.state is None:
        if written:
            return read_position(game, header.position or None, header.first)
        if state is None:
            raise BadTreeFile(f"{name} was searched from a state that is not in the file: load it with state=")
        return state
    root = _read_state(name, header, game, header.state)
    if header.game and written and read_position(game, header.position or None, header.first) != root:
        raise BadTreeFile(f"the root of {name} is not its position {short_repr(header.position)}")
    return root


def _read_state(name: str, header: Header, game: Any, parts: list[Any]) -> Any:
    """Read the state in a file, as the game encodes it. In a user's game it may be a plain number or text."""
    try:
        return state_from_parts(game, parts) if header.game or can_encode_states(game) else parts[0]
    except (TypeError, ValueError, IndexError):
        raise BadTreeFile(f"the root {parts!r} of {name} is not a state of the game") from None
