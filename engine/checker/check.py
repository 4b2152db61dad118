"""`plyscope check`: run a program in a sandbox, record its search and give a verdict."""

from pathlib import Path
from typing import NamedTuple

from engine.checker.sandbox.launcher import run_worker
from engine.checker.sandbox.program_files import to_utf8_name
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest
from engine.checker.verdict import CHOICE_NOT_CHECKED, NOT_RUN, RIGHT, UNSURE, WRONG, Finding, Verdict


class CheckedProgram(NamedTuple):
    """A verdict and the answer of the worker that it rests on."""

    verdict: Verdict
    answer: Answer


def check(wish: CheckRequest) -> CheckedProgram:
    """Run the program of a request and judge its search."""
    answer = run_worker(wish)
    return CheckedProgram(build_verdict(to_utf8_name(Path(wish.file).name), answer), answer)


def build_verdict(file: str, answer: Answer) -> Verdict:
    """Build the verdict on a program from the worker's answer."""
    if answer.failed or answer.rows is None:
        return Verdict(file, functions=answer.functions, reason=answer.failed, verdict=NOT_RUN)
    names = shorten_names(list(answer.roles))
    return Verdict(
        file,
        functions=[names.get(name, name) for name in answer.functions],
        roles={names[name]: roles for name, roles in answer.roles.items()},
        score=answer.score,
        negamax=answer.negamax,
        rows=answer.rows.count,
        complete=not answer.stopped,
        verdict=_choose_verdict(answer),
        reason=_explain_verdict(answer),
        variants=answer.variants,
        findings=answer.findings,
        looked_at=answer.looked_at,
        not_looked_at=answer.not_looked_at,
    )


def shorten_names(names: list[str]) -> dict[str, str]:
    """Return the name without its class or outer function for each function, where that is unambiguous.

    >>> shorten_names(["AI.max_value", "AI.min_value"])
    {'AI.max_value': 'max_value', 'AI.min_value': 'min_value'}
    """
    last = [name.rpartition(".")[2] for name in names]
    return {name: short if last.count(short) == 1 else name for name, short in zip(names, last, strict=True)}


def _choose_verdict(answer: Answer) -> str:
    if any(finding.certain for finding in answer.findings):
        return WRONG
    doubts = answer.findings or answer.stopped or not answer.score or answer.one_score or not answer.looked_at
    return UNSURE if doubts or _has_no_probed_call(answer) else RIGHT


def _has_no_probed_call(answer: Answer) -> bool:
    """Return True if no call could be run alone to see which of its moves it takes."""
    return any(words.startswith(CHOICE_NOT_CHECKED) for words in answer.not_looked_at)


def _explain_verdict(answer: Answer) -> str:
    if answer.stopped:
        return f"{answer.started}: {answer.stopped}"
    if not answer.score:
        return "no score was found in what the calls return"
    if answer.one_score:
        return "every position it evaluated has the same score, so it was not seen to choose: search deeper, or start later"
    if _has_no_probed_call(answer) and not answer.findings:
        return "no call could be run alone, so it was not seen to choose among its moves"
    return "" if answer.looked_at else "nothing could be looked at"


def certain_findings(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.certain]
