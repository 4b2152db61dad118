"""What a search is given and gives back, as it is at one moment: small values as such, everything else as bytes that are equal
where the contents are."""

import math
import re
from typing import Any

import msgspec
import numpy as np

SMALL_TEXT = 40  # characters of a text that counts as a value rather than a position
MOVE = r"move|action|zug|coup|jugada|jogada|movimento|movimiento|mossa"
INT64 = np.dtype(np.int64)
CANNOT_BE_ENCODED = (RecursionError, TypeError, ValueError, OverflowError, AttributeError)
OBJECTS: set[type] = set()  # classes whose objects are known to be nothing but their attributes


def photograph(things: Any) -> bytes:
    """Everything in it as bytes; equal bytes mean equal contents."""
    try:
        return ENCODER.encode(things)
    except CANNOT_BE_ENCODED:
        return repr(things).encode(errors="replace")[:10_000]


def _as_data(thing: Any) -> Any:
    """What msgspec does not know: arrays, sets, objects by their attributes."""
    if type(thing) in OBJECTS:
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
        if not isinstance(thing, (int, float, str, np.generic, BaseException)):
            OBJECTS.add(type(thing))
        return [type(thing).__name__, {str(name): value for name, value in attributes.items()}]
    slots = getattr(type(thing), "__slots__", None)
    if slots:
        names = [slots] if isinstance(slots, str) else slots
        return [type(thing).__name__, {name: getattr(thing, name) for name in names if hasattr(thing, name)}]
    return str(type(thing).__name__)


ENCODER = msgspec.msgpack.Encoder(enc_hook=_as_data)
NUMBERS = frozenset({int, float, bool, type(None)})  # small for certain
LARGE = frozenset({list, dict, set, np.ndarray})  # photographed for certain
CELLS = (int, float, bool, str, type(None), np.generic)


def is_grid(thing: Any) -> bool:
    """Whether it is a list or an array of cells: then its photograph tells its text."""
    if type(thing) is np.ndarray:
        return thing.dtype.kind in "iufb"
    if type(thing) is not list or not thing:
        return False
    first = thing[0]
    return isinstance(first, CELLS) or (type(first) is list and bool(first) and isinstance(first[0], CELLS))


def is_small(thing: Any) -> bool:
    """Whether it is a value that says something by itself: a number, a truth, a short text, nothing."""
    kind = type(thing)
    if kind in NUMBERS:
        return True
    if kind in LARGE or kind in OBJECTS:
        return False
    return isinstance(thing, (int, float, np.number, np.bool_)) or (isinstance(thing, str) and len(thing) <= SMALL_TEXT)


def plain(thing: Any) -> Any:
    """A number of numpy as one of Python."""
    return thing.item() if isinstance(thing, np.generic) else thing


class Attribute(str):
    """The name of an attribute, where that of a key of a dictionary would stand."""


def kept_result(result: Any, levels: int = 2) -> Any:
    """The values in a result: a number, or the same shape with its numbers and short texts; other things as their photograph."""
    if type(result) is tuple and len(result) <= 6 and NUMBERS.issuperset(map(type, result)):
        return result
    if is_small(result):
        return plain(result)
    if isinstance(result, np.ndarray) and result.size <= 4:
        result = result.tolist()
    if levels and isinstance(result, (tuple, list)) and len(result) <= 6:
        return tuple([part if type(part) in NUMBERS else kept_result(part, levels - 1) for part in result])
    if levels and isinstance(result, dict) and len(result) <= 6:
        return {str(name): kept_result(part, levels - 1) for name, part in result.items()}
    attributes = getattr(result, "__dict__", None)
    if levels and isinstance(attributes, dict) and 0 < len(attributes) <= 8 and not callable(result):
        return {
            Attribute(name): kept_result(part, levels - 1)
            for name, part in attributes.items()
            if is_small(part) or re.search(MOVE, name.lower())
        }
    return photograph(result)


def is_number(thing: Any) -> bool:
    return (
        isinstance(thing, (int, float)) and not isinstance(thing, bool) and not (isinstance(thing, float) and math.isnan(thing))
    )


# ---- read again


def decoded(photograph: bytes) -> Any:
    """What was photographed, as lists, dicts, numbers and texts; arrays as lists."""
    try:
        return _with_lists(msgspec.msgpack.decode(photograph, strict=False))
    except (msgspec.DecodeError, ValueError):
        return photograph.decode(errors="replace")


def _with_lists(data: Any) -> Any:
    if isinstance(data, list):
        if len(data) == 3 and isinstance(data[2], bytes) and isinstance(data[1], str) and isinstance(data[0], list):
            return np.frombuffer(data[2], dtype=data[1]).reshape(data[0]).tolist()
        return [_with_lists(part) for part in data]
    if isinstance(data, dict):
        return {name: _with_lists(part) for name, part in data.items()}
    return data
