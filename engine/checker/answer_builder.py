"""Build the Answer from recorded calls: roles of the arguments, side to move, boards as text."""

from collections.abc import Mapping

import msgspec
import numpy as np

from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, infer_roles
from engine.checker.recording.board_texts import find_board_texts
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls
from engine.checker.recording.side_inference import infer_sides
from engine.checker.recording.state_display import format_state, turn_upright
from engine.checker.recording.wire_format import build_columns, compress_columns
from engine.checker.sandbox.worker_protocol import Answer, RootCall
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError


def find_roles(calls: RecordedCalls, corrected: Mapping[str, str] | None = None) -> list[ArgumentRoles]:
    """Return the roles of the arguments of each function. `corrected` maps roles to arguments that the user has named."""
    return [_find_function_roles(calls, number, corrected or {}) for number in range(len(calls.functions))]


def _find_function_roles(calls: RecordedCalls, number: int, corrected: Mapping[str, str]) -> ArgumentRoles:
    """Return the roles of one function. Raise PlyscopeError if `corrected` has an unknown role."""
    if unknown := set(corrected) - set(ArgumentRoles._fields):
        raise PlyscopeError(f"{sorted(unknown)[0]!r} is not a role: the roles are {', '.join(ArgumentRoles._fields)}")
    names = calls.functions[number].arguments
    chosen = {role: name for role, name in corrected.items() if name in names}
    found = infer_roles(calls, number)._asdict()
    freed = {role: None if name in chosen.values() else name for role, name in found.items()}
    return ArgumentRoles(**{**freed, **chosen})


def build_answer(
    calls: RecordedCalls, roles: list[ArgumentRoles], score: ScorePath | None, tested: Mapping[int, bool] | None = None
) -> Answer:
    """Build the part of the answer that follows from the record, and from rows whose side was seen in tests."""
    sides = infer_sides(calls, roles, score, tested)
    texts, board = find_board_texts(calls, roles)
    root = _find_root_call(calls, texts, board)
    *texts, root_board = turn_upright([*texts, root.board if root is not None else ""])
    return Answer(
        functions=[function.name for function in calls.functions],
        roles={function.name: roles[number] for number, function in enumerate(calls.functions)},
        score=score.text if score is not None else "",
        negamax=sides.negamax,
        root=None if root is None else msgspec.structs.replace(root, board=root_board),
        rows=compress_columns(build_columns(calls, sides, texts, board)),
    )


def clear_missing_rows(findings: list[Finding], rows: int) -> list[Finding]:
    """Return the findings. The row of one beyond `rows` becomes NO_ROW."""
    return [finding if finding.row < rows else finding._replace(row=NO_ROW) for finding in findings]


def _find_root_call(calls: RecordedCalls, texts: list[str], board: np.ndarray) -> RootCall | None:
    """Return the first run of a function around the search that called it for several positions: the loop over the root's
    moves.
    """
    for run in calls.runs:
        end = len(calls) if run.end == NO_ROW else run.end
        outer = [row for row in range(run.first, end) if calls.parent[row] == NO_ROW]
        if len(outer) > 1 and any(texts[board[row]] != run.board for row in outer):
            return RootCall(run.name, run.first, end, run.board, format_state(run.result)[:200])
    return None
