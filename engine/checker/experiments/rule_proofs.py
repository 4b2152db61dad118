"""Prove mistakes of the test for the end of a game: change one square, the side or the depth of a call, and make it again."""

from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, ProbeResult, answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_depth_step
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.leaves import other_side_arguments
from engine.checker.experiments.replay import copy_call
from engine.checker.recording.board_cells import changed_cells, flatten_cells, replace_cell
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import is_number

MAX_TRIED_ROWS = 4
MAX_HIDDEN_SHARE = 0.5  # of the score of a win; a win at the limit may count a little less


def prove_by_lost_line(search: SearchContext, suspicion: Suspicion) -> str:
    """Take the last piece of a line away from a call that ends there: if the search goes on then, such lines end it."""
    known, program = search.known, search.program
    if known is None:
        return ""
    rows = [
        row
        for row in range(len(known.boards))
        if program.is_leaf(row)
        and known.complete_lines(row)
        and (parent := program.calls.parent[row]) >= 0
        and not known.complete_lines(parent)
        and not known.is_full(row)
    ]
    for row in rows[:MAX_TRIED_ROWS]:
        copy = copy_call(program, row)
        if copy is None or _run_leaf(search, copy).child_calls:
            continue
        state = _take_last_piece_away(search, copy, row, known.complete_lines(row)[0][0])
        if state is None:
            continue
        outcome = _run_leaf(search, copy, {"state": state})
        if not outcome.failed and outcome.child_calls:
            line = f"{known.complete_lines(row)[0][0]!r} has {known.in_a_row} in a row"
            return f"{line} in call {row:,}, and the search ends there; with the last piece taken away it goes on"
    return ""


def _run_leaf(search: SearchContext, copy: CallSnapshot, overrides: dict[str, Any] | None = None) -> ProbeResult:
    return BlackBox(search.program, copy).run(answer_always(0.0), overrides=overrides)


@observed
def _take_last_piece_away(search: SearchContext, copy: CallSnapshot, row: int, piece: Any) -> Any:
    """Return the state of a call without the piece that the last move has put there, or None."""
    program = search.program
    place = program.role_index(copy.number, "state")
    before, after = program.board(program.calls.parent[row]), program.board(row)
    old = flatten_cells(before)
    changed = [path for path, value in changed_cells(before, after).items() if value == piece and path in old]
    if place is None or len(changed) != 1:
        return None
    try:
        return replace_cell(deep_copy(copy.arguments[place], {}), changed[0], old[changed[0]])
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None


def prove_by_asking_other_side(search: SearchContext, suspicion: Suspicion) -> str:
    """Make the call of a won board for the other side: it ends at once."""
    others = other_side_arguments(search.program, suspicion.row)
    copy = copy_call(search.program, suspicion.row) if others else None
    if copy is None or not _run_leaf(search, copy).child_calls:
        return ""
    outcome = _run_leaf(search, copy, others)
    if outcome.failed or outcome.child_calls or outcome.value is None:
        return ""
    return f"made for the other side, the same call ends at once with the score {format_number(outcome.value)}"


def prove_by_more_depth(search: SearchContext, suspicion: Suspicion) -> str:
    """Make the call of a won board at the depth limit with one move left: it ends at once, with another score."""
    copy = copy_call(search.program, suspicion.row)
    depth, value = search.program.argument(suspicion.row, "depth"), search.program.values[suspicion.row]
    if copy is None or not is_number(depth):
        return ""
    outcome = _run_leaf(search, copy, {"depth": depth - find_depth_step(search.program)})
    if outcome.failed or outcome.child_calls or outcome.value is None or MAX_HIDDEN_SHARE * abs(outcome.value) <= abs(value or 0):
        return ""
    return (
        f"with one more move to search the same call ends at once with the score {format_number(outcome.value)} instead of "
        f"{format_number(value)}"
    )
