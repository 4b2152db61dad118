"""Record the calls of a search while it runs: one row per call, in the order of entering.

A wrapper stands where the function's name is looked up, so that recursion goes through it. Numbers among the arguments and
in the result are kept. Everything else is encoded as bytes, once for each different position: at the call, and again at
its end, which shows whether the position was restored.
"""

import inspect
import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.checker.recording.argument_layout import ArgumentLayout
from engine.checker.recording.call_snapshots import MAX_SNAPSHOT_LEVEL, CallSnapshots
from engine.checker.recording.state_display import CompressedTexts, format_state
from engine.checker.recording.state_encoding import (
    ENCODER,
    ENCODING_ERRORS,
    SIMPLE_TYPES,
    encode_state,
    is_grid,
    is_simple_value,
    simplify_result,
    unwrap_numpy,
)

MAX_ROWS = 200_000
NO_ROW = -1
MAX_KEPT_RUNS = 4
GROWTH_ROWS = 128  # rows
COLUMN_NAMES = ("function", "parent", "depth", "end", "before", "after", "arguments", "results")
BINDING_ERRORS = (TypeError, KeyError, IndexError)
POSITION_PATTERN = r"board|brett|plateau|tablero|tabuleiro|state|zustand|etat|estado|grid|grille|node|game|feld|position|stellung"


class TooManyCalls(BaseException):
    """The search makes more calls than are recorded. Not an Exception: the program must not catch it."""


@dataclass
class WatchedFunction:
    """A watched function: its name in the program and the names of its arguments, in order."""

    name: str
    arguments: list[str]
    first_line: int = 0
    call: Callable[..., Any] | None = None  # the wrapper, as the program calls it now


@dataclass
class RootRun:
    """A call from outside into a function that calls the search. It made the rows `first` to `end` of the search."""

    name: str
    arguments: list[str]
    given: tuple[Any, ...]
    first: int
    end: int = NO_ROW
    result: Any = None
    board: str = ""  # the position that it was given, as text


@dataclass
class RecordedCalls:
    """The recorded calls, one entry of every column for each. While a call runs, the columns are longer than `count`."""

    functions: list[WatchedFunction] = field(default_factory=list)
    most_rows: int = MAX_ROWS
    function: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)  # NOTHING: it did not return
    before: list[int] = field(default_factory=list)  # the position at the call
    after: list[int] = field(default_factory=list)  # and at its end
    arguments: list[tuple[Any, ...]] = field(default_factory=list)  # numbers, truths, short texts; None for the others
    results: list[Any] = field(default_factory=list)
    count: int = 0
    positions: dict[bytes, int] = field(default_factory=dict)
    texts: CompressedTexts = field(default_factory=CompressedTexts)  # of the positions that are not late
    late: array = field(default_factory=lambda: array("b"))  # of each position, which of the encoded things gives its text
    here: int = NO_ROW
    runs: list[RootRun] = field(default_factory=list)
    kept: CallSnapshots = field(default_factory=CallSnapshots)
    asleep: bool = False  # nothing more is written down
    sleeps_when_full: bool = False  # rather than being stopped
    when_left: Callable[[], None] | None = None  # called when an outermost call returns
    answer: Callable[[int, tuple[Any, ...]], Any] | None = None  # answers the calls instead of the program, where it is set

    def __len__(self) -> int:
        return self.count

    def grow_columns(self) -> None:
        """Make room for more calls."""
        for column in self._columns():
            filler: list[Any] = [None if column is self.results else NO_ROW]
            column.extend(filler * (self.count + GROWTH_ROWS - len(column)))

    def trim_columns(self) -> None:
        """Cut every column to the number of calls."""
        for column in self._columns():
            del column[self.count :]

    def _columns(self) -> tuple[list[Any], ...]:
        return tuple(getattr(self, name) for name in COLUMN_NAMES)

    def position_number(self, photo: bytes, things: list[Any], names: list[str], everything: tuple[Any, ...]) -> int:
        """Return the number of a position. Equal positions have the same number.

        Its text is that of the argument with the name of a board. The text of a list or an array is made later from the encoded
        state, in answer_builder.py.
        """
        number = self.positions.get(photo)
        if number is None:
            number = self.positions[photo] = len(self.positions)
            place = displayed_thing_index(names, everything) if len(things) > 1 else 0
            late = bool(things) and is_grid(things[place])
            if not late:
                self.texts.append(format_state(things[place]) if things else "")
            self.late.append(place if late else NO_ROW)
        return number

    def copy_columns(self) -> "RecordedCalls":
        """Return a copy with columns of its own."""
        other = replace(self, positions=dict(self.positions), late=self.late[:])
        for name in COLUMN_NAMES:
            setattr(other, name, getattr(self, name)[:])
        return other

    def drop_partial_rows(self) -> None:
        """Repair the record after an interrupt: drop a row that was only partly written."""
        while self.count and self.before[self.count - 1] == NO_ROW:
            self.count -= 1
        self.trim_columns()
        self.here = NO_ROW
        self.end[:] = [min(end, self.count) for end in self.end]
        for run in self.runs:
            run.end = min(run.end, self.count)

    def clear(self) -> None:
        """Delete all calls. The functions stay."""
        self.count = 0
        self.trim_columns()
        self.positions.clear()
        del self.late[:]
        self.texts, self.here, self.runs, self.kept, self.asleep = CompressedTexts(), NO_ROW, [], CallSnapshots(), False
        for number in range(len(self.functions)):
            self.kept.remaining_copies(number)


