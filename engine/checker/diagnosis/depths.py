"""Check the depth that a call passes on."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.diagnosis.turns import counts_rounds
from engine.checker.recording.state_encoding import is_number


def check_depth_steps(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that do not change the depth by one."""
    by_key: dict[Any, set[Any]] = defaultdict(set)
    first: dict[Any, NodeFacts] = {}
    for facts in search.nodes:
        own_depth = facts.node.argument("depth")
        for call in facts.direct.child_calls:
            if is_number(call.depth) and is_number(own_depth):
                by_key[search.key(facts.row)].add(call.depth - own_depth)
                first.setdefault(search.key(facts.row), facts)
    steps = set().union(*by_key.values()) if by_key else set()
    if steps == {0}:
        if _has_other_counter(search):
            return
        facts = next(iter(first.values()))
        ends = facts.node.run(lambda child: 0.0, overrides={"depth": 0}).children == 0
        yield Suspicion(
            "depth-not-reduced",
            facts.row,
            f"it passes the depth {format_number(facts.node.argument('depth'))} on unchanged",
            certain=ends,
        )
        return
    for key, found in by_key.items():
        facts = first[key]
        before, after = format_number(facts.node.argument("depth")), format_number(facts.direct.child_calls[0].depth)
        if found in ({-2}, {2}) and steps <= {-2, -1, 1, 2}:
            yield Suspicion("depth-by-two", facts.row, f"the depth goes from {before} to {after} with one move")
        elif found == {0} and steps in ({-1, 0}, {0, 1}) and not counts_rounds(search):
            sentence = f"it passes the depth {before} on unchanged"
            yield Suspicion("depth-not-reduced", facts.row, sentence, certain=False)  # it may count whole rounds
    yield from _check_last_depth(search, steps)


def _has_other_counter(search: SearchContext) -> bool:
    """Return True if another number changes by the same step from each call to the next: that is the depth."""
    calls = search.program.calls
    steps: dict[Any, set[Any]] = defaultdict(set)
    for row in range(min(len(calls), MAX_COMPARED_ROWS)):
        parent = calls.parent[row]
        if parent < 0:
            continue
        here, above = (
            dict(zip(calls.functions[calls.function[which]].arguments, calls.arguments[which], strict=False))
            for which in (row, parent)
        )
        window = {calls.functions[calls.function[row]].arguments[place] for role in ("alpha", "beta")
                  if (place := search.program.role_index(calls.function[row], role)) is not None}  # fmt: skip
        for name in (here.keys() & above.keys()) - window:
            numbers = is_number(here[name]) and is_number(above[name])
            steps[name].add(here[name] - above[name] if numbers else None)
        for name, value in search.program.attributes(row).items():
            if is_number(value) and is_number(search.program.attributes(parent).get(name)):
                steps["." + name].add(value - search.program.attributes(parent)[name])
    return any(len(found) == 1 and found & {-1, 1, -2, 2} for found in steps.values())


def _check_last_depth(search: SearchContext, steps: set[Any]) -> Iterator[Suspicion]:
    """Yield a depth that counts down and ends the search at 1, on boards that have moves."""
    if steps != {-1} or search.roots:
        return
    depths = [search.program.argument(row, "depth") for row in range(len(search.program.calls))]
    last = [
        snapshot
        for snapshot in search.program.calls.snapshots.calls
        if not snapshot.is_root and snapshot.is_leaf and depths[snapshot.row] == 1
    ]
    if not last or min(depth for depth in depths if is_number(depth)) < 1:
        return
    if any(BlackBox(search.program, snapshot).run(answer_always(0.0), overrides={"depth": 2}).child_calls for snapshot in last):
        yield Suspicion(
            "off-by-one",
            last[0].row,
            "the search ends at depth 1, one move earlier than it was asked to",
            certain=False,
        )


def find_depth_step(program: WatchedProgram) -> int:
    """Return -1 if the depth counts down, +1 if it counts up, 0 if there is none."""
    steps = [
        program.argument(row, "depth") - program.argument(program.calls.parent[row], "depth")
        for row in range(min(len(program.calls), 2000))
        if program.calls.parent[row] >= 0
        and isinstance(program.argument(row, "depth"), (int, float))
        and isinstance(program.argument(program.calls.parent[row], "depth"), (int, float))
    ]
    return 0 if not steps else (1 if sum(steps) > 0 else -1 if sum(steps) < 0 else 0)


def find_horizon(program: WatchedProgram) -> Any:
    """Return the depth at which leaves are scored by a heuristic."""
    step = find_depth_step(program)
    depths = [program.argument(row, "depth") for row in range(len(program.calls)) if program.is_leaf(row)]
    known = [depth for depth in depths if isinstance(depth, (int, float))]
    return None if not step or not known else min(known) if step < 0 else max(known)
