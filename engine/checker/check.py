"""`plyscope check`: a program is watched in a process of its own, and what was seen becomes a verdict."""

from pathlib import Path
from typing import NamedTuple

from engine.checker.sandbox.launcher import run
from engine.checker.sandbox.program_files import readable_name
from engine.checker.sandbox.worker_protocol import Answer, WatchWish
from engine.checker.verdict import NOT_RUN, NOT_SEEN_TO_CHOOSE, RIGHT, UNSURE, WRONG, Finding, Verdict


class CheckedProgram(NamedTuple):
    """A verdict and what it rests on."""

    verdict: Verdict
    answer: Answer


def check(wish: WatchWish) -> CheckedProgram:
    """Watch the program and say what is wrong with its search."""
    answer = run(wish)
    return CheckedProgram(verdict_of(readable_name(Path(wish.file).name), answer), answer)


def verdict_of(file: str, answer: Answer) -> Verdict:
    """What is said about the program."""
    if answer.failed or answer.rows is None:
        return Verdict(file, functions=answer.functions, reason=answer.failed, verdict=NOT_RUN)
    names = plain_names(list(answer.roles))
    return Verdict(
        file,
        functions=[names.get(name, name) for name in answer.functions],
        roles={names[name]: roles for name, roles in answer.roles.items()},
        score=answer.score,
        negamax=answer.negamax,
        rows=answer.rows.count,
        complete=not answer.stopped,
        verdict=_word(answer),
        reason=_reason(answer),
        variants=answer.variants,
        findings=answer.findings,
        looked_at=answer.looked_at,
        not_looked_at=answer.not_looked_at,
    )


def plain_names(names: list[str]) -> dict[str, str]:
    """Functions by what people call them: without the class or the function around them, where that is no other's name.

    >>> plain_names(["AI.max_value", "AI.min_value"])
    {'AI.max_value': 'max_value', 'AI.min_value': 'min_value'}
    """
    last = [name.rpartition(".")[2] for name in names]
    return {name: short if last.count(short) == 1 else name for name, short in zip(names, last, strict=True)}


def _word(answer: Answer) -> str:
    if any(finding.certain for finding in answer.findings):
        return WRONG
    doubts = answer.findings or answer.stopped or not answer.score or answer.one_score or not answer.looked_at
    return UNSURE if doubts or _never_chose(answer) else RIGHT


def _never_chose(answer: Answer) -> bool:
    """Whether no call could be run alone to see which of its moves it takes."""
    return any(words.startswith(NOT_SEEN_TO_CHOOSE) for words in answer.not_looked_at)


def _reason(answer: Answer) -> str:
    if answer.stopped:
        return f"{answer.started}: {answer.stopped}"
    if not answer.score:
        return "no score was found in what the calls return"
    if answer.one_score:
        return "every position it evaluated has the same score, so it was not seen to choose: search deeper, or start later"
    if _never_chose(answer) and not answer.findings:
        return "no call could be run alone, so it was not seen to choose among its moves"
    return "" if answer.looked_at else "nothing could be looked at"


def certain(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.certain]
