"""Values of a program as bytes, and back as plain data: for another process that has none of the program's classes.

Numbers, texts, lists, tuples, sets and dicts stay what they are. A member of an Enum becomes one with the same name and
value. The records in `PLAIN_RECORDS` keep their class. Anything else becomes a HiddenValue.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from engine.core.errors import PlyscopeError

PLAIN_TYPES = frozenset((bool, int, float, str, bytes, type(None)))
MAX_LEVELS = 60  # of things in each other
MAX_NAME_CHARS = 100
MAX_NUMBERED = 10_000  # objects of a program: they stay in memory
PLAIN_LIST, LIST, TUPLE, SET, FROZEN_SET, DICT, INT, ENUM, RECORD, HIDDEN = "pltsfdierh"
PLAIN_RECORDS: dict[str, type] = {}  # by their names
MIXED_TYPES = {"int": int, "str": str}  # that the members of an Enum may be as well
Record = TypeVar("Record", bound=type)


class BadValue(PlyscopeError):
    """Bytes that are no values."""


class HiddenValue(NamedTuple):
    """An object of the program. Only the program's own process has it."""

    kind: str  # the name of its class
    number: int = 0  # of those that can be keys of a dict; equal ones have the same number


def plain_record(kind: Record) -> Record:
    """Register a dataclass or a NamedTuple: its records keep their class on their way to another process."""
    PLAIN_RECORDS[kind.__name__] = kind
    return kind


# ---- writing


def encode_value(value: Any) -> bytes:
    """Encode a value of the program."""
    try:
        return msgspec.msgpack.encode(_simplify(value, MAX_LEVELS, False))
    except (OverflowError, UnicodeError):  # a large number or a lone surrogate
        return msgspec.msgpack.encode(_simplify(value, MAX_LEVELS, True))


def _simplify(value: Any, levels: int, careful: bool) -> Any:
    """Return a value as msgpack knows it. With `careful`, numbers and texts that msgpack refuses are possible."""
    kind = type(value)
    if kind in PLAIN_TYPES:
        return _simplify_plain(value) if careful else value
    if not levels:
        return [HIDDEN, kind.__name__, 0]
    if kind is HiddenValue:
        return [HIDDEN, *value]
    if kind is list and not careful and PLAIN_TYPES.issuperset(map(type, value)):
        return [PLAIN_LIST, value]
    if issubclass(kind, Enum):
        return [ENUM, _describe_member(value), _simplify(value._value_, levels - 1, careful)]
    if PLAIN_RECORDS.get(kind.__name__) is kind:
        return [RECORD, kind.__name__, *_simplify_all(_list_parts(value), levels, careful)]
    if issubclass(kind, np.generic):
        return _simplify(value.item(), levels - 1, careful)
    if issubclass(kind, dict):
        return [DICT, *_simplify_all([part for pair in value.items() for part in pair], levels, careful)]
    for base, tag in ((list, LIST), (tuple, TUPLE), (set, SET), (frozenset, FROZEN_SET)):
        if issubclass(kind, base):
            return [tag, *_simplify_all(value, levels, careful)]
    plain = next((base for base in (int, float, str, bytes) if issubclass(kind, base)), None)
    if plain is not None:
        return _simplify(plain(value), levels - 1, careful)
    return [HIDDEN, kind.__name__, _number_object(value)]


def _number_object(value: Any) -> int:
    """Return a number for an object of the program: the squares of a board may be objects of a class, too."""
    try:
        return _NUMBERS[value] if len(_NUMBERS) == MAX_NUMBERED else _NUMBERS.setdefault(value, len(_NUMBERS) + 1)
    except Exception:  # it is unhashable, or unknown, or its methods fail
        return 0


_NUMBERS: dict[Any, int] = {}  # of hashable objects of the program


def _simplify_plain(value: Any) -> Any:
    if type(value) is int and value.bit_length() > 62:
        return [INT, hex(value)]
    return value.encode(errors="replace").decode() if type(value) is str else value


def _simplify_all(values: Iterable[Any], levels: int, careful: bool) -> list[Any]:
    return [_simplify(value, levels - 1, careful) for value in values]


def _describe_member(member: Enum) -> list[str]:
    mixed = next((name for name, kind in MIXED_TYPES.items() if isinstance(member, kind)), "")
    texts = (type(member).__name__, str(member._name_), _format_member(member, repr), _format_member(member, str))
    return [mixed, *(text[:MAX_NAME_CHARS].encode(errors="replace").decode() for text in texts)]


def _format_member(member: Enum, form: Callable[[Enum], str]) -> str:
    try:
        return form(member)
    except Exception:  # the program's own method
        return str(member._name_)


def _list_parts(record: Any) -> Iterable[Any]:
    if isinstance(record, str):
        return [str(record)]
    if hasattr(record, "list_plain_parts"):
        parts: Iterable[Any] = record.list_plain_parts()
        return parts
    return [getattr(record, part.name) for part in fields(record)] if is_dataclass(record) else record


# ---- reading


def decode_value(content: bytes) -> Any:
    """Decode a value. Raise BadValue if the bytes are none: the process of a program may send anything."""
    try:
        return _restore(msgspec.msgpack.decode(content))
    except (msgspec.DecodeError, TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise BadValue(f"the process of the program sent a damaged value ({type(error).__name__})") from None


def _restore(data: Any) -> Any:
    return data if type(data) in PLAIN_TYPES else RESTORERS[data[0]](data[1:])


def _restore_all(parts: list[Any]) -> list[Any]:
    return [part if type(part) in PLAIN_TYPES else RESTORERS[part[0]](part[1:]) for part in parts]


def _restore_dict(parts: list[Any]) -> dict[Any, Any]:
    values = _restore_all(parts)
    return dict(zip(values[::2], values[1::2], strict=True))


def _restore_record(parts: list[Any]) -> Any:
    return PLAIN_RECORDS[parts[0]](*_restore_all(parts[1:]))


def _restore_member(parts: list[Any]) -> Any:
    (mixed, kind, name, shown, text), value = parts
    key = (mixed, kind, name, shown, text)
    if key not in _MEMBERS:
        made: Any = Enum(kind, {name: _restore(value)}, type=MIXED_TYPES.get(mixed))  # type: ignore[misc]
        for method, words in (("__repr__", shown), ("__str__", text)):
            setattr(made, method, lambda member, words=words: words)
        _MEMBERS[key] = made[name]
    return _MEMBERS[key]


_MEMBERS: dict[tuple[str, ...], Any] = {}  # of the program's enums: one for each name, as equal ones have to be the same

RESTORERS: dict[str, Callable[[list[Any]], Any]] = {
    PLAIN_LIST: lambda parts: parts[0],
    LIST: _restore_all,
    TUPLE: lambda parts: tuple(_restore_all(parts)),
    SET: lambda parts: set(_restore_all(parts)),
    FROZEN_SET: lambda parts: frozenset(_restore_all(parts)),
    DICT: _restore_dict,
    INT: lambda parts: int(parts[0], 16),
    ENUM: _restore_member,
    RECORD: _restore_record,
    HIDDEN: lambda parts: HiddenValue(str(parts[0]), int(parts[1])),
}
