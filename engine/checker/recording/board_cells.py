"""Boards as cells: every number and text in a board by its path, and the cells in which two boards differ."""

import copy
from typing import Any

import numpy as np

MIN_SPLIT_CHARS, MAX_SPLIT_CHARS = 4, 400  # of a text whose characters are cells
_NO_CELL = object()
_PLAIN_TYPES = frozenset((int, float, bool, type(None)))


def flatten_cells(board: Any) -> dict[tuple[Any, ...], Any]:
    """Return everything in a board by its path: numbers and texts. A text of many characters is split into them."""
    found: dict[tuple[Any, ...], Any] = {}
    _collect_cells(board, (), found)
    return found


def has_cell(board: Any, path: tuple[Any, ...]) -> bool:
    """Return True if `flatten_cells` has a cell at a path, without looking at the rest of the board.

    >>> has_cell([[1, 2], {"a": "abcd"}], (1, "a", 3)), has_cell([[1, 2]], (0,)), has_cell([[1, 2]], (0, 2))
    (True, False, False)
    """
    part = board
    for key in path:
        if isinstance(part, dict):
            if key not in part:
                return False
        elif not (isinstance(part, (list, tuple)) or _is_split(part)) or not (isinstance(key, int) and 0 <= key < len(part)):
            return False
        part = part[key]
    return not isinstance(part, (list, tuple, dict)) and not _is_split(part)


def _is_split(thing: Any) -> bool:
    """Return True for a text whose characters are cells."""
    return isinstance(thing, (str, bytes)) and MIN_SPLIT_CHARS <= len(thing) <= MAX_SPLIT_CHARS


def _collect_cells(board: Any, place: tuple[Any, ...], found: dict[tuple[Any, ...], Any]) -> None:
    if not isinstance(board, (list, tuple, dict)):
        found.update({(*place, key): part for key, part in enumerate(board)} if _is_split(board) else {place: board})
        return
    for key, part in board.items() if isinstance(board, dict) else enumerate(board):
        if type(part) in _PLAIN_TYPES or (type(part) is str and len(part) < MIN_SPLIT_CHARS):  # most cells: without a call
            found[(*place, key)] = part
        else:
            _collect_cells(part, (*place, key), found)


def changed_cells(before: Any, after: Any) -> dict[tuple[Any, ...], Any]:
    """Return the cells that changed or are new. Removed cells are None."""
    changed: dict[tuple[Any, ...], Any] = {}
    removed: dict[tuple[Any, ...], Any] = {}
    _collect_changes(before, after, (), changed, removed)
    return changed | removed


def _collect_changes(
    before: Any, after: Any, place: tuple[Any, ...], changed: dict[tuple[Any, ...], Any], removed: dict[tuple[Any, ...], Any]
) -> None:
    """Compare part by part. Most parts of two boards are equal, and need not be looked into."""
    if before == after:
        return
    if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)):
        before, after = dict(enumerate(before)), dict(enumerate(after))
    if isinstance(before, dict) and isinstance(after, dict):
        for name, part in after.items():
            if name in before:
                _collect_changes(before[name], part, (*place, name), changed, removed)
            else:
                _collect_cells(part, (*place, name), changed)
        gone: dict[tuple[Any, ...], Any] = {}
        for name in [name for name in before if name not in after]:
            _collect_cells(before[name], (*place, name), gone)
        removed.update(dict.fromkeys(gone))
        return
    old: dict[tuple[Any, ...], Any] = {}
    new: dict[tuple[Any, ...], Any] = {}
    _collect_cells(before, place, old)
    _collect_cells(after, place, new)
    changed.update({path: value for path, value in new.items() if old.get(path, _NO_CELL) != value})
    removed.update(dict.fromkeys(path for path in old if path not in new))


def read_cell(thing: Any, path: tuple[Any, ...]) -> Any:
    """Return the thing at a path of `flatten_cells`, as it is: a member of an Enum, not its value."""
    if not path:
        return thing
    key, rest = path[0], path[1:]
    if isinstance(thing, (list, tuple, dict, str, np.ndarray)):
        return read_cell(thing[key], rest)
    return read_cell(getattr(thing, rest[0]), rest[1:])


def replace_cell(thing: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a thing with another value at a path of `flatten_cells`. Lists, dicts and objects are changed in place.

    >>> replace_cell([[1, 2], (3, "abcd")], (1, 1, 2), "x")
    [[1, 2], (3, 'abxd')]
    """
    if not path:
        return value
    key, rest = path[0], path[1:]
    if isinstance(thing, np.ndarray):
        thing[path] = value
    elif isinstance(thing, str):
        return thing[:key] + value + thing[key + 1 :]
    elif isinstance(thing, tuple):
        return tuple(replace_cell(part, rest, value) if place == key else part for place, part in enumerate(thing))
    elif isinstance(thing, (list, dict)):
        thing[key] = replace_cell(thing[key], rest, value)
    else:
        held = getattr(thing, rest[0])
        is_own = rest[0] in getattr(thing, "__dict__", rest)
        held = held if is_own else copy.deepcopy(held)  # a board of the class, which other objects have too
        setattr(thing, rest[0], replace_cell(held, rest[1:], value))
    return thing


def replace_cells(thing: Any, cells: dict[tuple[Any, ...], Any]) -> Any:
    """Return a thing with other values at some paths. Lists, dicts and objects are changed in place."""
    for path, value in cells.items():
        thing = replace_cell(thing, path, value)
    return thing


def changed_parts(left: dict[tuple[Any, ...], Any]) -> set[Any]:
    """Return the parts of a state with changed cells: attributes of an object, "" for anything else."""
    return {place[1] if len(place) > 1 and isinstance(place[1], str) else "" for place in left}
