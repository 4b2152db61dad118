"""One node of a search as a black box: run its body once and answer its calls with chosen numbers.

Children are numbered in the order in which the node first calls them. The same board called again is the same child.
"""

import contextlib
import copy
import inspect
import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.checker.diagnosis.program_view import WatchedProgram, Window, to_plain_data
from engine.checker.recording.board_cells import changed_cells, has_cell
from engine.checker.recording.call_snapshots import CallSnapshot, CallSnapshots, unwrap_function
from engine.checker.recording.observations import observed
from engine.checker.recording.plain_values import plain_record
from engine.checker.recording.state_encoding import encode_state, is_number, is_simple_value, simplify_result, unwrap_numpy
from engine.checker.sandbox.loader import format_error, noninteractive_mode

MAX_CHILD_CALLS = 400  # answered calls of a node, before the probe gives up
DEFAULT_SEED = 7
MAX_SHARED_LEVELS = 3  # in which the parts of two states are compared


class TooManyChildCalls(BaseException):
    """The node makes more and more calls. Not an Exception: the program must not catch it."""


@plain_record
@dataclass
class ChildCall:
    """A call that the node made. It was answered with a number instead of being run."""

    function: int
    child: int
    window: Window | None
    depth: Any
    side: Any
    board: Any
    arguments: tuple[Any, ...]
    same_object: bool  # the state is the node's own object
    in_place: bool  # or shares parts with it
    with_sibling: bool  # or shares parts with the state of an earlier child


@plain_record
@dataclass
class ProbeResult:
    """The result of running a node with chosen answers."""

    child_calls: list[ChildCall] = field(default_factory=list)
    board: Any = None  # at the beginning
    value: Any = None  # the score in its result
    result: Any = None  # the result, reduced to numbers and short texts
    board_left: dict[tuple[Any, ...], Any] = field(default_factory=dict)  # cells of its state that it changed
    world: dict[str, Any] = field(default_factory=dict)  # simple globals and attributes at the end
    answered: set[float] = field(default_factory=set)  # the absolute values of the answers
    snapshot: CallSnapshot | None = None  # the last of the calls that were to be snapshot
    failed: str = ""
    encoded: bytes = b""  # the whole result of the function around the search

    @property
    def choice(self) -> str:
        """Return the decision: the result with everything in it, or the changes if nothing was returned."""
        return repr((self.result, self.encoded) if self.result is not None else (self.board_left, self.world))

    @property
    def children(self) -> int:
        """Return the number of different children that were called."""
        return len({call.child for call in self.child_calls})