def record_function(
    calls: RecordedCalls, name: str, function: Callable[..., Any], also: Callable[[], Any] | None = None
) -> Callable[..., Any]:
    """Return a wrapper that records the calls of a function.

    `also` returns what else belongs to a position: globals that change.
    """
    signature = inspect.signature(function)
    names = list(signature.parameters)
    number = next((place for place, known in enumerate(calls.functions) if known.name == name), len(calls.functions))
    if number == len(calls.functions):  # a closure is defined again and again
        calls.functions.append(WatchedFunction(name, names, getattr(getattr(function, "__code__", None), "co_firstlineno", 0)))
    bind_arguments, layout = make_argument_binder(signature), ArgumentLayout()
    calls.kept.remaining_copies(number)
    usual = len(names) if has_only_positional_arguments(signature) else NO_ROW
    # what stays the same object is looked up once
    encode, known = ENCODER.encode, calls.positions.get
    functions, parents, depths, ends = calls.function, calls.parent, calls.depth, calls.end
    befores, afters, arguments, results = calls.before, calls.after, calls.arguments, calls.results

    def call_unrecorded(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """Make or answer a call that is not recorded."""
        if calls.answer is not None:
            try:
                everything = bind_arguments(given, named)
            except BINDING_ERRORS:
                return function(*given, **named)  # raises what it raises
            return calls.answer(number, everything)
        if not calls.asleep and not calls.sleeps_when_full:
            raise TooManyCalls
        calls.asleep = True
        return function(*given, **named)

    def position(everything: tuple[Any, ...], photo: bytes | None) -> int:
        """Return the number of a position that is new, or that cannot be encoded directly."""
        things = [thing for thing in everything if not is_simple_value(thing)]
        if also is not None:
            things.append(also())
        return calls.position_number(encode_state(things) if photo is None else photo, things, names, everything)

    def call(*given: Any, **named: Any) -> Any:
        """Record one call. This is as short as possible: many programs do next to nothing between two calls."""
        if calls.answer is not None or calls.asleep or calls.count >= calls.most_rows:
            return call_unrecorded(given, named)
        everything = given
        if named or len(given) != usual:
            try:
                everything = bind_arguments(given, named)
            except BINDING_ERRORS:
                return function(*given, **named)
        place, kind = layout.place, layout.kind
        try:
            small = layout.seen[everything[:place] + everything[place + 1 :]] if type(everything[place]) is kind else None
        except (KeyError, TypeError, IndexError):  # new, or no small values
            small = None
        things: Sequence[Any]
        if small is None or kind is None:
            small, things = layout.split_arguments(everything)
        else:
            things = ((layout.name, everything[place].__dict__),) if layout.name else (everything[place],)
        if also is not None:
            things = (*things, also())
        photo: bytes | None
        try:
            photo = encode(things)
            before = known(photo)
        except ENCODING_ERRORS:
            photo = before = None
        if before is None:
            before = position(everything, photo)
        if calls.count >= len(results):
            calls.grow_columns()
        row, outer = calls.count, calls.here
        calls.here = row
        calls.count = row + 1
        level = 0 if outer == NO_ROW else depths[outer] + 1
        functions[row] = number
        parents[row] = outer
        depths[row] = level
        arguments[row] = small
        befores[row] = before
        kept = calls.kept
        copied = (
            level <= MAX_SNAPSHOT_LEVEL
            and kept.levels[number][level]
            and kept.copy_call(row, number, level, function, everything)
        )
        try:
            result = function(*given, **named) if named else function(*given)
        finally:
            calls.here = outer
            if outer == NO_ROW:
                calls.trim_columns()
        ends[row] = calls.count
        results[row] = result if type(result) in SIMPLE_TYPES else simplify_result(result)
        if copied:
            kept.add_result(row, result, ends[row] == row + 1)
        try:
            same = encode(things if also is None else (*things[:-1], also())) == photo
        except ENCODING_ERRORS:
            same = False
        afters[row] = before if same else position(everything, None)
        if outer == NO_ROW and calls.when_left is not None:
            calls.when_left()
        return result

    call.__name__ = getattr(function, "__name__", name)
    call.__wrapped__ = function  # type: ignore[attr-defined]
    calls.functions[number].call = call
    return call


def displayed_thing_index(names: Sequence[str], everything: tuple[Any, ...]) -> int:
    """Return which of the encoded things is the position: the one with such a name, else the first that is not `self`."""
    large = [name for name, thing in zip(names, everything, strict=False) if not is_simple_value(thing)]
    named = [place for place, name in enumerate(large) if re.search(POSITION_PATTERN, name.lower())]
    others = [place for place, name in enumerate(large) if name not in ("self", "this", "cls")]
    return next(iter([*named, *others]), 0)


def record_root_function(
    calls: RecordedCalls, name: str, function: Callable[..., Any], also: Callable[[], Any] | None = None
) -> Callable[..., Any]:
    """Return a wrapper that records the runs of a function which calls the search from outside.

    The function may be the loop over the root's moves.
    """
    signature = inspect.signature(function)
    names = list(signature.parameters)
    bind_arguments = make_argument_binder(signature)

    def call(*given: Any, **named: Any) -> Any:
        if calls.answer is not None or calls.asleep or calls.here != NO_ROW:
            return function(*given, **named)
        try:
            everything = bind_arguments(given, named)
        except BINDING_ERRORS:
            return function(*given, **named)
        small = tuple(unwrap_numpy(thing) if is_simple_value(thing) else None for thing in everything)
        large = [thing for thing in everything if not is_simple_value(thing)] or ([also()] if also is not None else [])
        place = displayed_thing_index(names, everything) if len(large) > 1 else 0
        run = RootRun(name, names, small, len(calls), board=format_state(large[place]) if large else "")
        calls.runs.append(run)
        if len(calls.runs) <= MAX_KEPT_RUNS:
            calls.kept.copy_call(NO_ROW, len(calls.runs) - 1, 0, function, everything)
        result = function(*given, **named)
        run.end, run.result = len(calls), simplify_result(result)
        if calls.when_left is not None:
            calls.when_left()
        return result

    call.__name__ = getattr(function, "__name__", name)
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call


def make_decorator(
    calls: RecordedCalls, functions: Sequence[str], roots: Sequence[str] = ()
) -> Callable[[str], Callable[[Any], Any]]:
    """Return the decorator that `load_program` puts around the functions of a search, and around those that call it."""

    def decorate(name: str) -> Callable[[Any], Any]:
        return lambda function: (record_function if name in functions else record_root_function)(calls, name, function)

    return decorate


def has_only_positional_arguments(signature: inspect.Signature) -> bool:
    """Return True if every argument can be given by position: no *args, no **kwargs, nothing keyword-only."""
    return all(parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in signature.parameters.values())


def make_argument_binder(signature: inspect.Signature) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, ...]]:
    """Return a function that gives all arguments of a call in the order of the definition."""
    names = list(signature.parameters)
    usual = tuple(
        None if parameter.default is inspect.Parameter.empty else parameter.default for parameter in signature.parameters.values()
    )
    places = {name: place for place, name in enumerate(names)}
    simple = has_only_positional_arguments(signature)

    def bind_arguments(given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
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

    return bind_arguments
