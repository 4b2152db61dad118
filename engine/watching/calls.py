"""Writing down the calls of a search while it runs: one row a call, in the order of entering.

A wrapper stands where the function's name is looked up, so that recursion goes through it. Numbers among the arguments and in the
result are kept as such; everything else is photographed as a short text of bytes, one for each different position: at the call,
and again at its end, which shows whether it was restored.
"""

import inspect
import math
import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from engine.watching.kept import DEEPEST_KEPT, Kept
from engine.watching.showing import PackedTexts, shown

MOST_ROWS = 200_000
NOTHING = -1
MOST_RUNS_KEPT = 4
SMALL_TEXT = 40  # characters of a text that counts as a value rather than a position
POSITION = r"board|brett|plateau|tablero|tabuleiro|state|zustand|etat|estado|grid|grille|node|game|feld|position|stellung"


class TooManyCalls(BaseException):
    """The search makes more calls than are written down. No Exception: the program must not catch it."""


@dataclass
class Watched:
    """A function that is watched: its name in the program and the names of its arguments, in order."""

    name: str
    arguments: list[str]
    first_line: int = 0
    call: Callable[..., Any] | None = None  # the wrapper, as the program calls it now


@dataclass
class Run:
    """A call from outside into a function that calls the search: the calls of the search that it made are rows first to end."""

    name: str
    arguments: list[str]
    given: tuple[Any, ...]
    first: int
    end: int = NOTHING
    result: Any = None
    board: str = ""  # the position that it was given, as text


@dataclass
class Calls:
    """The calls, one entry of every column for each. `numbers[f][argument]` belongs to the calls of function f only, by row."""

    functions: list[Watched] = field(default_factory=list)
    most_rows: int = MOST_ROWS
    function: array = field(default_factory=lambda: array("b"))
    parent: array = field(default_factory=lambda: array("i"))
    depth: array = field(default_factory=lambda: array("H"))
    end: array = field(default_factory=lambda: array("i"))  # NOTHING: it did not return
    before: array = field(default_factory=lambda: array("i"))  # the position at the call
    after: array = field(default_factory=lambda: array("i"))  # and at its end
    arguments: list[tuple[Any, ...]] = field(default_factory=list)  # numbers, truths, short texts; None for the others
    results: list[Any] = field(default_factory=list)
    positions: dict[bytes, int] = field(default_factory=dict)
    texts: PackedTexts = field(default_factory=PackedTexts)  # of each position
    late: array = field(default_factory=lambda: array("b"))  # of those without a text, which thing of the photograph it is
    here: int = NOTHING
    runs: list[Run] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)
    asleep: bool = False  # nothing more is written down
    sleeps_when_full: bool = False  # rather than being stopped
    when_left: Callable[[], None] | None = None  # told when a call that no other has made comes back
    answer: Callable[[int, tuple[Any, ...]], Any] | None = None  # answers the calls instead of the program, where it is set

    def __len__(self) -> int:
        return len(self.function)

    def position(self, things: list[Any], names: list[str], everything: tuple[Any, ...]) -> int:
        """The number of a position; the same for equal ones. Its text is that of the thing that is called a board or the like; of
        lists and arrays it is made of the photograph when it is needed: telling.py."""
        photo = photograph(things)
        number = self.positions.get(photo)
        if number is None:
            number = self.positions[photo] = len(self.positions)
            place = shown_place(names, everything) if len(things) > 1 else 0
            late = bool(things) and is_grid(things[place])
            self.late.append(place if late else NOTHING)
            self.texts.append(shown(things[place]) if things and not late else "")
        return number

    def settle(self) -> None:
        """Make whole what an interrupt may have left: a row that was being written is no row."""
        columns = (self.function, self.parent, self.depth, self.end, self.before, self.after, self.arguments, self.results)
        rows = min(map(len, columns))
        for column in columns:
            del column[rows:]
        self.here = NOTHING
        for row, end in enumerate(self.end):
            self.end[row] = min(end, rows)
        for run in self.runs:
            run.end = min(run.end, rows)

    def forget(self) -> None:
        """Begin again; the functions stay."""
        for column in (self.function, self.parent, self.depth, self.end, self.before, self.after, self.arguments, self.results):
            del column[:]
        self.positions.clear()
        del self.late[:]
        self.texts, self.here, self.runs, self.kept, self.asleep = PackedTexts(), NOTHING, [], Kept(), False


OBJECTS: set[type] = set()  # classes whose objects are known to be nothing but their attributes


