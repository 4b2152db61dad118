"""A watched search with the nodes that were run alone: what every question about it starts from."""

import time
from collections import defaultdict
from functools import cached_property
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox
from engine.checker.diagnosis.board_rules import known_boards
from engine.checker.diagnosis.node_facts import MIN, OPEN, Facts, examine
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.recording.call_snapshots import KeptCall

MOST_EXAMINED = 10  # nodes
SECONDS = 12.0  # after which no more nodes are examined
MOST_COMPARED = 3000  # rows whose boards are compared
MOST_GROUPED = 60_000  # rows


class Examined:
    """`facts` are those of all nodes that were run alone: `roots` are loops over the root's moves, `nodes` calls of the search.
    `known` are its boards where we know their game, `keys` tells positions apart. A `later` search is not the program's
    own: we chose where and how deep."""

    def __init__(self, program: WatchedProgram, stopped: str = "", later: bool = False):
        self.program = program
        self.stopped = stopped
        self.later = later
        self.facts = list(self._examined())
        self.roots = [facts for facts in self.facts if facts.node.kept.is_root]
        self.nodes = [facts for facts in self.facts if not facts.node.kept.is_root]
        self.negamax = any(facts.known and facts.negated for facts in self.nodes)
        self.known = known_boards(program)
        self.keys = position_keys(program)

    def _examined(self) -> list[Facts]:
        chosen: list[BlackBox] = []
        times: dict[Any, int] = defaultdict(int)
        for kept in self.program.calls.kept.calls:
            key = self._kind(kept)
            if key is not None and (times[key] < 2 or (times[key] < 3 and len(times) == 1)):
                times[key] += 1
                chosen.append(BlackBox(self.program, kept))
        window = self.open_window()
        until = time.perf_counter() + SECONDS
        found = []
        for node in chosen[:MOST_EXAMINED]:
            if time.perf_counter() < until:
                found.append(examine(node, self.program.span, self.worst, window))
        return [facts for facts in found if facts is not None]

    def _kind(self, kept: KeptCall) -> Any:
        """What is alike for nodes that do the same; None for those that make no calls."""
        if not kept.is_root:
            return self.key(kept.row) if self.program.children[kept.row] else None
        run = self.program.calls.runs[kept.number]
        return ("root", run.name) if any(other is run for other, _ in self.program.runs_with_loops()) else None

    def key(self, row: int) -> Any:
        function = self.program.calls.function[row]
        side = self.program.argument(row, "side")
        if side is None or self.side_is_constant:
            return (function, None, self.program.calls.depth[row] % 2)
        return (function, side, 0)

    @cached_property
    def side_is_constant(self) -> bool:
        sides = {repr(self.program.argument(row, "side")) for row in range(min(len(self.program.calls), 500))}
        return len(sides) == 1

    @property
    def tells_sides(self) -> bool:
        """Whether a call's function or its arguments say who is to move."""
        return len(self.program.calls.functions) > 1 or not (self.side_is_constant or self.program.roles[0].side is None)

    def child_key(self, facts: Facts, asked: Any) -> Any:
        if asked.side is None or self.side_is_constant:
            level = -1 if facts.node.kept.is_root else self.program.calls.depth[facts.row]
            return (asked.function, None, (level + 1) % 2)
        return (asked.function, asked.side, 0)

    def worst(self, facts: Facts) -> float:
        leaves = self.program.leaf_values or [0]
        if facts.negated or (facts.node.kept.is_root and facts.fold == MIN):
            return -self.program.span
        return min(leaves) if facts.sign == 1 else -max(leaves)

    def open_window(self) -> Window:
        for row in range(len(self.program.calls)):
            if self.program.calls.parent[row] < 0:
                window = self.program.window(row)
                if window is not None and window[0] <= -0.9 * self.program.span and window[1] >= 0.9 * self.program.span:
                    return window
                return OPEN
        return OPEN

    def given_open(self, facts: Facts) -> Window | None:
        return None if facts.node.place("alpha") is None else self.open_window()

    def folds(self) -> dict[Any, str]:
        found: dict[Any, set[str]] = defaultdict(set)
        for facts in self.nodes:
            if facts.known:
                found[self.key(facts.row)].add(facts.fold)
        return {key: folds.pop() for key, folds in found.items() if len(folds) == 1}

    def steps(self) -> set[Any]:
        return {
            asked.depth - facts.node.given("depth")
            for facts in self.nodes
            for asked in facts.direct.asked
            if isinstance(asked.depth, (int, float)) and isinstance(facts.node.given("depth"), (int, float))
        }


def position_keys(program: WatchedProgram) -> list[Any]:
    """A key for each row that is equal for equal boards and arguments, whatever the window and the depth."""
    keys: list[Any] = []
    seen: dict[Any, Any] = {}
    for row in range(min(len(program.calls), MOST_GROUPED)):
        function, arguments = program.calls.function[row], program.calls.arguments[row]
        roles = program.roles[function]
        names = program.calls.functions[function].arguments
        small = tuple(
            value for name, value in zip(names, arguments, strict=False) if name not in (roles.alpha, roles.beta, roles.depth)
        )
        photo = (function, program.calls.before[row], arguments)
        if photo not in seen:
            seen[photo] = repr(program.board(row)) if roles.state is not None else program.calls.before[row]
        keys.append((function, small, seen[photo]))
    return keys
