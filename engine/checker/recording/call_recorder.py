"""Writing down the calls of a search while it runs: one row a call, in the order of entering.

A wrapper stands where the function's name is looked up, so that recursion goes through it. Numbers among the arguments and in the
result are kept as such; everything else is photographed as a short text of bytes, one for each different position: at the call,
and again at its end, which shows whether it was restored.
"""

import inspect
import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.checker.recording.argument_layout import Layout
from engine.checker.recording.call_snapshots import DEEPEST_KEPT, Kept
from engine.checker.recording.state_display import PackedTexts, shown
from engine.checker.recording.state_encoding import (
    CANNOT_BE_ENCODED,
    ENCODER,
    NUMBERS,
    is_grid,
    is_small,
    kept_result,
    photograph,
    plain,
)

MOST_ROWS = 200_000
NOTHING = -1
MOST_RUNS_KEPT = 4
GROWTH = 128  # rows
COLUMNS = ("function", "parent", "depth", "end", "before", "after", "arguments", "results")
NOT_ITS_ARGUMENTS = (TypeError, KeyError, IndexError)
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
    """The calls, one entry of every column for each. While a call runs, the columns are longer than there are calls."""

    functions: list[Watched] = field(default_factory=list)
    most_rows: int = MOST_ROWS
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
    texts: PackedTexts = field(default_factory=PackedTexts)  # of the positions that are not late
    late: array = field(default_factory=lambda: array("b"))  # of each position, which thing of the photograph tells its text
    here: int = NOTHING
    runs: list[Run] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)
    asleep: bool = False  # nothing more is written down
    sleeps_when_full: bool = False  # rather than being stopped
    when_left: Callable[[], None] | None = None  # told when a call that no other has made comes back
    answer: Callable[[int, tuple[Any, ...]], Any] | None = None  # answers the calls instead of the program, where it is set

    def __len__(self) -> int:
        return self.count

    def grow(self) -> None:
        """Make room for more calls."""
        for column in self._columns():
            filler: list[Any] = [None if column is self.results else NOTHING]
            column.extend(filler * (self.count + GROWTH - len(column)))

    def trim(self) -> None:
        """As many entries as there are calls."""
        for column in self._columns():
            del column[self.count :]

    def _columns(self) -> tuple[list[Any], ...]:
        return tuple(getattr(self, name) for name in COLUMNS)

    def position(self, photo: bytes, things: list[Any], names: list[str], everything: tuple[Any, ...]) -> int:
        """The number of a position; the same for equal ones. Its text is that of the thing that is called a board or the like; of
        lists and arrays it is made of the photograph when it is needed: answer_builder.py."""
        number = self.positions.get(photo)
        if number is None:
            number = self.positions[photo] = len(self.positions)
            place = shown_place(names, everything) if len(things) > 1 else 0
            late = bool(things) and is_grid(things[place])
            if not late:
                self.texts.append(shown(things[place]) if things else "")
            self.late.append(place if late else NOTHING)
        return number

    def copied(self) -> "Calls":
        """The same, in columns of its own."""
        other = replace(self, positions=dict(self.positions), late=self.late[:])
        for name in COLUMNS:
            setattr(other, name, getattr(self, name)[:])
        return other

    def settle(self) -> None:
        """Make whole what an interrupt may have left: a row that was being written is no row."""
        while self.count and self.before[self.count - 1] == NOTHING:
            self.count -= 1
        self.trim()
        self.here = NOTHING
        self.end[:] = [min(end, self.count) for end in self.end]
        for run in self.runs:
            run.end = min(run.end, self.count)

    def forget(self) -> None:
        """Begin again; the functions stay."""
        self.count = 0
        self.trim()
        self.positions.clear()
        del self.late[:]
        self.texts, self.here, self.runs, self.kept, self.asleep = PackedTexts(), NOTHING, [], Kept(), False
        for number in range(len(self.functions)):
            self.kept.wanted(number)


