"""A record as data for the judge's own process: its columns, its positions, and its copied calls without live objects."""

from array import array
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec

from engine.checker.recording.call_recorder import COLUMN_NAMES, NO_ROW, RecordedCalls, RootRun, WatchedFunction
from engine.checker.recording.call_snapshots import CallSnapshot
from engine.checker.recording.plain_values import BadValue, decode_value, encode_value
from engine.checker.recording.state_display import CompressedTexts

NUMBER_COLUMNS = tuple(name for name in COLUMN_NAMES if name not in ("arguments", "results"))


class PackedRecord(msgspec.Struct, forbid_unknown_fields=True):
    """RecordedCalls as plain data."""

    functions: list[tuple[str, list[str], int]]
    count: int
    columns: dict[str, bytes]  # 32-bit numbers
    lengths: bytes  # of the arguments of each call
    arguments: bytes  # of all calls, one after the other
    results: bytes
    positions: list[bytes]
    texts: list[str]
    late: bytes
    runs: bytes
    copies: bytes
    is_board_guessed: bool = False


def pack_record(calls: RecordedCalls) -> PackedRecord:
    """Pack a record whose calls have ended."""
    return PackedRecord(
        functions=[(function.name, function.arguments, function.first_line) for function in calls.functions],
        count=len(calls),
        columns={name: array("i", getattr(calls, name)).tobytes() for name in NUMBER_COLUMNS},
        lengths=array("i", map(len, calls.arguments)).tobytes(),
        arguments=encode_value(list(chain.from_iterable(calls.arguments))),
        results=encode_value(calls.results),
        positions=list(calls.positions),
        texts=[text.encode(errors="replace").decode() for text in calls.texts.list_texts()],
        late=calls.late.tobytes(),
        runs=encode_value(calls.runs),
        copies=encode_value(calls.snapshots.calls),
        is_board_guessed=calls.is_board_guessed,
    )


def unpack_record(packed: PackedRecord) -> RecordedCalls:
    """Return the record. Raise BadValue if its parts do not fit together: the process of a program may send anything."""
    calls = RecordedCalls(functions=[WatchedFunction(*function) for function in packed.functions])
    calls.is_board_guessed = packed.is_board_guessed
    try:
        fill_record(calls, packed)
    except (TypeError, ValueError, OverflowError):  # a part of another type
        raise BadValue("the process of the program sent a damaged record") from None
    return calls


def fill_record(calls: RecordedCalls, packed: PackedRecord) -> None:
    """Put a packed record into another one of the same functions."""
    calls.clear()
    for name in NUMBER_COLUMNS:
        getattr(calls, name).extend(_read_numbers(packed.columns.get(name, b"")))
    calls.arguments.extend(_split(decode_value(packed.arguments), _read_numbers(packed.lengths)))
    calls.results.extend(_expect_list(decode_value(packed.results), object))
    calls.positions.update({position: number for number, position in enumerate(packed.positions)})
    calls.late.frombytes(packed.late)
    calls.count = packed.count
    calls.texts = CompressedTexts()
    for text in packed.texts:
        calls.texts.append(text)
    calls.runs = _expect_list(decode_value(packed.runs), RootRun)
    calls.snapshots.calls = _expect_list(decode_value(packed.copies), CallSnapshot)
    _check_record(calls)


def _read_numbers(content: bytes) -> list[int]:
    if len(content) % array("i").itemsize:
        raise BadValue("the process of the program sent a damaged column")
    return list(array("i", content))


def _split(values: Any, lengths: list[int]) -> Iterator[tuple[Any, ...]]:
    everything, place = _expect_list(values, object), 0
    if min(lengths, default=0) < 0 or sum(lengths) != len(everything):
        raise BadValue("the process of the program sent calls without their arguments")
    for length in lengths:
        yield tuple(everything[place : place + length])
        place += length


def _expect_list(values: Any, kind: type) -> list[Any]:
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise BadValue("the process of the program sent a damaged record")
    return values


def _check_record(calls: RecordedCalls) -> None:
    """Raise BadValue if a column has another length, or a number in it points nowhere."""
    rows, columns = len(calls), [getattr(calls, name) for name in COLUMN_NAMES]
    limits = {
        "function": (0, len(calls.functions)),
        "parent": (-1, rows),
        "end": (-1, rows + 1),
        "before": (0, len(calls.positions)),
        "after": (-1, len(calls.positions)),
        "depth": (0, rows + 1),
    }
    fits = all(len(column) == rows for column in columns) and len(calls.late) == len(calls.positions)
    fits = fits and all(
        not rows or (low <= min(getattr(calls, name)) and max(getattr(calls, name)) < high)
        for name, (low, high) in limits.items()
    )
    fits = fits and all(parent < row for row, parent in enumerate(calls.parent))
    fits = fits and all(end == NO_ROW or end > row for row, end in enumerate(calls.end))
    fits = fits and all(
        len(arguments) == len(calls.functions[number].arguments)
        for number, arguments in zip(calls.function, calls.arguments, strict=True)
    )
    fits = fits and all(0 <= run.first <= rows and -1 <= run.end <= rows for run in calls.runs)
    fits = fits and all(_is_copy_of_record(calls, copy) for copy in calls.snapshots.calls)
    if not fits:
        raise BadValue("the process of the program sent a record that is not one of a search")


def _is_copy_of_record(calls: RecordedCalls, copy: CallSnapshot) -> bool:
    known = calls.runs if copy.is_root else calls.functions
    return 0 <= copy.number < len(known) and -1 <= copy.row < len(calls)