def photograph(things: Any) -> bytes:
    """Everything in it as bytes; equal bytes mean equal contents."""
    try:
        return ENCODER.encode(things)
    except (RecursionError, TypeError, ValueError, OverflowError, AttributeError):
        return repr(things).encode(errors="replace")[:10_000]


def _as_data(thing: Any) -> Any:
    """What msgspec does not know: arrays, sets, objects by their attributes."""
    if type(thing) in OBJECTS:
        return [type(thing).__name__, thing.__dict__]
    if isinstance(thing, np.ndarray):
        if thing.dtype.str == "<i8":
            whole = thing.tobytes()
            low = whole[::8]
            if whole.count(0) == 7 * len(low) + low.count(0):  # small numbers, as on most boards: one byte each
                return [list(thing.shape), "|u1", low]
        return [list(thing.shape), thing.dtype.str, thing.tolist() if thing.dtype.hasobject else thing.tobytes()]
    if isinstance(thing, np.generic):
        return thing.item()
    if isinstance(thing, (range, map, zip)):
        return str(thing)
    if callable(thing) and not hasattr(thing, "__dict__"):
        return str(getattr(thing, "__name__", type(thing).__name__))
    attributes = getattr(thing, "__dict__", None)
    if isinstance(attributes, dict) and not isinstance(thing, type) and not callable(thing):
        if not isinstance(thing, (np.generic, BaseException)):
            OBJECTS.add(type(thing))
        return [type(thing).__name__, {str(name): value for name, value in attributes.items()}]
    slots = getattr(type(thing), "__slots__", None)
    if slots:
        names = [slots] if isinstance(slots, str) else slots
        return [type(thing).__name__, {name: getattr(thing, name) for name in names if hasattr(thing, name)}]
    return str(type(thing).__name__)


ENCODER = msgspec.msgpack.Encoder(enc_hook=_as_data)
NUMBERS = {int, float, bool, type(None)}  # small for certain
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
    return (
        thing is None
        or isinstance(thing, (bool, int, float, np.number, np.bool_))
        or (isinstance(thing, str) and len(thing) <= SMALL_TEXT)
    )


def plain(thing: Any) -> Any:
    """A number of numpy as one of Python."""
    return thing.item() if isinstance(thing, np.generic) else thing


def watched(calls: Calls, name: str, function: Callable[..., Any], also: Callable[[], Any] | None = None) -> Callable[..., Any]:
    """The function such that its calls are written down. `also` gives what else belongs to a position: globals that change."""
    signature = inspect.signature(function)
    names = list(signature.parameters)
    number = next((place for place, known in enumerate(calls.functions) if known.name == name), len(calls.functions))
    if number == len(calls.functions):  # a closure is defined again and again
        calls.functions.append(Watched(name, names, getattr(getattr(function, "__code__", None), "co_firstlineno", 0)))
    bound = binder(signature)
    rows, depths = calls.function, calls.depth  # the columns stay the same objects, so that they are looked up once
    note_function, note_parent, note_end = calls.function.append, calls.parent.append, calls.end.append
    note_before, note_after = calls.before.append, calls.after.append
    note_arguments, note_result = calls.arguments.append, calls.results.append

    def call(*given: Any, **named: Any) -> Any:
        row = len(rows)
        if calls.answer is None and calls.asleep:
            return function(*given, **named)
        if calls.answer is None and row >= calls.most_rows:
            if not calls.sleeps_when_full:
                raise TooManyCalls
            calls.asleep = True
            return function(*given, **named)
        try:
            everything = bound(given, named)
        except (TypeError, KeyError, IndexError):
            return function(*given, **named)  # raises what it raises
        if calls.answer is not None:
            return calls.answer(number, everything)
        outer = calls.here
        calls.here = row
        level = 0 if outer == NOTHING else depths[outer] + 1
        note_function(number)
        note_parent(outer)
        depths.append(level)
        note_end(NOTHING)
        note_after(NOTHING)
        small, things = [], []
        for thing in everything:
            if type(thing) in NUMBERS:
                small.append(thing)
            elif is_small(thing):
                small.append(plain(thing))
            else:
                small.append(None)
                things.append(thing)
        note_arguments(tuple(small))
        note_result(None)
        note_before(calls.position(things if also is None else [*things, also()], names, everything))
        copied = (
            level <= DEEPEST_KEPT
            and calls.kept.wants(number, level)
            and calls.kept.keep(row, number, level, function, everything)
        )
        try:
            result = function(*given, **named)
        finally:
            calls.here = outer
        calls.end[row] = len(rows)
        calls.results[row] = result if type(result) in NUMBERS else kept_result(result)
        if copied:
            calls.kept.finish(row, result, calls.end[row] == row + 1)
        calls.after[row] = calls.position(things if also is None else [*things, also()], names, everything)
        if outer == NOTHING and calls.when_left is not None:
            calls.when_left()
        return result

    call.__name__ = getattr(function, "__name__", name)
    call.__wrapped__ = function  # type: ignore[attr-defined]
    calls.functions[number].call = call
    return call


