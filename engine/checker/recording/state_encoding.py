"""Arguments and results of a search at one moment: simple values as they are, everything else as bytes.

The bytes are equal where the contents are equal.
"""

import hashlib
import math
import re
from enum import Enum
from typing import Any

import msgspec
import numpy as np

from engine.checker.recording.plain_values import plain_record
from engine.checker.recording.shared_state import read_shared_attributes

MAX_SIMPLE_TEXT_CHARS = 40  # longer texts count as positions, not as values
MOVE_PATTERN = r"move|action|zug|coup|jugada|jogada|movimento|movimiento|mossa"
INT64 = np.dtype(np.int64)
ENCODING_ERRORS = (RecursionError, TypeError, ValueError, OverflowError, AttributeError)
MAX_LINKED_VALUES = 200  # of a thing in a circle of references
MAX_POSITION_BYTES = 64 << 10  # of which all bytes are kept
MIN_TABLE_ENTRIES = 200
ATTRIBUTE_CLASSES: set[type] = set()  # classes whose objects are encoded by their attributes

TABLES: dict[type, set[str]] = {}  # for each class, the attributes that only grow: tables, lists of everything that was seen
TABLE_SIZES: dict[tuple[type, str], int] = {}


def encode_state(things: Any) -> bytes:
    """Encode things as bytes. Equal bytes mean equal contents."""
    try:
        return ENCODER.encode(things)
    except ENCODING_ERRORS:
        return _encode_linked_things(things)


def find_tables(thing: Any) -> bool:
    """Look for attributes of an object that are large and have grown. Return True if there is a new one.

    They are left out of its encoded state from then on: a position would have all the positions before it in it.
    """
    attributes = getattr(thing, "__dict__", None)
    if not isinstance(attributes, dict) or callable(thing):
        return False
    found = False
    kind = type(thing)
    for name, value in attributes.items():
        if isinstance(value, (dict, set, list)) and len(value) >= MIN_TABLE_ENTRIES and name not in TABLES.get(kind, ()):
            before = TABLE_SIZES.setdefault((kind, name), len(value))
            if len(value) > before:
                TABLES.setdefault(kind, set()).add(name)
                ATTRIBUTE_CLASSES.discard(kind)
                found = True
    return found


def shorten_large_things(things: list[Any]) -> bytes:
    """Encode the things of a large position. Those that are too large, such as an object with a table, become a fingerprint.

    A search with a table of all its positions would fill the memory otherwise.
    """
    parts = [encode_state(thing) for thing in things]
    return ENCODER.encode(
        [
            msgspec.Raw(part) if len(part) <= MAX_POSITION_BYTES else f"#{hashlib.blake2b(part, digest_size=16).hexdigest()}"
            for part in parts
        ]
    )


def _encode_linked_things(things: Any) -> bytes:
    """Encode things that refer to each other in a circle, such as nodes with parents: by identity and by the first values."""
    parts = things if isinstance(things, (list, tuple)) else [things]
    return ENCODER.encode([[f"@{id(part)}", repr(_flatten_linked_thing(part))] for part in parts])


def _flatten_linked_thing(thing: Any) -> list[Any]:
    """Return the simple values in a thing and around it, each with its distance, up to a number."""
    found: list[Any] = []
    waiting: list[tuple[int, Any]] = [(0, thing)]
    seen: set[int] = set()
    while waiting and len(found) < MAX_LINKED_VALUES:
        distance, part = waiting.pop(0)
        if is_simple_value(part):
            found.append([distance, part.name if isinstance(part, Enum) else unwrap_numpy(part)])
        elif id(part) not in seen:
            seen.add(id(part))
            inside = part.values() if isinstance(part, dict) else getattr(part, "__dict__", {}).values()
            inside = part if isinstance(part, (list, tuple, set, frozenset)) else inside
            inside = part.ravel().tolist() if isinstance(part, np.ndarray) else inside
            waiting.extend((distance + 1, one) for one in list(inside)[:MAX_LINKED_VALUES])
    return found


