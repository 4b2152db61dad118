"""Check for boards that are left changed, or shared."""

from collections.abc import Iterator

from engine.checker.diagnosis.black_box import lasting_changes
from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.diagnosis.program_view import changed_cells, changed_parts
from engine.checker.discovery import source_analysis


def check_shared_boards(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes whose moves are tried on a board that still has earlier moves."""
    if facts.piled:
        state = None if facts.node.kept.is_root else search.program.roles[facts.node.kept.number].state
        function = search.program.functions.get(facts.node.name)
        plain = [name.rpartition(".")[2] for name in (watched.name for watched in search.program.calls.functions)]
        own = function is not None and source_analysis.passes_argument_on(function, plain, state or "")
        yield Suspicion(
            "not-undone" if own or not state else "shared-board",
            facts.row,
            "each of its moves is tried on a board that still has the moves tried before it",
        )
    elif facts.left_after_cut and facts.in_place and not facts.left:
        yield Suspicion("not-undone", facts.row, "when it leaves by a cutoff, the last move stays on the board")


def check_undone_moves(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that leave the one board changed, if the calls that made them do so too."""
    if not any(asked.same_object for facts in search.nodes for asked in facts.direct.asked):
        return
    calls = search.program.calls
    moved = set().union(
        *(changed_parts(changed_cells(facts.direct.board, asked.board)) for facts in search.nodes for asked in facts.direct.asked)
    )
    for row in range(min(len(calls), MAX_COMPARED_ROWS)):
        if calls.end[row] < 0 or calls.before[row] == calls.after[row]:
            continue
        parent = calls.parent[row]
        outer = row if parent < 0 else parent
        if all(
            changed_parts(lasting_changes(search.program.board(which), search.program.board(which, at_end=True))) & moved
            for which in (row, outer)
        ):
            yield Suspicion("not-undone", row, "the board at the end of this call is not the one that it was given")
