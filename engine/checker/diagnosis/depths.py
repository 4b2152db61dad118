"""Check the depth that a call passes on."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.recording.state_encoding import is_number


def check_depth_steps(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that do not change the depth by one."""
    by_key: dict[Any, set[Any]] = defaultdict(set)
    first: dict[Any, NodeFacts] = {}
    for facts in search.nodes:
        given = facts.node.argument("depth")
        for asked in facts.direct.asked:
            if is_number(asked.depth) and is_number(given):
                by_key[search.key(facts.row)].add(asked.depth - given)
                first.setdefault(search.key(facts.row), facts)
    steps = set().union(*by_key.values()) if by_key else set()
    if steps == {0}:
        facts = next(iter(first.values()))
        ends = facts.node.run(lambda child: 0.0, given={"depth": 0}).children == 0
        yield Suspicion(
            "depth-not-reduced",
            facts.row,
            f"the depth {format_number(facts.node.argument('depth'))} is handed on unchanged",
            certain=ends,
        )
        return
    for key, found in by_key.items():
        facts = first[key]
        said = (
            f"the depth goes from {format_number(facts.node.argument('depth'))} to "
            f"{format_number(facts.direct.asked[0].depth)} with one move"
        )
        if found in ({-2}, {2}) and steps <= {-2, -1, 1, 2}:
            yield Suspicion("depth-by-two", facts.row, said)
        elif found == {0} and steps in ({-1, 0}, {0, 1}):
            yield Suspicion("depth-not-reduced", facts.row, said, certain=False)  # it may count whole rounds
    yield from _check_last_depth(search, steps)


def _check_last_depth(search: SearchContext, steps: set[Any]) -> Iterator[Suspicion]:
    """Yield a depth that counts down and ends the search at 1, on boards that have moves."""
    if steps != {-1} or search.roots:
        return
    depths = [search.program.argument(row, "depth") for row in range(len(search.program.calls))]
    last = [kept for kept in search.program.calls.kept.calls if not kept.is_root and kept.is_leaf and depths[kept.row] == 1]
    if not last or min(depth for depth in depths if is_number(depth)) < 1:
        return
    if any(BlackBox(search.program, kept).run(answer_always(0.0), given={"depth": 2}).asked for kept in last):
        yield Suspicion(
            "off-by-one",
            last[0].row,
            "the search ends where the depth is still 1: one move earlier than it was asked for",
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
