"""One node of a search as a black box: its body is run once, and the calls it makes are answered by chosen numbers.

Children are numbered in the order in which the node first asks for them; the same board asked for again is the same child.
"""

import contextlib
import copy
import inspect
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.checker.diagnosis.program_view import WatchedProgram, Window, as_data, cells, changed
from engine.checker.recording.call_snapshots import Kept, KeptCall, innermost
from engine.checker.recording.state_encoding import is_small, kept_result, photograph, plain
from engine.checker.sandbox.loader import harmless

MOST_ASKED = 400  # calls of a node that are answered before it is given up
SEED = 7


class GivenUp(BaseException):
    """The node asks for more and more. No Exception: the program must not catch it."""


@dataclass
class Asked:
    """A call that the node made instead of which a number was answered."""

    function: int
    child: int
    window: Window | None
    depth: Any
    side: Any
    board: Any
    arguments: tuple[Any, ...]
    same_object: bool  # the state is the node's own object
    in_place: bool  # or has parts in common with it
    with_sibling: bool  # or has parts in common with the state of a child before it


@dataclass
class Reaction:
    """What a node did with the answers."""

    asked: list[Asked] = field(default_factory=list)
    board: Any = None  # at the beginning
    value: Any = None  # the score in its result
    result: Any = None  # the result, numbers and short texts of it
    board_left: dict[tuple[Any, ...], Any] = field(default_factory=dict)  # cells of its state that it changed
    world: dict[str, Any] = field(default_factory=dict)  # small globals and attributes as it left them
    answered: set[float] = field(default_factory=set)  # the numbers, without their signs
    kept: KeptCall | None = None  # the last of the calls that were to be kept
    failed: str = ""

    @property
    def choice(self) -> str:
        """What it has decided: its result, or what it has done instead of returning one."""
        return repr(self.result if self.result is not None else (self.board_left, self.world))

    @property
    def children(self) -> int:
        return len({asked.child for asked in self.asked})


