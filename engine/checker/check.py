"""`plyscope check`: run a program in a sandbox, record its search and give a verdict."""

import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from engine.checker.doubtful_lines import find_doubtful_lines
from engine.checker.sandbox.launcher import attach_files, max_worker_seconds, run_worker
from engine.checker.sandbox.program_files import to_utf8_name
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest
from engine.checker.verdict import (
    NOT_RUN,
    NOTHING_FOUND,
    SUSPICIOUS,
    WASTEFUL,
    WASTEFUL_MISTAKES,
    WRONG,
    Unchecked,
    Verdict,
)

MAX_OTHER_SEARCHES = 1  # that are tried if the search cannot be started
MAX_PASSED_SHARE = 0.6  # of the time, for another one to be tried


class CheckedProgram(NamedTuple):
    """A verdict and the answer of the worker that it rests on."""

    verdict: Verdict
    answer: Answer


def check(request: CheckRequest, is_cancelled: Callable[[], bool] | None = None) -> CheckedProgram:
    """Run the program of a request and judge its search. It stops when `is_cancelled` returns True."""
    request = request if request.files else attach_files(request)
    answer = _run_search(request, is_cancelled)
    verdict = build_verdict(to_utf8_name(Path(os.path.abspath(request.file)).name), answer)
    verdict.doubts = list(map(str, find_doubtful_lines(request.files)))
    if answer.hint:
        verdict.hint = f"plyscope check {shlex.quote(to_utf8_name(request.file))} --call {shlex.quote(answer.hint)}"
    return CheckedProgram(verdict, answer)


def _run_search(request: CheckRequest, is_cancelled: Callable[[], bool] | None) -> Answer:
    """Run the program. If its search cannot be started, run another search of the same file in the time that is left."""
    began = time.monotonic() if request.given_at is None else request.given_at
    request = msgspec.structs.replace(request, given_at=began)
    answer = run_worker(request, is_cancelled)
    for name in answer.others[:MAX_OTHER_SEARCHES]:
        passed = time.monotonic() - began
        if passed > max_worker_seconds(request) * MAX_PASSED_SHARE or (is_cancelled is not None and is_cancelled()):
            break
        other = run_worker(msgspec.structs.replace(request, function=name), is_cancelled)
        if other.rows is not None and other.rows.count > 1:
            other.notes.append(f"{', '.join(answer.functions)} could not be started, so {name} was checked")
            return other
    return answer


def build_verdict(file: str, answer: Answer) -> Verdict:
    """Build the verdict on a program from the worker's answer."""
    if answer.failed or answer.rows is None:
        return Verdict(file, functions=answer.functions, reason=answer.failed, verdict=NOT_RUN, stand_ins=answer.pretended)
    if answer.rows.count == 1 and not any(finding.certain for finding in answer.findings):
        reason = f"{answer.stopped}. " if answer.stopped else ""
        stand_ins = f" ({', '.join(answer.pretended)} replaced by stand-ins)" if answer.pretended else ""
        reason += (
            f"{answer.started} makes only one call of {', '.join(answer.functions)}{stand_ins}: start at a position with moves"
        )
        return Verdict(file, functions=answer.functions, reason=reason, verdict=NOT_RUN, stand_ins=answer.pretended)
    names = shorten_names(list(answer.roles))
    return Verdict(
        file,
        functions=[names.get(name, name) for name in answer.functions],
        roles={names[name]: roles for name, roles in answer.roles.items()},
        score=answer.score,
        negamax=answer.negamax,
        rows=answer.rows.count,
        calls=max(answer.calls, answer.rows.count),
        positions=max(answer.positions, 1),
        complete=not answer.stopped,
        verdict=_choose_verdict(answer),
        reason=_explain_verdict(answer),
        variants=answer.variants,
        findings=[finding if finding.file else finding._replace(file=file) for finding in answer.findings],
        looked_at=answer.looked_at,
        not_looked_at=answer.not_looked_at,
        stand_ins=answer.pretended,
    )


def shorten_names(names: list[str]) -> dict[str, str]:
    """Return the name without its class or outer function for each function, where that is unambiguous.

    >>> shorten_names(["AI.max_value", "AI.min_value"])
    {'AI.max_value': 'max_value', 'AI.min_value': 'min_value'}
    """
    last = [name.rpartition(".")[2] for name in names]
    return {name: short if last.count(short) == 1 else name for name, short in zip(names, last, strict=True)}


def _choose_verdict(answer: Answer) -> str:
    certain = {finding.name for finding in answer.findings if finding.certain}
    if certain:
        return WASTEFUL if certain <= WASTEFUL_MISTAKES else WRONG
    return SUSPICIOUS if answer.findings else NOTHING_FOUND


def _has_no_probed_call(answer: Answer) -> bool:
    """Return True if no call could be run alone to test its choice of moves."""
    return Unchecked.MOVE_CHOICE in answer.not_looked_at


def _explain_verdict(answer: Answer) -> str:
    stopped = f"{answer.started}: {answer.stopped}" if answer.stopped else ""
    if Unchecked.TREE_OF_SAMPLES in answer.not_looked_at:
        recorded = f"a Monte Carlo tree search ({', '.join(answer.functions)}): recorded, not judged"
        return f"{recorded}; {stopped}" if stopped else recorded
    if stopped:
        return stopped
    if not answer.score:
        return "the calls return no score"
    if answer.one_score and _choose_verdict(answer) not in (WRONG, WASTEFUL):
        return (
            "every evaluated position has the same score, so the choice of moves was not checked: search deeper, or start later"
        )
    if _has_no_probed_call(answer) and not answer.findings:
        return "no call could be run alone, so the choice of moves was not checked"
    return "" if answer.looked_at else "nothing could be checked"
