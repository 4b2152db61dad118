"""The record of a search made readable: the arguments of a row by role, the calls it made, its board."""

import ast
import math
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from engine.checker.discovery import source_analysis
from engine.checker.discovery.search_finder import ProgramFunction, find_functions
from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, list_children
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls, RootRun
from engine.checker.recording.call_snapshots import CallSnapshot
from engine.checker.recording.shared_state import read_shared_attributes
from engine.checker.recording.state_encoding import decode_state

Window = tuple[float, float]
PLAIN_TYPES = frozenset((bool, int, float, str, bytes, type(None)))


@dataclass
class WatchedProgram:
    """A program whose search was recorded: the calls, the roles of their arguments, the source."""

    calls: RecordedCalls
    roles: list[ArgumentRoles]  # of each function
    score: ScorePath
    tree: ast.Module | None = None
    complete: bool = True  # the search was not stopped early
    functions: dict[str, ProgramFunction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tree is not None and not self.functions:
            self.functions = find_functions(self.tree)

    @cached_property
    def children(self) -> list[list[int]]:
        """Return the calls that each row made."""
        return list_children(self.calls)

    @cached_property
    def values(self) -> list[Any]:
        """Return the score in the result of each row, None where there is none."""
        return [self.score.read_score(result) for result in self.calls.results]

    @cached_property
    def leaf_values(self) -> list[float]:
        """Return the finite scores of the calls that made none."""
        return [
            value for row, value in enumerate(self.values) if value is not None and math.isfinite(value) and self.is_leaf(row)
        ]

    @cached_property
    def span(self) -> float:
        """Return the largest absolute score of a leaf, or 1 if there is none."""
        return max((abs(value) for value in self.leaf_values), default=0) or 1

    @property
    def has_windows(self) -> bool:
        """Return True if a function takes alpha."""
        return any(roles.alpha is not None for roles in self.roles)

    @cached_property
    def has_tables(self) -> bool:
        """Return True if the program may store scores."""
        return source_analysis.has_table(self.tree)

    def returned_constants(self) -> set[float]:
        """Return the numbers that the functions of the search return directly, according to their source."""
        worlds = [snapshot.world for snapshot in self.calls.snapshots.calls[:1]]
        functions = [self.functions.get(watched.name) for watched in self.calls.functions]
        return {
            score
            for function in functions
            if function is not None
            for score in source_analysis.find_returned_constants(function, worlds[0] if worlds else {})
        }

    def returned_numbers(self) -> set[float]:
        """Return the absolute values of all numbers in the return statements of the program."""
        worlds = [snapshot.world for snapshot in self.calls.snapshots.calls[:1]]
        found = (
            source_analysis.find_numbers_in_returns(function, worlds[0] if worlds else {}) for function in self.functions.values()
        )
        return set().union(*found)

    def is_leaf(self, row: int) -> bool:
        """Return True if a row made no calls and returned."""
        return not self.children[row] and self.calls.end[row] != NO_ROW

    def function_name(self, number: int) -> str:
        return self.calls.functions[number].name

    def row_function(self, row: int) -> str:
        """Return the name of the function that a row calls."""
        return self.function_name(self.calls.function[row])

    def argument(self, row: int, role: str) -> Any:
        """Return the value of the argument in a role. It is None if there is none, or if it is not a simple value."""
        return self.read_role(self.calls.function[row], self.calls.arguments[row], role)

    def read_role(self, number: int, arguments: tuple[Any, ...], role: str) -> Any:
        """Return the argument in a role from a tuple of arguments, or None."""
        place = self.role_index(number, role)
        return None if place is None else arguments[place]

    def role_index(self, number: int, role: str) -> int | None:
        """Return the index of the argument in a role, or None."""
        return self._role_indices[number].get(role)

    @cached_property
    def _role_indices(self) -> list[dict[str, int]]:
        named = [
            (function.arguments, roles._asdict().items())
            for function, roles in zip(self.calls.functions, self.roles, strict=False)
        ]
        return [{role: names.index(name) for role, name in roles if name is not None} for names, roles in named]

    def window(self, row: int) -> Window | None:
        alpha, beta = self.argument(row, "alpha"), self.argument(row, "beta")
        return None if alpha is None or beta is None else (alpha, beta)

    @cached_property
    def _encoded_states(self) -> list[bytes]:
        return list(self.calls.positions)

    def _decode_things(self, position: int) -> Any:
        if position not in self._decoded_cache:
            self._decoded_cache[position] = decode_state(self._encoded_states[position])
        return self._decoded_cache[position]

    @cached_property
    def _decoded_cache(self) -> dict[int, Any]:
        return {}

    def board(self, row: int, at_end: bool = False) -> Any:
        """Return the state of a row as plain data: lists, numbers, texts. An object becomes its name and attributes."""
        number = self.calls.function[row]
        place = self.role_index(number, "state")
        if place is None:
            things = self._decode_things(self.calls.after[row] if at_end else self.calls.before[row])
            return things[-1] if isinstance(things, list) and things else None
        small = self.calls.arguments[row][place]
        if small is not None:
            return small
        position = self.calls.after[row] if at_end else self.calls.before[row]
        things = self._decode_things(position)
        larger = sum(1 for value in self.calls.arguments[row][:place] if value is None)
        return things[larger] if isinstance(things, list) and larger < len(things) else None

    def attributes(self, row: int) -> dict[str, Any]:
        """Return the attributes of the state of a row if it is an object, else an empty dict."""
        board = self.board(row)
        is_object = isinstance(board, list) and len(board) == 2 and isinstance(board[1], dict)
        return board[1] if is_object else {}

    def runs_with_loops(self) -> list[tuple[RootRun, list[int]]]:
        """Return the root functions that called the search more than once, with these calls."""
        found = []
        for run in self.calls.runs:
            end = run.end if run.end != NO_ROW else len(self.calls)
            rows = [row for row in range(run.first, end) if self.calls.parent[row] == NO_ROW]
            if len(rows) > 1:
                found.append((run, rows))
        return found


def find_outermost_copy(program: WatchedProgram) -> CallSnapshot | None:
    """Return the copy of an outermost call: the first one that makes calls, else the first one. Return None if there is none."""
    copies = [copy for copy in program.calls.snapshots.calls if not copy.is_root and program.calls.parent[copy.row] < 0]
    return next((copy for copy in copies if program.children[copy.row]), copies[0] if copies else None)


def to_plain_data(thing: Any, levels: int = 6) -> Any:
    """Convert a state to lists, dicts, numbers and texts. An object becomes its name and attributes."""
    if isinstance(thing, (bool, int, float, str, bytes)) or thing is None:
        return thing
    if isinstance(thing, np.generic):
        return thing.item()
    if isinstance(thing, Enum):
        return to_plain_data(thing.value, levels - 1)
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if not levels:
        return type(thing).__name__
    if isinstance(thing, (list, tuple)):  # most parts are plain: without another call
        return [part if type(part) in PLAIN_TYPES else to_plain_data(part, levels - 1) for part in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted((to_plain_data(part, levels - 1) for part in thing), key=repr)
    if isinstance(thing, dict):
        return {name: to_plain_data(part, levels - 1) for name, part in thing.items()}
    attributes = getattr(thing, "__dict__", None)
    if isinstance(attributes, dict) and not callable(thing):
        held = read_shared_attributes(thing) | attributes
        return [type(thing).__name__, {name: to_plain_data(part, levels - 1) for name, part in held.items()}]
    slots = getattr(type(thing), "__slots__", ())
    names = [slots] if isinstance(slots, str) else slots
    return [
        type(thing).__name__,
        {name: to_plain_data(getattr(thing, name), levels - 1) for name in names if hasattr(thing, name)},
    ]
