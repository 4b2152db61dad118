"""Check for boards that are left changed, or shared."""

from collections.abc import Iterator

from engine.checker.diagnosis.black_box import lasting_changes
from engine.checker.diagnosis.board_rules import FLAT_WIDTHS, find_grid
from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.discovery import source_analysis
from engine.checker.recording.board_cells import changed_cells, changed_parts

MIN_UNPLAYED_MOVES = 3  # calls with the same board


def check_shared_boards(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes whose moves are tried on a board that still has earlier moves."""
    if facts.piled:
        state = None if facts.node.snapshot.is_root else search.program.roles[facts.node.snapshot.number].state
        function = search.program.functions.get(facts.node.name)
        plain = [name.rpartition(".")[2] for name in (watched.name for watched in search.program.calls.functions)]
        own = function is not None and source_analysis.passes_argument_on(function, plain, state or "")
        yield Suspicion(
            "not-undone" if own or not state else "shared-board",
            facts.row,
            "each move is tried on a board that still has the earlier moves on it",
            function=facts.node.name,
        )
    elif _has_unplayed_moves(facts):
        yield Suspicion(
            "shared-board",
            facts.row,
            f"it makes {len(facts.direct.child_calls)} calls, and all of them get the board of this call, without a move on it",
            certain=False,
            function=facts.node.name,
        )
    elif facts.left_after_cut and facts.in_place and not facts.left:
        yield Suspicion("not-undone", facts.row, "after a cutoff the last move stays on the board", function=facts.node.name)


def _has_unplayed_moves(facts: NodeFacts) -> bool:
    """Return True if a node calls itself again and again with its own board. The board must be readable."""
    board, child_calls = facts.direct.board, facts.direct.child_calls
    if facts.children != 1 or len(child_calls) < MIN_UNPLAYED_MOVES:
        return False
    texts = [value for value in facts.node.snapshot.arguments if isinstance(value, str) and len(value) in FLAT_WIDTHS]
    if texts:
        return all(text in call.arguments for text in texts for call in child_calls)
    has_one_board = all(call.arguments.count(None) <= 1 for call in child_calls)
    return has_one_board and find_grid(board) is not None and all(call.board == board for call in child_calls)


def check_undone_moves(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that leave the one board changed, if the calls that made them do so too."""
    if not any(call.same_object for facts in search.nodes for call in facts.direct.child_calls):
        return
    calls = search.program.calls
    moved = set().union(
        *(
            changed_parts(changed_cells(facts.direct.board, call.board))
            for facts in search.nodes
            for call in facts.direct.child_calls
        )
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
            yield Suspicion("not-undone", row, "the board at the end of this call differs from the board at its start")