class BlackBox:
    """A kept call that can be made again with answers of ours."""

    MARK = "set by a deeper call"

    def __init__(self, program: WatchedProgram, kept: KeptCall):
        self.program = program
        self.kept = kept
        if kept.is_root:
            self.names = program.calls.runs[kept.number].arguments
            self.name = program.calls.runs[kept.number].name
        else:
            self.names = program.calls.functions[kept.number].arguments
            self.name = program.name(kept.number)

    @property
    def row(self) -> int:
        """The row of the call; of a root, its first one."""
        return self.program.calls.runs[self.kept.number].first if self.kept.is_root else self.kept.row

    @property
    def is_outermost(self) -> bool:
        return self.kept.is_root or self.program.calls.parent[self.kept.row] < 0

    def place(self, role: str) -> int | None:
        return None if self.kept.is_root else self.program.place(self.kept.number, role)

    def given(self, role: str) -> Any:
        place = self.place(role)
        return None if place is None else self.kept.arguments[place]

    def run(
        self,
        answers: Callable[[int], float],
        window: Window | None = None,
        given: dict[str, Any] | None = None,
        seed: int = SEED,
        disturbed: str = "",
        template: int = 0,
        keeps: Callable[[int], bool] | None = None,
    ) -> Reaction:
        """The node run with each child answered by a number. `given` replaces arguments by their names or roles. `disturbed`
        names a global or an attribute that every answer sets to MARK, as a deeper call might. `template` numbers the results of
        the program whose shape the answers have. `keeps` says which children are kept, so that their calls can be made."""
        outcome = Reaction()
        calls = self.program.calls
        replaced = dict(given or {})
        if window is not None:
            replaced |= {"alpha": window[0], "beta": window[1]}
        with self.kept.made_again() as fresh, quiet(seed):
            arguments = list(fresh)
            for role, value in replaced.items():
                place = self.names.index(role) if role in self.names else self.place(role)
                if place is not None:
                    arguments[place] = value
            state = self._state(arguments)
            outcome.board = _board(state)
            known: dict[Any, int] = {}
            held: list[Any] = []  # the children's states, alive as long as their identities are compared

            def answer(number: int, asked: tuple[Any, ...]) -> Any:
                found = self._asked(number, asked, known, state, held)
                outcome.asked.append(found)
                if len(outcome.asked) > MOST_ASKED:
                    raise GivenUp
                if keeps is not None and keeps(found.child):
                    outcome.kept = self._kept(number, asked) or outcome.kept
                self._disturb(disturbed, arguments)
                score = answers(found.child)
                outcome.answered.add(abs(score))
                return _put(self.template(number, template), self.program.score.keys, score)

            was = calls.answer
            calls.answer = answer
            try:
                result = called(self.kept.function, arguments)
                outcome.result = kept_result(result)
                outcome.value = self.program.score.of(outcome.result)
            except (Exception, SystemExit, GivenUp) as error:
                outcome.failed = f"{type(error).__name__}: {error}"
            finally:
                calls.answer = was
            outcome.board_left = left_on(outcome.board, _board(state))
            outcome.world = self._small_world(arguments)
        return outcome

    def _kept(self, number: int, asked: tuple[Any, ...]) -> KeptCall | None:
        """A call that the node makes, as one that can be made."""
        same = next((kept for kept in self.program.calls.kept.calls if kept.number == number and not kept.is_root), None)
        fresh = Kept()
        if same is not None:
            fresh.keep(self.kept.row, number, 0, same.function, asked)
        return fresh.calls[0] if fresh.calls else None

    def _disturb(self, name: str, arguments: Sequence[Any]) -> None:
        owner, _, attribute = name.rpartition(".")
        if owner:
            setattr(arguments[self.names.index(owner)], attribute, self.MARK)
        elif name:
            innermost(self.kept.function).__globals__[name] = self.MARK

    def _state(self, arguments: Sequence[Any]) -> Any:
        place = self.place("state")
        if place is not None:
            return arguments[place]
        return self._globals() if not self.kept.is_root else [thing for thing in arguments if not is_small(thing)]

    def _globals(self) -> list[Any]:
        """What is no argument: lists and objects among the globals."""
        names = innermost(self.kept.function).__globals__
        return [names[name] for name in self.kept.world if not is_small(names[name])]

    def _small_world(self, arguments: Sequence[Any]) -> dict[str, Any]:
        """Numbers and texts that are kept outside of the call: in globals, in attributes of self."""
        names = innermost(self.kept.function).__globals__
        found = {name: plain(names[name]) for name in self.kept.world if is_small(names[name])}
        for name, value in zip(self.names, arguments, strict=False):
            attributes = getattr(value, "__dict__", None)
            if isinstance(attributes, dict) and not isinstance(value, type):
                found |= {f"{name}.{key}": plain(held) for key, held in attributes.items() if is_small(held)}
        return found

    def _asked(self, number: int, arguments: tuple[Any, ...], known: dict[Any, int], state: Any, held: list[Any]) -> Asked:
        small = tuple(plain(thing) if is_small(thing) else None for thing in arguments)
        read = {role: self.program.read(number, small, role) for role in ("alpha", "beta", "depth", "side")}
        place = self.program.place(number, "state")
        board = self._globals() if place is None else arguments[place]
        moves = tuple(
            value
            for name, value in zip(self.program.calls.functions[number].arguments, small, strict=False)
            if name not in self.program.roles[number]
        )
        child = known.setdefault((photograph(board), repr(moves)), len(known))
        window = None if read["alpha"] is None or read["beta"] is None else (read["alpha"], read["beta"])
        with_sibling = bool(held) and _in_common(held[-1], board)
        held.append(board)
        return Asked(
            number,
            child,
            window,
            read["depth"],
            read["side"],
            as_data(board),
            small,
            board is state or place is None,
            place is None or _in_common(state, board),
            with_sibling,
        )

    def template(self, number: int, other: int = 0) -> Any:
        """A result of the program's own, of a leaf if there is one; another one that differs from it beside the score."""
        if not self.program.score.keys:
            return None
        found: dict[str, Any] = {}
        for kept in sorted(self.program.calls.kept.calls, key=lambda kept: (kept.number != number, not kept.is_leaf)):
            result = kept_result(kept.result)
            if not kept.is_root and self.program.score.of(result) is not None:
                found.setdefault(repr(without(result, self.program.score.keys)), kept.result)
        return list(found.values())[other % len(found)] if found else None


