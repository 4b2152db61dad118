"""Record the calls of a search while it runs: one row per call, in the order of entering.

A wrapper replaces the function under its name, so that recursive calls are recorded too. Numbers among the arguments and
in the result are kept. Everything else is encoded as bytes, once for each different position: at the call, and again at
its end, which shows whether the position was restored.
"""

import inspect
import re
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import process_time
from typing import Any

from engine.checker.recording.argument_layout import ArgumentLayout
from engine.checker.recording.call_snapshots import MAX_SNAPSHOT_LEVEL, CallSnapshots
from engine.checker.recording.plain_values import plain_record
from engine.checker.recording.state_display import CompressedTexts, format_state
from engine.checker.recording.state_encoding import (
    ENCODER,
    ENCODING_ERRORS,
    MAX_POSITION_BYTES,
    SIMPLE_TYPES,
    encode_state,
    find_tables,
    is_grid,
    is_simple_value,
    shorten_large_things,
    simplify_result,
    unwrap_numpy,
)

MAX_ROWS = 200_000
NO_ROW = -1
MAX_KEPT_RUNS = 4
GROWTH_ROWS = 128
COLUMN_NAMES = ("function", "parent", "line", "depth", "end", "before", "after", "arguments", "results")
BINDING_ERRORS = (TypeError, KeyError, IndexError)
POSITION_PATTERN = r"board|brett|plateau|tablero|tabuleiro|state|zustand|etat|estado|grid|grille|node|game|feld|position|stellung"


class TooManyCalls(BaseException):
    """The search makes more calls than are recorded. Not an Exception: the program must not catch it."""

    def __init__(self, limit: int):
        super().__init__(f"more than {limit:,} calls")
        self.limit = limit


@dataclass
class WatchedFunction:
    """A watched function: its name in the program and the names of its arguments, in order."""

    name: str
    arguments: list[str]
    first_line: int = 0
    call: Callable[..., Any] | None = None  # the current wrapper


@plain_record
@dataclass
class RootRun:
    """A call from outside into a function that calls the search. It made the rows `first` to `end` of the search."""

    name: str
    arguments: list[str]
    values: tuple[Any, ...]
    first: int
    end: int = NO_ROW
    result: Any = None
    board: str = ""  # its position, as text


@dataclass
class RecordedCalls:
    """The recorded calls, one entry of every column for each. While a call runs, the columns are longer than `count`."""

    functions: list[WatchedFunction] = field(default_factory=list)
    max_rows: int = MAX_ROWS
    function: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)  # of the caller's source
    depth: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)  # NO_ROW: it did not return
    before: list[int] = field(default_factory=list)  # the position at the call
    after: list[int] = field(default_factory=list)  # and at its end
    arguments: list[tuple[Any, ...]] = field(default_factory=list)  # simple values; None for other arguments
    results: list[Any] = field(default_factory=list)
    count: int = 0
    positions: dict[bytes, int] = field(default_factory=dict)
    texts: CompressedTexts = field(default_factory=CompressedTexts)  # of the positions that are formatted at once
    late: array = field(
        default_factory=lambda: array("b")
    )  # of each position, the index of the thing that gives its text later, or NO_ROW
    here: int = NO_ROW
    runs: list[RootRun] = field(default_factory=list)
    snapshots: CallSnapshots = field(default_factory=CallSnapshots)
    asleep: bool = False  # nothing more is recorded
    sleeps_when_full: bool = False  # instead of raising TooManyCalls
    until: float = inf  # no more calls are recorded after this time
    when_left: Callable[[], None] | None = None  # called when an outermost call returns
    answer: Callable[[int, tuple[Any, ...]], Any] | None = None  # if set, it answers the calls instead of the program
    adjust: Callable[..., Any] | None = None  # if set, it changes the arguments of outermost calls: (number, args, kwargs)
    adjusted: Callable[..., Any] | None = None  # the change that the recorded calls were made with
    is_board_guessed: bool = False  # the program shows no board: it may play on one of another size

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

    def position_number(self, encoded: bytes, things: list[Any], names: list[str], everything: tuple[Any, ...]) -> int:
        """Return the number of a position. Equal positions have the same number.

        Its text is that of the argument with the name of a board. The text of a list or an array is made later from the encoded
        state, in answer_builder.py.
        """
        number = self.positions.get(encoded)
        if number is None:
            place = displayed_thing_index(names, everything) if len(things) > 1 else 0
            late = bool(things) and is_grid(things[place])
            text = format_state(things[place]) if things and not late else ""
            number = self.positions[encoded] = len(self.positions)  # an interrupt after this is repaired
            self.late.append(place if late else NO_ROW)
            if not late:
                self.texts.append(text)
        return number

    def copy_columns(self) -> "RecordedCalls":
        """Return a copy with its own columns."""
        other = replace(self, positions=dict(self.positions), late=self.late[:])
        for name in COLUMN_NAMES:
            setattr(other, name, getattr(self, name)[:])
        return other

    def drop_partial_rows(self) -> None:
        """Repair the record after an interrupt: drop a row that was only partly written, complete a position."""
        self.late.extend([NO_ROW] * (len(self.positions) - len(self.late)))
        for _ in range(self.late.count(NO_ROW) - len(self.texts)):
            self.texts.append("")
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
        self.texts, self.here, self.runs, self.snapshots, self.asleep = CompressedTexts(), NO_ROW, [], CallSnapshots(), False
        for number in range(len(self.functions)):
            self.snapshots.add_function(number)


