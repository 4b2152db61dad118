"""Boards that are left changed, or shared."""

from collections.abc import Iterator

from engine.checker.diagnosis.black_box import left_on
from engine.checker.diagnosis.context import MOST_COMPARED, Examined
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import Facts
from engine.checker.diagnosis.program_view import changed, parts_changed
from engine.checker.discovery import source_analysis


def piled(search: Examined, facts: Facts) -> Iterator[Suspicion]:
    if facts.piled:
        state = None if facts.node.kept.is_root else search.program.roles[facts.node.kept.number].state
        function = search.program.functions.get(facts.node.name)
        plain = [name.rpartition(".")[2] for name in (watched.name for watched in search.program.calls.functions)]
        own = function is not None and source_analysis.passes_its_own(function, plain, state or "")
        yield Suspicion(
            "not-undone" if own or not state else "shared-board",
            facts.row,
            "each of its moves is tried on a board that still has the moves tried before it",
        )
    elif facts.left_after_cut and facts.in_place and not facts.left:
        yield Suspicion("not-undone", facts.row, "when it leaves by a cutoff, the last move stays on the board")


def left_changed(search: Examined) -> Iterator[Suspicion]:
    """Calls that leave the one board otherwise than they found it, and so do those that made them."""
    if not any(asked.same_object for facts in search.nodes for asked in facts.direct.asked):
        return
    calls = search.program.calls
    moved = set().union(
        *(parts_changed(changed(facts.direct.board, asked.board)) for facts in search.nodes for asked in facts.direct.asked)
    )
    for row in range(min(len(calls), MOST_COMPARED)):
        if calls.end[row] < 0 or calls.before[row] == calls.after[row]:
            continue
        parent = calls.parent[row]
        outer = row if parent < 0 else parent
        if all(
            parts_changed(left_on(search.program.board(which), search.program.board(which, at_end=True))) & moved
            for which in (row, outer)
        ):
            yield Suspicion("not-undone", row, "the board at the end of this call is not the one that it was given")
