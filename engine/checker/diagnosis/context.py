"""A recorded search with its examined nodes: the input of every check."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from time import process_time
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox
from engine.checker.diagnosis.board_rules import find_known_boards
from engine.checker.diagnosis.node_facts import AVERAGE_FOLD, MIN, OPEN_WINDOW, NodeFacts, examine_node
from engine.checker.diagnosis.program_view import WatchedProgram, Window
from engine.checker.diagnosis.source_lines import FunctionText, choose_line
from engine.checker.discovery.monte_carlo import is_monte_carlo
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_snapshots import CallSnapshot
from engine.checker.recording.observations import is_late
from engine.checker.stopped_run import StoppedRun

MAX_EXAMINED_NODES = 10
MAX_EXAMINE_SECONDS = 6.0  # then no more nodes are examined
MAX_LATER_EXAMINE_SECONDS = 2.5
MAX_COMPARED_ROWS = 3000  # rows whose boards are compared
MAX_KEYED_ROWS = 60_000
ROOT_MOVER = "root"  # before the side of an outermost call


class SearchContext:
    """The context of all checks.

    `facts` are those of all nodes that were run alone: `roots` are loops over the root's moves, `nodes` are calls of the search.
    `known` has its boards if we know their game, `keys` identify positions. A `later` search is not the program's own: we
    chose its position and depth.
    """

    def __init__(
        self,
        program: WatchedProgram,
        stopped: StoppedRun | None = None,
        later: bool = False,
        turning_movers: frozenset[Any] = frozenset(),
        may_fall: bool = True,
    ):
        self.program = program
        self._known_turning_movers = turning_movers
        self.stopped = stopped
        self.later = later
        self.crashes: list[str] = []  # checks of ours that failed
        self.facts = list(self._examine_nodes())
        self.roots = [facts for facts in self.facts if facts.node.snapshot.is_root]
        self.nodes = [facts for facts in self.facts if not facts.node.snapshot.is_root]
        self.negamax = any(facts.known and facts.negated for facts in self.nodes)
        self.known = find_known_boards(program, may_fall)
        self.keys = build_position_keys(program)

    def _examine_nodes(self) -> list[NodeFacts]:
        chosen: list[BlackBox] = []
        times: dict[Any, int] = defaultdict(int)
        for snapshot in self.program.calls.snapshots.calls:
            key = self._node_kind(snapshot)
            if key is not None and (times[key] < 2 or (times[key] < 3 and len(times) == 1)):
                times[key] += 1
                chosen.append(BlackBox(self.program, snapshot))
        window = self.open_window()
        until = process_time() + (MAX_LATER_EXAMINE_SECONDS if self.later else MAX_EXAMINE_SECONDS)
        found = []
        for node in chosen[:MAX_EXAMINED_NODES]:
            if not is_late(until):
                found.append(examine_node(node, self.program.span, self.worst_score, window))
        return [facts for facts in found if facts is not None]

    def _node_kind(self, snapshot: CallSnapshot) -> Any:
        """Return a key that is equal for nodes of the same kind, or None for a node without calls."""
        if not snapshot.is_root:
            return self.key(snapshot.row) if self.program.children[snapshot.row] else None
        run = self.program.calls.runs[snapshot.number]
        return ("root", run.name) if any(other is run for other, _ in self.program.runs_with_loops()) else None

    def key(self, row: int) -> Any:
        """Return a key that is equal for rows of the same function and side."""
        return self.key_of_call(
            self.program.calls.function[row], self.program.argument(row, "side"), self.program.calls.depth[row]
        )

    def key_of_call(self, function: int, side: Any, level: int) -> Any:
        """Return the key of a call at a level, with its side argument."""
        return (function, None, level % 2) if side is None or self.side_is_constant else (function, side, 0)

    @cached_property
    def side_is_constant(self) -> bool:
        """Return True if the side argument never changes."""
        sides = {repr(self.program.argument(row, "side")) for row in range(min(len(self.program.calls), 500))}
        return len(sides) == 1

    @property
    def has_explicit_sides(self) -> bool:
        """Return True if a call's function or its arguments tell which side is to move."""
        return len(self.program.calls.functions) > 1 or not (self.side_is_constant or self.program.roles[0].side is None)

    @cached_property
    def is_chance_game(self) -> bool:
        """Return True if a node averages the scores of its moves, as chance nodes do."""
        return any(facts.fold == AVERAGE_FOLD for facts in self.nodes)

    @cached_property
    def is_sampled_tree(self) -> bool:
        """Return True if this is a Monte Carlo tree search, by the names of its functions."""
        return is_monte_carlo(self.program.functions)

    @property
    def has_side_argument(self) -> bool:
        """Return True if a call's function or one of its arguments should tell the side, even if that never changes."""
        return len(self.program.calls.functions) > 1 or self.program.roles[0].side is not None

    def mover(self, row: int) -> Any:
        """Return a key that is equal for rows of the same side, if the function or its arguments tell the side."""
        side = self.program.argument(row, "side")
        return (self.program.calls.function[row] if len(self.program.calls.functions) > 1 else 0, side)

    @cached_property
    def turning_movers(self) -> frozenset[Any]:
        """Return the sides that give the turn to another side in a call of the record, or of an earlier record.

        The sides of the outermost calls are added, each after ROOT_MOVER.
        """
        calls = self.program.calls
        edges = [(calls.parent[row], row) for row in range(min(len(calls), MAX_KEYED_ROWS)) if calls.parent[row] >= 0]
        seen = {self.mover(parent) for parent, row in edges if self.mover(row) != self.mover(parent)}
        return self._known_turning_movers | seen | self.root_movers

    @cached_property
    def root_movers(self) -> frozenset[Any]:
        """Return the sides of the outermost calls of this record, each after ROOT_MOVER."""
        calls = self.program.calls
        return frozenset((ROOT_MOVER, self.mover(row)) for row in range(min(len(calls), MAX_KEYED_ROWS)) if calls.parent[row] < 0)

    def child_key(self, facts: NodeFacts, child_call: Any) -> Any:
        """Return the key of a call that a node makes."""
        if child_call.side is None or self.side_is_constant:
            level = -1 if facts.node.snapshot.is_root else self.program.calls.depth[facts.row]
            return (child_call.function, None, (level + 1) % 2)
        return (child_call.function, child_call.side, 0)

    def worst_score(self, facts: NodeFacts) -> float:
        """Return the worst score of a leaf, from the side of the node's mover."""
        leaves = self.program.leaf_values or [0]
        if facts.negated or (facts.node.snapshot.is_root and facts.fold == MIN):
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

    def locate_function(self, name: str) -> str:
        """Return a function and its line as text: "in minimax (line 12)"."""
        return f"in {self._name_with_line(name)}"

    def locate_caller(self, row: int) -> str:
        """Return the function that makes a call, with its line, as text. It is empty if that function is not known."""
        caller = self.find_caller(row)
        return f"called by {self._name_with_line(caller)}" if caller else ""

    def choose_place(self, mistake: str, name: str, rows: Sequence[int], side: str = "") -> tuple[str, int]:
        """Return the file and the line to look at for a mistake of a function in some of the calls it makes.

        They are "" and 0 if the function is not known.
        """
        function = self.program.functions.get(name)
        if function is None:
            return "", 0
        return function.file, choose_line(mistake, self.read_text(function, name, rows, side))

    def read_text(self, function: ProgramFunction, name: str, rows: Sequence[int], side: str = "") -> FunctionText:
        """Return the text of a function that makes the calls `rows`. `side` is "max" or "min" if only one side is meant."""
        watched = self.program.calls.functions
        number = next((number for number, known in enumerate(watched) if known.name == name), None)
        return FunctionText(
            function.node,
            frozenset(known.name.rpartition(".")[2] for known in watched),
            ArgumentRoles() if number is None else self.program.roles[number],
            frozenset(self.program.calls.line[row] for row in rows),
            side,
        )

    def find_caller(self, row: int) -> str:
        """Return the name of the function that makes a call, or an empty text if it is not known."""
        parent = self.program.calls.parent[row]
        if parent >= 0:
            return self.program.row_function(parent)
        return next((run.name for run, rows in self.program.runs_with_loops() if row in rows), "")

    def _name_with_line(self, name: str) -> str:
        function = self.program.functions.get(name)
        return name if function is None else f"{name} (line {function.node.lineno})"

    def depth_steps(self) -> set[Any]:
        """Return all differences between the depth of a call and that of its caller."""
        return {
            child_call.depth - facts.node.argument("depth")
            for facts in self.nodes
            for child_call in facts.direct.child_calls
            if isinstance(child_call.depth, (int, float)) and isinstance(facts.node.argument("depth"), (int, float))
        }


def build_position_keys(program: WatchedProgram) -> list[Any]:
    """Return a key for each row that is equal for equal boards and arguments, for any window and depth."""
    keys: list[Any] = []
    seen: dict[Any, Any] = {}
    for row in range(min(len(program.calls), MAX_KEYED_ROWS)):
        function, arguments = program.calls.function[row], program.calls.arguments[row]
        roles = program.roles[function]
        names = program.calls.functions[function].arguments
        small = tuple(
            value for name, value in zip(names, arguments, strict=False) if name not in (roles.alpha, roles.beta, roles.depth)
        )
        position = (function, program.calls.before[row], arguments)
        if position not in seen:
            seen[position] = repr(program.board(row)) if roles.state is not None else program.calls.before[row]
        keys.append((function, small, seen[position]))
    return keys