def always(score: float) -> Callable[[int], float]:
    """The same answer for every child."""
    return lambda child: score


def one_by_one(scores: Sequence[float]) -> Callable[[int], float]:
    """An answer for each child; the last one for those beyond."""
    return lambda child: scores[min(child, len(scores) - 1)]


def without(result: Any, keys: tuple[Any, ...]) -> Any:
    """A result without the score at the keys: what is left is the move; None where nothing is."""
    if not keys:
        return None
    if isinstance(result, tuple):
        parts = [without(part, keys[1:]) if place == keys[0] else part for place, part in enumerate(result)]
    elif isinstance(result, dict):
        parts = [without(part, keys[1:]) if name == keys[0] else part for name, part in result.items()]
    else:
        return result
    left = [part for part in parts if part is not None]
    return None if not left else left[0] if len(left) == 1 else tuple(left)


def _put(template: Any, keys: tuple[Any, ...], value: float) -> Any:
    if not keys:
        return value
    key, rest = keys[0], keys[1:]
    if isinstance(template, tuple):
        parts = [_put(part, rest, value) if place == key else part for place, part in enumerate(template)]
        return type(template)(*parts) if hasattr(template, "_fields") else tuple(parts)
    shaped = copy.deepcopy(template)
    if isinstance(shaped, (list, np.ndarray)):
        shaped[key] = _put(shaped[key], rest, value)
    elif isinstance(shaped, dict):
        real = next((name for name in shaped if str(name) == key), key)
        shaped[real] = _put(shaped.get(real), rest, value)
    elif shaped is not None:
        setattr(shaped, key, _put(getattr(shaped, key), rest, value))
    return shaped


def called(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    given: list[Any] = []
    named: dict[str, Any] = {}
    for parameter, value in zip(inspect.signature(function).parameters.values(), arguments, strict=False):
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            given.extend(value)
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            named |= value
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            given.append(value)
    return function(*given, **named)


def _board(state: Any) -> Any:
    return as_data(state)


def left_on(before: Any, after: Any) -> dict[tuple[Any, ...], Any]:
    """The cells of a state that were changed: not its own counters, and no table that was filled."""
    old = cells(before)
    is_object = isinstance(before, list) and len(before) == 2 and isinstance(before[0], str) and isinstance(before[1], dict)
    return {
        place: value
        for place, value in changed(before, after).items()
        if not (is_object and len(place) <= 2) and (place in old or not is_object or isinstance(place[-1], int))
    }


def _in_common(one: Any, other: Any) -> bool:
    """Whether two things are one object, or share parts that can be changed."""
    return bool(_parts(one, 3) & _parts(other, 3))


def _parts(thing: Any, levels: int) -> set[int]:
    if isinstance(thing, (list, dict, set, bytearray, np.ndarray)) or hasattr(thing, "__dict__"):
        found = {id(thing)}
    elif isinstance(thing, tuple):
        found = set()
    else:
        return set()
    if levels:
        inside: Any = ()
        if isinstance(thing, (list, tuple)):
            inside = thing[:100]
        elif isinstance(thing, dict):
            inside = list(thing.values())[:100]
        elif not isinstance(thing, (set, bytearray, np.ndarray)) and not callable(thing):
            inside = list(vars(thing).values())
        for part in inside:
            if isinstance(part, (list, dict, tuple, np.ndarray)):
                found |= _parts(part, levels - 1)
    return found


@contextlib.contextmanager
def quiet(seed: int) -> Any:
    """Nothing is printed, and chance falls the same way every time."""
    chance, chance_of_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        with harmless(), contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        random.setstate(chance)
        np.random.set_state(chance_of_numpy)