def record_function(
    calls: RecordedCalls, name: str, function: Callable[..., Any], read_globals: Callable[[], Any] | None = None
) -> Callable[..., Any]:
    """Return a wrapper that records the calls of a function.

    `read_globals` returns the globals that belong to a position.
    """
    signature = inspect.signature(function)
    names = list(signature.parameters)
    number = next((place for place, known in enumerate(calls.functions) if known.name == name), len(calls.functions))
    if number == len(calls.functions):  # a closure is defined many times
        calls.functions.append(WatchedFunction(name, names, getattr(getattr(function, "__code__", None), "co_firstlineno", 0)))
    bind_arguments, layout = make_argument_binder(signature), ArgumentLayout()
    calls.snapshots.add_function(number)
    usual = len(names) if has_only_positional_arguments(signature) else NO_ROW
    # objects that stay the same are looked up once
    encode, known = ENCODER.encode, calls.positions.get
    functions, parents, depths, ends, lines = calls.function, calls.parent, calls.depth, calls.end, calls.line
    current_frame = sys._getframe
    befores, afters, arguments, results = calls.before, calls.after, calls.arguments, calls.results

    def call_unrecorded(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make or answer a call that is not recorded."""
        if calls.answer is not None:
            try:
                everything = bind_arguments(args, kwargs)
            except BINDING_ERRORS:
                return function(*args, **kwargs)  # raises the program's own error
            return calls.answer(number, everything)
        if not calls.asleep and not calls.sleeps_when_full:
            raise TooManyCalls(calls.max_rows)
        calls.asleep = True
        return function(*args, **kwargs)

    def position(everything: tuple[Any, ...], encoded: bytes | None) -> int:
        """Return the number of a position that is new, or that cannot be encoded directly."""
        things = [thing for thing in everything if not is_simple_value(thing)]
        if read_globals is not None:
            things.append(read_globals())
        encoded = encode_state(things) if encoded is None else encoded
        if len(encoded) > MAX_POSITION_BYTES:
            if any(find_tables(thing) for thing in things):
                layout.kind = None
                encoded = encode_state(things)
            encoded = encoded if len(encoded) <= MAX_POSITION_BYTES else shorten_large_things(things)
        if process_time() > calls.until:
            calls.max_rows = min(calls.max_rows, calls.count)
        return calls.position_number(encoded, things, names, everything)

    def call(*args: Any, **kwargs: Any) -> Any:
        """Record one call. This is as short as possible: many programs do next to nothing between two calls."""
        if calls.answer is not None or calls.asleep or calls.count >= calls.max_rows:
            return call_unrecorded(args, kwargs)
        if calls.adjust is not None and calls.here == NO_ROW:
            args, kwargs = calls.adjust(number, args, kwargs)
        everything = args
        if kwargs or len(args) != usual:
            try:
                everything = bind_arguments(args, kwargs)
            except BINDING_ERRORS:
                return function(*args, **kwargs)
        place, kind = layout.place, layout.kind
        try:
            small = layout.seen[everything[:place] + everything[place + 1 :]] if type(everything[place]) is kind else None
        except (KeyError, TypeError, IndexError):  # new, or not hashable
            small = None
        things: Sequence[Any]
        if small is None or kind is None:
            small, things = layout.split_arguments(everything)
        else:
            things = ((layout.name, everything[place].__dict__),) if layout.name else (everything[place],)
        if read_globals is not None:
            things = (*things, read_globals())
        encoded: bytes | None
        try:
            encoded = encode(things)
            before = known(encoded)
        except ENCODING_ERRORS:
            encoded = before = None
        if before is None:
            before = position(everything, encoded)
        if calls.count >= len(results):
            calls.grow_columns()
        row, outer = calls.count, calls.here
        calls.here = row
        calls.count = row + 1
        level = 0 if outer == NO_ROW else depths[outer] + 1
        functions[row] = number
        parents[row] = outer
        lines[row] = current_frame(1).f_lineno
        depths[row] = level
        arguments[row] = small
        befores[row] = before
        snapshots = calls.snapshots
        copied = (
            level <= MAX_SNAPSHOT_LEVEL
            and snapshots.levels[number][level]
            and snapshots.offer_call(row, number, level, function, everything)
        )
        try:
            result = function(*args, **kwargs) if kwargs else function(*args)
        finally:
            calls.here = outer
            if outer == NO_ROW:
                calls.trim_columns()
        ends[row] = calls.count
        results[row] = result if type(result) in SIMPLE_TYPES else simplify_result(result)
        if copied:
            snapshots.add_result(row, result, ends[row] == row + 1)
        try:
            same = encode(things if read_globals is None else (*things[:-1], read_globals())) == encoded
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
    """Return the index of the position among the encoded things: by its name, else the first that is not `self`."""
    large = [name for name, thing in zip(names, everything, strict=False) if not is_simple_value(thing)]
    named = [place for place, name in enumerate(large) if re.search(POSITION_PATTERN, name.lower())]
    others = [place for place, name in enumerate(large) if name not in ("self", "this", "cls")]
    return next(iter([*named, *others]), 0)


def record_root_function(
    calls: RecordedCalls, name: str, function: Callable[..., Any], read_globals: Callable[[], Any] | None = None
) -> Callable[..., Any]:
    """Return a wrapper that records the runs of a function which calls the search from outside.

    The function may be the loop over the root's moves.
    """
    signature = inspect.signature(function)
    names = list(signature.parameters)
    bind_arguments = make_argument_binder(signature)

    def call(*args: Any, **kwargs: Any) -> Any:
        if calls.answer is not None or calls.asleep or calls.here != NO_ROW:
            return function(*args, **kwargs)
        try:
            everything = bind_arguments(args, kwargs)
        except BINDING_ERRORS:
            return function(*args, **kwargs)
        small = tuple(unwrap_numpy(thing) if is_simple_value(thing) else None for thing in everything)
        large = [thing for thing in everything if not is_simple_value(thing)] or (
            [read_globals()] if read_globals is not None else []
        )
        place = displayed_thing_index(names, everything) if len(large) > 1 else 0
        run = RootRun(name, names, small, len(calls), board=format_state(large[place]) if large else "")
        calls.runs.append(run)
        if len(calls.runs) <= MAX_KEPT_RUNS:
            calls.snapshots.copy_call(NO_ROW, len(calls.runs) - 1, 0, function, everything)
        result = function(*args, **kwargs)
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

    def bind_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if not simple:
            filled = signature.bind(*args, **kwargs)
            filled.apply_defaults()
            return tuple(filled.arguments.values())
        if not kwargs:
            return args + usual[len(args) :]
        everything = [*args, *usual[len(args) :]]
        for name, value in kwargs.items():
            everything[places[name]] = value
        return tuple(everything)

    return bind_arguments