def _to_data(thing: Any) -> Any:
    """Convert what msgspec does not know: arrays, sets, objects by their attributes."""
    if type(thing) in ATTRIBUTE_CLASSES:
        return [type(thing).__name__, thing.__dict__]
    if isinstance(thing, np.ndarray):
        if thing.dtype is INT64:
            whole = thing.tobytes()
            low = whole[::8]
            if whole.count(0) == 7 * len(low) + low.count(0):  # small numbers, as on most boards: one byte each
                return thing.shape, "|u1", low
        return thing.shape, thing.dtype.str, thing.tolist() if thing.dtype.hasobject else thing.tobytes()
    if isinstance(thing, np.generic):
        return thing.item()
    if isinstance(thing, (range, map, zip)):
        return str(thing)
    if callable(thing) and not hasattr(thing, "__dict__"):
        return str(getattr(thing, "__name__", type(thing).__name__))
    attributes = getattr(thing, "__dict__", None)
    if isinstance(attributes, dict) and not isinstance(thing, type) and not callable(thing):
        shared, tables = read_shared_attributes(thing), TABLES.get(type(thing), ())
        if not shared and not tables and not isinstance(thing, (int, float, str, np.generic, BaseException)):
            ATTRIBUTE_CLASSES.add(type(thing))
        return [type(thing).__name__, {str(name): value for name, value in (shared | attributes).items() if name not in tables}]
    slots = getattr(type(thing), "__slots__", None)
    if slots:
        names = [slots] if isinstance(slots, str) else slots
        return [type(thing).__name__, {name: getattr(thing, name) for name in names if hasattr(thing, name)}]
    return str(type(thing).__name__)


ENCODER = msgspec.msgpack.Encoder(enc_hook=_to_data)
SIMPLE_TYPES = frozenset({int, float, bool, type(None)})  # always simple
STRUCTURED_TYPES = frozenset({list, dict, set, np.ndarray})  # always encoded
CELL_TYPES = (int, float, bool, str, type(None), np.generic)


def is_grid(thing: Any) -> bool:
    """Return True for a list or an array of cells: its text can be made from its encoded state."""
    if type(thing) is np.ndarray:
        return thing.dtype.kind in "iufb"
    if type(thing) is not list or not thing:
        return False
    first = thing[0]
    return isinstance(first, CELL_TYPES) or (type(first) is list and bool(first) and isinstance(first[0], CELL_TYPES))


def is_simple_value(thing: Any) -> bool:
    """Return True for a value that speaks for itself: a number, a bool, a short text, a member of an Enum, None."""
    kind = type(thing)
    if kind in SIMPLE_TYPES:
        return True
    if kind in STRUCTURED_TYPES or kind in ATTRIBUTE_CLASSES:
        return False
    return isinstance(thing, (int, float, np.number, np.bool_, Enum)) or (
        isinstance(thing, str) and len(thing) <= MAX_SIMPLE_TEXT_CHARS
    )


def unwrap_numpy(thing: Any) -> Any:
    """Return a numpy number as a Python number, and anything else unchanged."""
    return thing.item() if isinstance(thing, np.generic) else thing


@plain_record
class AttributeName(str):
    """The name of an attribute, used like the key of a dict."""


def simplify_result(result: Any, levels: int = 2) -> Any:
    """Reduce a result to its values: a number, or the same structure with its numbers and short texts.

    Other things are encoded.
    """
    if type(result) is tuple and len(result) <= 6 and SIMPLE_TYPES.issuperset(map(type, result)):
        return result
    if is_simple_value(result):
        return unwrap_numpy(result)
    if isinstance(result, np.ndarray) and result.size <= 4:
        result = result.tolist()
    if levels and isinstance(result, (tuple, list)) and len(result) <= 6:
        return tuple([part if type(part) in SIMPLE_TYPES else simplify_result(part, levels - 1) for part in result])
    if levels and isinstance(result, dict) and len(result) <= 6:
        return {str(name): simplify_result(part, levels - 1) for name, part in result.items()}
    attributes = getattr(result, "__dict__", None)
    if levels and isinstance(attributes, dict) and 0 < len(attributes) <= 8 and not callable(result):
        return {
            AttributeName(name): simplify_result(part, levels - 1)
            for name, part in attributes.items()
            if is_simple_value(part) or re.search(MOVE_PATTERN, name.lower())
        }
    return encode_state(result)


def is_number(thing: Any) -> bool:
    """Return True for an int or a float that is neither a bool nor NaN."""
    return (
        isinstance(thing, (int, float)) and not isinstance(thing, bool) and not (isinstance(thing, float) and math.isnan(thing))
    )


# ---- decoding


def decode_state(encoded: bytes) -> Any:
    """Decode an encoded state into lists, dicts, numbers and texts. Arrays become lists."""
    try:
        return _arrays_to_lists(msgspec.msgpack.decode(encoded, strict=False))
    except (msgspec.DecodeError, ValueError):
        return encoded.decode(errors="replace")


def _arrays_to_lists(data: Any) -> Any:
    if isinstance(data, list):
        if len(data) == 3 and isinstance(data[2], bytes) and isinstance(data[1], str) and isinstance(data[0], list):
            return np.frombuffer(data[2], dtype=data[1]).reshape(data[0]).tolist()
        return [_arrays_to_lists(part) for part in data]
    if isinstance(data, dict):
        return {name: _arrays_to_lists(part) for name, part in data.items()}
    return data
