"""A recorded search with its examined nodes: the input of every check."""

import time
from collections import defaultdict
from functools import cached_property
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox
from engine.checker.diagnosis.board_rules import find_known_boards
from engine.checker.diagnosis.node_facts import MIN, OPEN_WINDOW, NodeFacts, examine_node
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.recording.call_snapshots import CallSnapshot

MAX_EXAMINED_NODES = 10  # nodes
MAX_EXAMINE_SECONDS = 12.0  # after which no more nodes are examined
MAX_COMPARED_ROWS = 3000  # rows whose boards are compared
MAX_KEYED_ROWS = 60_000  # rows


class SearchContext:
    """The context of all checks.

    `facts` are those of all nodes that were run alone: `roots` are loops over the root's moves, `nodes` are calls of the search.
    `known` has its boards if we know their game, `keys` identify positions. A `later` search is not the program's own: we
    chose its position and depth.
    """

    def __init__(self, program: WatchedProgram, stopped: str = "", later: bool = False):
        self.program = program
        self.stopped = stopped
        self.later = later
        self.facts = list(self._examine_nodes())
        self.roots = [facts for facts in self.facts if facts.node.kept.is_root]
        self.nodes = [facts for facts in self.facts if not facts.node.kept.is_root]
        self.negamax = any(facts.known and facts.negated for facts in self.nodes)
        self.known = find_known_boards(program)
        self.keys = build_position_keys(program)

    def _examine_nodes(self) -> list[NodeFacts]:
        chosen: list[BlackBox] = []
        times: dict[Any, int] = defaultdict(int)
        for kept in self.program.calls.kept.calls:
            key = self._node_kind(kept)
            if key is not None and (times[key] < 2 or (times[key] < 3 and len(times) == 1)):
                times[key] += 1
                chosen.append(BlackBox(self.program, kept))
        window = self.open_window()
        until = time.perf_counter() + MAX_EXAMINE_SECONDS
        found = []
        for node in chosen[:MAX_EXAMINED_NODES]:
            if time.perf_counter() < until:
                found.append(examine_node(node, self.program.span, self.worst_score, window))
        return [facts for facts in found if facts is not None]

    def _node_kind(self, kept: CallSnapshot) -> Any:
        """Return a key that is equal for nodes that do the same, or None for those that make no calls."""
        if not kept.is_root:
            return self.key(kept.row) if self.program.children[kept.row] else None
        run = self.program.calls.runs[kept.number]
        return ("root", run.name) if any(other is run for other, _ in self.program.runs_with_loops()) else None

    def key(self, row: int) -> Any:
        """Return a key that is equal for rows of the same function and side."""
        function = self.program.calls.function[row]
        side = self.program.argument(row, "side")
        if side is None or self.side_is_constant:
            return (function, None, self.program.calls.depth[row] % 2)
        return (function, side, 0)

    @cached_property
    def side_is_constant(self) -> bool:
        """Return True if the side argument never changes."""
        sides = {repr(self.program.argument(row, "side")) for row in range(min(len(self.program.calls), 500))}
        return len(sides) == 1

    @property
    def has_explicit_sides(self) -> bool:
        """Return True if a call's function or its arguments say who is to move."""
        return len(self.program.calls.functions) > 1 or not (self.side_is_constant or self.program.roles[0].side is None)

    def child_key(self, facts: NodeFacts, asked: Any) -> Any:
        """Return the key of a call that a node makes."""
        if asked.side is None or self.side_is_constant:
            level = -1 if facts.node.kept.is_root else self.program.calls.depth[facts.row]
            return (asked.function, None, (level + 1) % 2)
        return (asked.function, asked.side, 0)

    def worst_score(self, facts: NodeFacts) -> float:
        """Return the worst score of a leaf, from the side of the node's mover."""
        leaves = self.program.leaf_values or [0]
        if facts.negated or (facts.node.kept.is_root and facts.fold == MIN):
            return -self.program.span
        return min(leaves) if facts.sign == 1 else -max(leaves)

    def open_window(self) -> Window:
        """Return the window of the first outermost call if it is open, else (-inf, inf)."""
        for row in range(len(self.program.calls)):
            if self.program.calls.parent[row] < 0:
                window = self.program.window(row)
                if window is not None and window[0] <= -0.9 * self.program.span and window[1] >= 0.9 * self.program.span:
                    return window
                return OPEN_WINDOW
        return OPEN_WINDOW

    def open_window_for(self, facts: NodeFacts) -> Window | None:
        """Return the open window, or None if the node takes no window."""
        return None if facts.node.role_index("alpha") is None else self.open_window()

    def known_folds(self) -> dict[Any, str]:
        """Return the fold of each key whose nodes agree."""
        found: dict[Any, set[str]] = defaultdict(set)
        for facts in self.nodes:
            if facts.known:
                found[self.key(facts.row)].add(facts.fold)
        return {key: folds.pop() for key, folds in found.items() if len(folds) == 1}

    def depth_steps(self) -> set[Any]:
        """Return all differences between the depth of a call and that of its caller."""
        return {
            asked.depth - facts.node.argument("depth")
            for facts in self.nodes
            for asked in facts.direct.asked
            if isinstance(asked.depth, (int, float)) and isinstance(facts.node.argument("depth"), (int, float))
        }


def build_position_keys(program: WatchedProgram) -> list[Any]:
    """Return a key for each row that is equal for equal boards and arguments, whatever the window and the depth."""
    keys: list[Any] = []
    seen: dict[Any, Any] = {}
    for row in range(min(len(program.calls), MAX_KEYED_ROWS)):
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
