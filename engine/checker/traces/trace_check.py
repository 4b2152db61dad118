"""`plyscope check trace.jsonl`: the verdict on a search trace."""

import os
from pathlib import Path

import numpy as np

from engine.checker.answer_builder import clear_missing_rows
from engine.checker.check import CheckedProgram, build_verdict
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import MAX_ROWS
from engine.checker.recording.wire_format import MAXIMIZING, RETURNED, CallColumns, compress_columns
from engine.checker.sandbox.program_files import to_utf8_name
from engine.checker.sandbox.worker_protocol import Answer, FunctionSource
from engine.checker.traces.trace_rules import find_trace_mistakes
from engine.tree.search_trace import ParsedTrace, read_trace_file
from engine.tree.trace_builder import TraceColumns, build_trace_tree

TRACE_EXTENSION = ".jsonl"
NOT_CHECKED = (
    "proofs by experiment: a trace cannot be run again",
    "the rules of the game: a trace does not have them",
)


def is_trace(path: str) -> bool:
    """Return True for the name of a trace."""
    return Path(path).suffix.lower() == TRACE_EXTENSION


def check_trace(path: str) -> CheckedProgram:
    """Read a trace file and judge its search. Raise BadTrace if it is damaged."""
    return judge_trace(read_trace_file(path), to_utf8_name(os.path.basename(path)))


def judge_trace(trace: ParsedTrace, file: str) -> CheckedProgram:
    """Judge the search of a trace."""
    seen = TraceColumns(trace)
    tree = build_trace_tree(seen)  # checks everything else, and fills in the values of inner calls
    answer = build_trace_answer(seen, bool(tree.stopped))
    return CheckedProgram(build_verdict(file, answer), answer)


def build_trace_answer(seen: TraceColumns, is_stopped: bool) -> Answer:
    """Build the answer of a checked program from a trace. A large trace is judged whole, and shown in part."""
    name = seen.header.program or "search"
    count = min(len(seen), MAX_ROWS)
    numbers: dict[str, int] = {}
    board = np.array([numbers.setdefault(call.state, len(numbers)) for call in seen.calls[:count]], np.int32)
    left = np.array([call.status != "open" for call in seen.calls[:count]], np.bool_) & (seen.end[:count] <= count)
    columns = CallColumns(
        depth=seen.depth[:count],
        function=np.zeros(count, np.uint8),
        board=board,
        flags=seen.maximizing[:count] * MAXIMIZING + left * RETURNED,
        value=seen.value[:count],
        alpha=seen.alpha[:count],
        beta=seen.beta[:count],
        boards=list(numbers),
    )
    has_depth = any(call.depth is not None for call in seen.calls)
    alpha, beta = ("alpha", "beta") if seen.has_windows else (None, None)
    cut = f"only the first {count:,} of {len(seen):,} calls are shown" if count < len(seen) else ""
    return Answer(
        functions=[name],
        sources=[FunctionSource(name, 0, [])],
        roles={name: ArgumentRoles("state", "depth" if has_depth else None, alpha, beta, "side")},
        score="value",
        negamax=seen.header.viewpoint == "side",
        started="the program that wrote the trace",
        stopped=cut or ("the search was stopped" if is_stopped else ""),
        rows=compress_columns(columns),
        variants=["alphabeta" if seen.has_windows else "minimax"],
        findings=clear_missing_rows(find_trace_mistakes(seen), count),
        calls=len(seen),
        positions=1,
        looked_at=[f"{len(seen):,} calls, each compared with the calls it made"],
        not_looked_at=list(NOT_CHECKED),
    )