def shown_place(names: Sequence[str], everything: tuple[Any, ...]) -> int:
    """Which of the things that are photographed is the position: the one that is called so, else the first but the object."""
    large = [name for name, thing in zip(names, everything, strict=False) if not is_small(thing)]
    named = [place for place, name in enumerate(large) if re.search(POSITION, name.lower())]
    others = [place for place, name in enumerate(large) if name not in ("self", "this", "cls")]
    return next(iter([*named, *others]), 0)


def watched_root(
    calls: Calls, name: str, function: Callable[..., Any], also: Callable[[], Any] | None = None
) -> Callable[..., Any]:
    """A function that calls the search from outside, such that its runs are written down: it may be the loop over the root's
    moves."""
    signature = inspect.signature(function)
    names = list(signature.parameters)
    bound = binder(signature)

    def call(*given: Any, **named: Any) -> Any:
        if calls.answer is not None or calls.asleep or calls.here != NOTHING:
            return function(*given, **named)
        try:
            everything = bound(given, named)
        except (TypeError, KeyError, IndexError):
            return function(*given, **named)
        small = tuple(plain(thing) if is_small(thing) else None for thing in everything)
        large = [thing for thing in everything if not is_small(thing)] or ([also()] if also is not None else [])
        place = shown_place(names, everything) if len(large) > 1 else 0
        run = Run(name, names, small, len(calls), board=shown(large[place]) if large else "")
        calls.runs.append(run)
        if len(calls.runs) <= MOST_RUNS_KEPT:
            calls.kept.keep(NOTHING, len(calls.runs) - 1, 0, function, everything)
        result = function(*given, **named)
        run.end, run.result = len(calls), kept_result(result)
        if calls.when_left is not None:
            calls.when_left()
        return result

    call.__name__ = getattr(function, "__name__", name)
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def decorator(calls: Calls, functions: Sequence[str], roots: Sequence[str] = ()) -> Callable[[str], Callable[[Any], Any]]:
    """What `load` puts around the functions of a search, and around those that call it from outside."""

    def around(name: str) -> Callable[[Any], Any]:
        return lambda function: (watched if name in functions else watched_root)(calls, name, function)

    return around


def binder(signature: inspect.Signature) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, ...]]:
    """All arguments of a call in the order of the definition."""
    names = list(signature.parameters)
    usual = tuple(
        None if parameter.default is inspect.Parameter.empty else parameter.default for parameter in signature.parameters.values()
    )
    places = {name: place for place, name in enumerate(names)}
    simple = all(parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in signature.parameters.values())

    def bound(given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        if not simple:
            filled = signature.bind(*given, **named)
            filled.apply_defaults()
            return tuple(filled.arguments.values())
        if not named:
            return given + usual[len(given) :]
        everything = [*given, *usual[len(given) :]]
        for name, value in named.items():
            everything[places[name]] = value
        return tuple(everything)

    return bound


class Attribute(str):
    """The name of an attribute, where that of a key of a dictionary would stand."""


def kept_result(result: Any, levels: int = 2) -> Any:
    """The values in a result: a number, or the same shape with its numbers and short texts; other things as their photograph."""
    if is_small(result):
        return plain(result)
    if isinstance(result, np.ndarray) and result.size <= 4:
        result = result.tolist()
    if levels and isinstance(result, (tuple, list)) and len(result) <= 6:
        return tuple(kept_result(part, levels - 1) for part in result)
    if levels and isinstance(result, dict) and len(result) <= 6:
        return {str(name): kept_result(part, levels - 1) for name, part in result.items()}
    attributes = getattr(result, "__dict__", None)
    if levels and isinstance(attributes, dict) and 0 < len(attributes) <= 8 and not callable(result):
        return {Attribute(name): kept_result(part, levels - 1) for name, part in attributes.items() if is_small(part)}
    return photograph(result)


def is_number(thing: Any) -> bool:
    return (
        isinstance(thing, (int, float)) and not isinstance(thing, bool) and not (isinstance(thing, float) and math.isnan(thing))
    )