class BlackBox:
    """A copied call that can be made again with our answers."""

    MARK = "set by a deeper call"

    def __init__(self, program: WatchedProgram, snapshot: CallSnapshot):
        self.program = program
        self.snapshot = snapshot
        self._templates: dict[tuple[int, int], Any] = {}  # of results, by function and number
        if snapshot.is_root:
            self.names = program.calls.runs[snapshot.number].arguments
            self.name = program.calls.runs[snapshot.number].name
        else:
            self.names = program.calls.functions[snapshot.number].arguments
            self.name = program.function_name(snapshot.number)

    @property
    def row(self) -> int:
        """Return the row of the call; of a root, its first one."""
        return self.program.calls.runs[self.snapshot.number].first if self.snapshot.is_root else self.snapshot.row

    @property
    def is_outermost(self) -> bool:
        """Return True for a root, or a call that no other call of the search made."""
        return self.snapshot.is_root or self.program.calls.parent[self.snapshot.row] < 0

    def role_index(self, role: str) -> int | None:
        """Return the index of the argument in a role, or None."""
        return None if self.snapshot.is_root else self.program.role_index(self.snapshot.number, role)

    def argument(self, role: str) -> Any:
        """Return the argument in a role, or None."""
        place = self.role_index(role)
        return None if place is None else self.snapshot.arguments[place]

    @observed
    def run(
        self,
        answers: Callable[[int], float],
        window: Window | None = None,
        overrides: dict[str, Any] | None = None,
        seed: int = DEFAULT_SEED,
        disturbed: str = "",
        template: int = 0,
        should_copy: Callable[[int], bool] | None = None,
    ) -> ProbeResult:
        """Run the node and answer each child with a number.

        `overrides` replaces arguments by their names or roles. `disturbed` names a global or an attribute that every answer sets
        to MARK, as a deeper call might. `template` selects the result of the program that gives the answers their structure.
        `should_copy` tells which children are copied, so that their calls can be made.
        """
        outcome = ProbeResult()
        calls = self.program.calls
        new_values = dict(overrides or {})
        if window is not None:
            new_values |= {"alpha": window[0], "beta": window[1]}
        with self.snapshot.restored_context() as fresh, reproducible_run(seed):
            arguments = list(fresh)
            for role, value in new_values.items():
                place = self.names.index(role) if role in self.names else self.role_index(role)
                if place is not None:
                    arguments[place] = value
            state = self._find_state(arguments)
            outcome.board = _to_board(state)
            known: dict[Any, int] = {}
            held = [(state, _mutable_part_ids(state, MAX_SHARED_LEVELS))]  # kept alive while their identities are compared

            def answer(number: int, child_arguments: tuple[Any, ...]) -> Any:
                found = self._describe_child_call(number, child_arguments, known, held)
                outcome.child_calls.append(found)
                if len(outcome.child_calls) > MAX_CHILD_CALLS:
                    raise TooManyChildCalls
                if should_copy is not None and should_copy(found.child):
                    outcome.snapshot = self._copy_child_call(number, child_arguments) or outcome.snapshot
                self._overwrite_value(disturbed, arguments)
                score = answers(found.child)
                outcome.answered.add(abs(score))
                return insert_score(self.result_template(number, template), self.program.score.keys, score)

            was = calls.answer
            calls.answer = answer
            try:
                result = call_with_arguments(self.snapshot.function, arguments)
                outcome.result = simplify_result(result)
                outcome.value = self.program.score.read_score(outcome.result)
                outcome.encoded = encode_state(result) if self.snapshot.is_root and result is not None else b""
            except (Exception, SystemExit, TooManyChildCalls) as error:
                outcome.failed = format_error(error)
            finally:
                calls.answer = was
            outcome.board_left = lasting_changes(outcome.board, _to_board(state))
            outcome.world = self._read_outer_values(arguments)
        return outcome

    def _copy_child_call(self, number: int, child_arguments: tuple[Any, ...]) -> CallSnapshot | None:
        """Return a copy of a call that the node makes, or None."""
        same = next(
            (snapshot for snapshot in self.program.calls.snapshots.calls if snapshot.number == number and not snapshot.is_root),
            None,
        )
        fresh = CallSnapshots(mentioned=self.program.calls.snapshots.mentioned)
        if same is not None:
            fresh.copy_call(self.snapshot.row, number, 0, same.function, child_arguments)
        return replace(fresh.calls[0], seconds=self.snapshot.seconds) if fresh.calls else None  # no time passes between them

    def _overwrite_value(self, name: str, arguments: Sequence[Any]) -> None:
        owner, _, attribute = name.rpartition(".")
        if owner:
            setattr(arguments[self.names.index(owner)], attribute, self.MARK)
        elif name:
            unwrap_function(self.snapshot.function).__globals__[name] = self.MARK

    def _find_state(self, arguments: Sequence[Any]) -> Any:
        place = self.role_index("state")
        if place is not None:
            return arguments[place]
        return (
            self._global_things() if not self.snapshot.is_root else [thing for thing in arguments if not is_simple_value(thing)]
        )

    def _global_things(self) -> list[Any]:
        """Return the lists and objects among the globals."""
        names = unwrap_function(self.snapshot.function).__globals__
        return [names[name] for name in self.snapshot.world if not is_simple_value(names[name])]

    def _read_outer_values(self, arguments: Sequence[Any]) -> dict[str, Any]:
        """Return numbers and texts outside of the call: in globals, in attributes of arguments."""
        names = unwrap_function(self.snapshot.function).__globals__
        found = {name: unwrap_numpy(names[name]) for name in self.snapshot.world if is_simple_value(names[name])}
        for name, value in zip(self.names, arguments, strict=False):
            attributes = getattr(value, "__dict__", None)
            if isinstance(attributes, dict) and not isinstance(value, type):
                found |= {f"{name}.{key}": unwrap_numpy(held) for key, held in attributes.items() if is_simple_value(held)}
        return found

    def _describe_child_call(
        self, number: int, arguments: tuple[Any, ...], known: dict[Any, int], held: list[tuple[Any, set[int]]]
    ) -> ChildCall:
        """Describe a call that the node makes. `held` has the states of the node and of its calls so far, with their parts."""
        small = tuple(unwrap_numpy(thing) if is_simple_value(thing) else None for thing in arguments)
        read = {role: self.program.read_role(number, small, role) for role in ("alpha", "beta", "depth", "side")}
        place = self.program.role_index(number, "state")
        board = self._global_things() if place is None else arguments[place]
        names = self.program.calls.functions[number].arguments
        moves = tuple(
            value if is_simple_value(value) or isinstance(value, tuple) else _encode_twin(value, board)
            for name, value in zip(names, arguments, strict=False)
            if name not in self.program.roles[number]
        )
        child = known.setdefault((encode_state(board), repr(moves)), len(known))
        window = None if read["alpha"] is None or read["beta"] is None else (read["alpha"], read["beta"])
        state, parts_of_state = held[0]
        parts = parts_of_state if board is state else _mutable_part_ids(board, MAX_SHARED_LEVELS)
        with_sibling = len(held) > 1 and not parts.isdisjoint(held[-1][1])
        held.append((board, parts))
        return ChildCall(
            number,
            child,
            window,
            read["depth"],
            read["side"],
            to_plain_data(board),
            small,
            board is state or place is None,
            place is None or not parts.isdisjoint(parts_of_state),
            with_sibling,
        )

    @observed
    def simple_template(self, number: int) -> Any:
        """Return the result of the program that gives our answers their structure, reduced to its values."""
        return simplify_result(self.result_template(number))

    def result_template(self, number: int, other: int = 0) -> Any:
        """Return a result of the program, of a leaf if possible. `other` selects one with different parts beside the score."""
        if not self.program.score.keys:
            return None
        if (number, other) not in self._templates:
            self._templates[number, other] = self._find_template(number, other)
        return self._templates[number, other]

    def _find_template(self, number: int, other: int) -> Any:
        found: dict[str, Any] = {}
        for snapshot in sorted(
            self.program.calls.snapshots.calls, key=lambda snapshot: (snapshot.number != number, not snapshot.is_leaf)
        ):
            result = simplify_result(snapshot.result)
            if not snapshot.is_root and self.program.score.read_score(result) is not None:
                found.setdefault(repr(remove_score(result, self.program.score.keys)), snapshot.result)
        return list(found.values())[other % len(found)] if found else None


