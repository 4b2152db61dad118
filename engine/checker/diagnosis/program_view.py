"""The record of a watched search made readable: what a row's arguments mean, which calls it made, how its board looked."""

import ast
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from engine.checker.discovery import source_analysis
from engine.checker.discovery.search_finder import Function, functions_of
from engine.checker.recording.argument_roles import Roles, Score, children_of
from engine.checker.recording.call_recorder import NOTHING, Calls, Run
from engine.checker.recording.state_encoding import decoded

Window = tuple[float, float]


@dataclass
class WatchedProgram:
    """A program whose search was watched: the record, what its arguments mean, its source."""

    calls: Calls
    roles: list[Roles]  # of each function, by its number
    score: Score
    tree: ast.Module | None = None
    complete: bool = True  # the search came to its end
    functions: dict[str, Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.tree is not None:
            self.functions = functions_of(self.tree)

    @cached_property
    def children(self) -> list[list[int]]:
        return children_of(self.calls)

    @cached_property
    def values(self) -> list[Any]:
        """The score in the result of each row, None where there is none."""
        return [self.score.of(result) for result in self.calls.results]

    @cached_property
    def leaf_values(self) -> list[float]:
        """The finite scores of the calls that made none."""
        return [
            value for row, value in enumerate(self.values) if value is not None and math.isfinite(value) and self.is_leaf(row)
        ]

    @cached_property
    def span(self) -> float:
        """The largest score of a leaf, however signed; 1 where there are none."""
        return max((abs(value) for value in self.leaf_values), default=0) or 1

    @property
    def has_windows(self) -> bool:
        return any(roles.alpha is not None for roles in self.roles)

    def constants_returned(self) -> set[float]:
        """The numbers that the functions of the search return as such, as their source says."""
        worlds = [kept.world for kept in self.calls.kept.calls[:1]]
        functions = [self.functions.get(watched.name) for watched in self.calls.functions]
        return {
            score
            for function in functions
            if function is not None
            for score in source_analysis.constants_returned(function, worlds[0] if worlds else {})
        }

    def numbers_in_returns(self) -> set[float]:
        """All numbers in what any function of the program returns, without their signs."""
        worlds = [kept.world for kept in self.calls.kept.calls[:1]]
        found = (
            source_analysis.numbers_in_returns(function, worlds[0] if worlds else {}) for function in self.functions.values()
        )
        return set().union(*found)

    def is_leaf(self, row: int) -> bool:
        return not self.children[row] and self.calls.end[row] != NOTHING

    def name(self, number: int) -> str:
        return self.calls.functions[number].name

    def argument(self, row: int, role: str) -> Any:
        """The small value of the argument in a role; None where there is none."""
        return self.read(self.calls.function[row], self.calls.arguments[row], role)

    def read(self, number: int, arguments: tuple[Any, ...], role: str) -> Any:
        place = self.place(number, role)
        return None if place is None else arguments[place]

    def place(self, number: int, role: str) -> int | None:
        """Where the argument in a role stands."""
        name = getattr(self.roles[number], role)
        return None if name is None else self.calls.functions[number].arguments.index(name)

    def window(self, row: int) -> Window | None:
        alpha, beta = self.argument(row, "alpha"), self.argument(row, "beta")
        return None if alpha is None or beta is None else (alpha, beta)

    @cached_property
    def _photographs(self) -> list[bytes]:
        return list(self.calls.positions)

    def _things(self, position: int) -> Any:
        if position not in self._decoded:
            self._decoded[position] = decoded(self._photographs[position])
        return self._decoded[position]

    @cached_property
    def _decoded(self) -> dict[int, Any]:
        return {}

    def board(self, row: int, at_end: bool = False) -> Any:
        """The state of a row as plain data: lists, numbers, texts; of an object its name and attributes."""
        number = self.calls.function[row]
        place = self.place(number, "state")
        if place is None:
            things = self._things(self.calls.after[row] if at_end else self.calls.before[row])
            return things[-1] if isinstance(things, list) and things else None
        small = self.calls.arguments[row][place]
        if small is not None:
            return small
        position = self.calls.after[row] if at_end else self.calls.before[row]
        things = self._things(position)
        larger = sum(1 for value in self.calls.arguments[row][:place] if value is None)
        return things[larger] if isinstance(things, list) and larger < len(things) else None

    def runs_with_loops(self) -> list[tuple[Run, list[int]]]:
        """The runs of functions around the search that called it more than once, with those calls."""
        found = []
        for run in self.calls.runs:
            end = run.end if run.end != NOTHING else len(self.calls)
            rows = [row for row in range(run.first, end) if self.calls.parent[row] == NOTHING]
            if len(rows) > 1:
                found.append((run, rows))
        return found


def as_data(thing: Any, levels: int = 6) -> Any:
    """A state as lists, dicts, numbers and texts; of an object its name and attributes."""
    if isinstance(thing, (bool, int, float, str, bytes)) or thing is None:
        return thing
    if isinstance(thing, np.generic):
        return thing.item()
    if isinstance(thing, np.ndarray):
        return thing.tolist()
    if not levels:
        return type(thing).__name__
    if isinstance(thing, (list, tuple)):
        return [as_data(part, levels - 1) for part in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted((as_data(part, levels - 1) for part in thing), key=repr)
    if isinstance(thing, dict):
        return {name: as_data(part, levels - 1) for name, part in thing.items()}
    attributes = getattr(thing, "__dict__", None)
    if isinstance(attributes, dict) and not callable(thing):
        return [type(thing).__name__, {name: as_data(part, levels - 1) for name, part in attributes.items()}]
    slots = getattr(type(thing), "__slots__", ())
    names = [slots] if isinstance(slots, str) else slots
    return [type(thing).__name__, {name: as_data(getattr(thing, name), levels - 1) for name in names if hasattr(thing, name)}]


# ---- boards as cells


def cells(board: Any) -> dict[tuple[Any, ...], Any]:
    """Everything in a board by its place: numbers and texts; a text of many characters by its characters."""
    found: dict[tuple[Any, ...], Any] = {}
    _fill(board, (), found)
    return found


def _fill(board: Any, place: tuple[Any, ...], found: dict[tuple[Any, ...], Any]) -> None:
    if isinstance(board, (list, tuple)):
        for number, part in enumerate(board):
            _fill(part, (*place, number), found)
    elif isinstance(board, dict):
        for name, part in board.items():
            _fill(part, (*place, name), found)
    elif isinstance(board, (str, bytes)) and 4 <= len(board) <= 400:
        for number, character in enumerate(board):
            found[(*place, number)] = character
    else:
        found[place] = board


def changed(before: Any, after: Any) -> dict[tuple[Any, ...], Any]:
    """The cells that are other ones, or new, after than before."""
    old, new = cells(before), cells(after)
    return {place: value for place, value in new.items() if old.get(place, _MISSING) != value} | {
        place: None for place in old if place not in new
    }


def parts_changed(left: dict[tuple[Any, ...], Any]) -> set[Any]:
    """The parts of a state in which cells were changed: attributes of an object; the whole of anything else."""
    return {place[1] if len(place) > 1 and isinstance(place[1], str) else "" for place in left}


_MISSING = object()