def watched(calls: Calls, name: str, function: Callable[..., Any], also: Callable[[], Any] | None = None) -> Callable[..., Any]:
    """The function such that its calls are written down. `also` gives what else belongs to a position: globals that change."""
    signature = inspect.signature(function)
    names = list(signature.parameters)
    number = next((place for place, known in enumerate(calls.functions) if known.name == name), len(calls.functions))
    if number == len(calls.functions):  # a closure is defined again and again
        calls.functions.append(Watched(name, names, getattr(getattr(function, "__code__", None), "co_firstlineno", 0)))
    bound, layout = binder(signature), Layout()
    calls.kept.wanted(number)
    usual = len(names) if is_simple(signature) else NOTHING
    # what stays the same object is looked up once
    encode, known = ENCODER.encode, calls.positions.get
    functions, parents, depths, ends = calls.function, calls.parent, calls.depth, calls.end
    befores, afters, arguments, results = calls.before, calls.after, calls.arguments, calls.results

    def aside(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        """A call that is not written down."""
        if calls.answer is not None:
            try:
                everything = bound(given, named)
            except NOT_ITS_ARGUMENTS:
                return function(*given, **named)  # raises what it raises
            return calls.answer(number, everything)
        if not calls.asleep and not calls.sleeps_when_full:
            raise TooManyCalls
        calls.asleep = True
        return function(*given, **named)

    def position(everything: tuple[Any, ...], photo: bytes | None) -> int:
        """The number of a position that was not seen before, or that cannot be photographed at once."""
        things = [thing for thing in everything if not is_small(thing)]
        if also is not None:
            things.append(also())
        return calls.position(photograph(things) if photo is None else photo, things, names, everything)

    def call(*given: Any, **named: Any) -> Any:
        """As few steps as there can be: many a program does next to nothing between two of its calls."""
        if calls.answer is not None or calls.asleep or calls.count >= calls.most_rows:
            return aside(given, named)
        everything = given
        if named or len(given) != usual:
            try:
                everything = bound(given, named)
            except NOT_ITS_ARGUMENTS:
                return function(*given, **named)
        place, kind = layout.place, layout.kind
        try:
            small = layout.seen[everything[:place] + everything[place + 1 :]] if type(everything[place]) is kind else None
        except (KeyError, TypeError, IndexError):  # new, or no small values
            small = None
        things: Sequence[Any]
        if small is None or kind is None:
            small, things = layout.taken_apart(everything)
        else:
            things = ((layout.name, everything[place].__dict__),) if layout.name else (everything[place],)
        if also is not None:
            things = (*things, also())
        photo: bytes | None
        try:
            photo = encode(things)
            before = known(photo)
        except CANNOT_BE_ENCODED:
            photo = before = None
        if before is None:
            before = position(everything, photo)
        if calls.count >= len(results):
            calls.grow()
        row, outer = calls.count, calls.here
        calls.here = row
        calls.count = row + 1
        level = 0 if outer == NOTHING else depths[outer] + 1
        functions[row] = number
        parents[row] = outer
        depths[row] = level
        arguments[row] = small
        befores[row] = before
        kept = calls.kept
        copied = level <= DEEPEST_KEPT and kept.levels[number][level] and kept.keep(row, number, level, function, everything)
        try:
            result = function(*given, **named) if named else function(*given)
        finally:
            calls.here = outer
            if outer == NOTHING:
                calls.trim()
        ends[row] = calls.count
        results[row] = result if type(result) in NUMBERS else kept_result(result)
        if copied:
            kept.finish(row, result, ends[row] == row + 1)
        try:
            same = encode(things if also is None else (*things[:-1], also())) == photo
        except CANNOT_BE_ENCODED:
            same = False
        afters[row] = before if same else position(everything, None)
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
        except NOT_ITS_ARGUMENTS:
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


def is_simple(signature: inspect.Signature) -> bool:
    """Whether every argument can be given by its place: no *others, no **options."""
    return all(parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in signature.parameters.values())


def binder(signature: inspect.Signature) -> Callable[[tuple[Any, ...], dict[str, Any]], tuple[Any, ...]]:
    """All arguments of a call in the order of the definition."""
    names = list(signature.parameters)
    usual = tuple(
        None if parameter.default is inspect.Parameter.empty else parameter.default for parameter in signature.parameters.values()
    )
    places = {name: place for place, name in enumerate(names)}
    simple = is_simple(signature)

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