def _encode_twin(value: Any, board: Any) -> bytes | None:
    """Return an argument like the board as bytes: some programs have one board for each side. Return None for others."""
    is_twin = type(value) is type(board) and isinstance(value, (list, set, np.ndarray)) and len(value) == len(board)
    return encode_state(value) if is_twin else None


def answer_always(score: float) -> Callable[[int], float]:
    """Return an answer function with the same score for every child."""
    return lambda child: score


def answer_in_order(scores: Sequence[float]) -> Callable[[int], float]:
    """Return an answer function with one score for each child, and the last one for all beyond."""
    return lambda child: scores[min(child, len(scores) - 1)]


def remove_score(result: Any, keys: tuple[Any, ...]) -> Any:
    """Return a result without the score at the keys: the rest is the move. Return None if nothing is left."""
    if not keys or is_number(result):
        return None
    if isinstance(result, tuple):
        parts = [remove_score(part, keys[1:]) if place == keys[0] else part for place, part in enumerate(result)]
    elif isinstance(result, dict):
        parts = [remove_score(part, keys[1:]) if name == keys[0] else part for name, part in result.items()]
    else:
        return result
    left = [part for part in parts if part is not None]
    return None if not left else left[0] if len(left) == 1 else tuple(left)


def insert_score(template: Any, keys: tuple[Any, ...], value: float) -> Any:
    if not keys or is_number(template):
        return value
    key, rest = keys[0], keys[1:]
    if isinstance(template, tuple):
        parts = [insert_score(part, rest, value) if place == key else part for place, part in enumerate(template)]
        return type(template)(*parts) if hasattr(template, "_fields") else tuple(parts)
    shaped = copy.deepcopy(template)
    if isinstance(shaped, (list, np.ndarray)):
        shaped[key] = insert_score(shaped[key], rest, value)
    elif isinstance(shaped, dict):
        real = next((name for name in shaped if str(name) == key), key)
        shaped[real] = insert_score(shaped.get(real), rest, value)
    elif shaped is not None:
        setattr(shaped, key, insert_score(getattr(shaped, key), rest, value))
    return shaped


def call_with_arguments(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Call a function with arguments in the order of its signature."""
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, value in zip(inspect.signature(function).parameters.values(), arguments, strict=False):
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            keywords |= value
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            keywords[parameter.name] = value
        else:
            positional.append(value)
    return function(*positional, **keywords)


def _to_board(state: Any) -> Any:
    return to_plain_data(state)


def lasting_changes(before: Any, after: Any) -> dict[tuple[Any, ...], Any]:
    """Return the cells of a state that were changed, without an object's own counters and tables that were filled."""
    changed = changed_cells(before, after)
    if not changed:
        return changed
    is_object = isinstance(before, list) and len(before) == 2 and isinstance(before[0], str) and isinstance(before[1], dict)
    if not is_object:
        return changed
    return {
        place: value
        for place, value in changed.items()
        if len(place) > 2 and (isinstance(place[-1], int) or has_cell(before, place))
    }


def _mutable_part_ids(thing: Any, levels: int) -> set[int]:
    """Return the identities of a thing and of its parts that can be changed."""
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
                found |= _mutable_part_ids(part, levels - 1)
    return found


@contextlib.contextmanager
def reproducible_run(seed: int) -> Any:
    """Discard output and seed the random generators while the block runs."""
    chance, chance_of_numpy = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        with noninteractive_mode(), contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        random.setstate(chance)
        np.random.set_state(chance_of_numpy)
