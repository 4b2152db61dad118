"""A record as an Answer: what its arguments mean, whose turn it was, its boards as text."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.checker.recording.argument_roles import Roles, Score, roles_of
from engine.checker.recording.call_recorder import NOTHING, Calls
from engine.checker.recording.side_inference import sides_of
from engine.checker.recording.state_display import shown
from engine.checker.recording.state_encoding import decoded
from engine.checker.recording.wire_format import columns_of, packed
from engine.checker.sandbox.worker_protocol import Answer, RootCall
from engine.checker.verdict import Finding
from engine.core.errors import PlyscopeError


def roles_in(calls: Calls, corrected: Mapping[str, str] | None = None) -> list[Roles]:
    """The roles of the arguments of each function; `corrected` are those that the user knows better."""
    return [_roles(calls, number, corrected or {}) for number in range(len(calls.functions))]


def _roles(calls: Calls, number: int, corrected: Mapping[str, str]) -> Roles:
    if unknown := set(corrected) - set(Roles._fields):
        raise PlyscopeError(f"{sorted(unknown)[0]!r} is no role of an argument: the roles are {', '.join(Roles._fields)}")
    names = calls.functions[number].arguments
    chosen = {role: name for role, name in corrected.items() if name in names}
    found = roles_of(calls, number)._asdict()
    freed = {role: None if name in chosen.values() else name for role, name in found.items()}
    return Roles(**{**freed, **chosen})


def told(calls: Calls, roles: list[Roles], score: Score | None) -> Answer:
    """What the record says by itself."""
    sides = sides_of(calls, roles, score)
    texts, board = _boards(calls, roles)
    return Answer(
        functions=[function.name for function in calls.functions],
        roles={function.name: roles[number] for number, function in enumerate(calls.functions)},
        score=score.text if score is not None else "",
        negamax=sides.negamax,
        root=_root(calls, texts, board),
        rows=packed(columns_of(calls, sides, texts, board)),
    )


def kept_findings(findings: list[Finding], rows: int) -> list[Finding]:
    """The findings, such that each is at a call that is told of, or at none."""
    return [finding if finding.row < rows else finding._replace(row=NOTHING) for finding in findings]


def _boards(calls: Calls, roles: list[Roles]) -> tuple[list[str], np.ndarray]:
    """The text of each position, and which one belongs to each row: a small state is the argument itself."""
    small: dict[str, int] = {}
    texts = _texts(calls) or [""]
    places = [
        function.arguments.index(state) if (state := roles[number].state) is not None else NOTHING
        for number, function in enumerate(calls.functions)
    ]
    board = np.array(calls.before, np.int32)
    for row, number in enumerate(calls.function):
        held = calls.arguments[row][places[number]] if places[number] != NOTHING else None
        if held is not None:
            board[row] = len(texts) + small.setdefault(str(held), len(small))
    return [*texts, *small], board


def _texts(calls: Calls) -> list[str]:
    """The text of each position; those of lists and arrays are made of their photographs."""
    told = iter(calls.texts.everything())
    return [
        next(told) if place == NOTHING else _text(decoded(photo), place)
        for photo, place in zip(calls.positions, calls.late, strict=False)
    ]


def _text(things: Any, place: int) -> str:
    return shown(things[place]) if isinstance(things, list) and place < len(things) else shown(things)


def _root(calls: Calls, texts: list[str], board: np.ndarray) -> RootCall | None:
    """The first run of a function around the search that called it for several positions: the loop over the first moves."""
    for run in calls.runs:
        end = len(calls) if run.end == NOTHING else run.end
        outer = [row for row in range(run.first, end) if calls.parent[row] == NOTHING]
        if len(outer) > 1 and any(texts[board[row]] != run.board for row in outer):
            return RootCall(run.name, run.first, end, run.board, shown(run.result)[:200])
    return None
