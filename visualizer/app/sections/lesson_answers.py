"""The right answers of a lesson's screen, the replies to answers, and a check that a search proves every statement."""

import re
from collections.abc import Iterable
from typing import Any

from engine.core.errors import PlyscopeError
from visualizer.app.sections.lesson_facts import (
    MAX_LESSON_NODES,
    PROOF_PATTERN,
    FactValue,
    evaluate_fact,
    find_rows,
    find_step,
    is_claim_true,
    read_number,
    search_from_params,
)
from visualizer.app.sections.lesson_files import AnswerOption, Entry, Screen


def right_choice(screen: Screen) -> int:
    """Return the index of the right choice: the one whose claim is true. Raise BadLesson unless there is exactly one."""
    right = [number for number, reply in enumerate(screen.choices) if reply.claim and _is_choice_right(screen, reply.claim)]
    if len(right) != 1:
        raise screen.make_error(screen.line, f"{len(right)} choices of this screen are right, and it should be one")
    return right[0]


def _is_choice_right(screen: Screen, claim: Entry) -> bool:
    try:
        return is_claim_true(claim.text, screen.search)
    except PlyscopeError as error:
        raise screen.make_error(claim, str(error)) from None


def right_number(screen: Screen) -> float:
    """Return the number that the screen asks for."""
    value = _read_fact(screen, screen.answer)
    if isinstance(value, str):
        raise screen.make_error(screen.answer, f"{screen.answer.text!r} is no number but {value}")
    return value


def right_nodes(screen: Screen) -> set[int]:
    """Return the rows whose nodes are right to click on."""
    return _read_nodes(screen, screen.answer)


def _read_fact(screen: Screen, entry: Entry) -> FactValue:
    try:
        return evaluate_fact(entry.text, screen.search)
    except PlyscopeError as error:
        raise screen.make_error(entry, str(error)) from None


def _read_nodes(screen: Screen, entry: Entry) -> set[int]:
    try:
        return find_rows(entry.text, search_from_params(screen.search))
    except PlyscopeError as error:
        raise screen.make_error(entry, str(error)) from None


def reply_to_number(screen: Screen, given: float) -> Entry:
    """Return the reply to a number: why it is right, what was probably thought, or a hint."""
    if given == right_number(screen):
        return screen.reason
    fits = (reply.reason for reply in screen.mistakes if _read_fact(screen, reply.words) == given)
    return next(fits, screen.hint)


def reply_to_node(screen: Screen, row: int) -> Entry:
    """Return the reply to a click on a node."""
    if row in right_nodes(screen):
        return screen.reason
    fits = (reply.reason for reply in screen.mistakes if row in _read_nodes(screen, reply.words))
    return next(fits, screen.hint)


def remove_proofs(text: str) -> str:
    """Return a lesson's text as people read it: {12 = value of [0,1]} becomes 12. Tests prove that it is true."""
    return PROOF_PATTERN.sub(lambda found: found[1], text)


def list_texts(screen: Screen) -> list[Entry]:
    """Return all texts of a screen, except its title."""
    replies: Iterable[AnswerOption] = (*screen.choices, *screen.mistakes)
    return [screen.text, screen.question, screen.reason, screen.hint, *(reply.reason for reply in replies)] + [
        reply.words for reply in screen.choices
    ]


def find_faults(screen: Screen) -> list[str]:
    """Return the faults of a screen: numbers that differ from the record or have no proof, and answers that cannot be given."""
    faults = []
    claims = {reply.words: reply.claim.text for reply in screen.choices if reply.claim}
    for entry in list_texts(screen):
        for typed, asked in PROOF_PATTERN.findall(entry.text):
            value, said = _read_fact(screen, Entry(asked, entry.line)), read_number(typed)
            if value != (typed.strip() if said is None else said):
                faults.append(str(screen.make_error(entry, f"{typed} is said, but {asked} is {_format_fact(value)}")))
        claimed = claims.get(entry, "")  # a choice is as true as its claim
        if bare := [number for number in re.findall(r"\d+", PROOF_PATTERN.sub("", entry.text)) if number not in claimed]:
            faults.append(str(screen.make_error(entry, f"{bare[0]} is said without a proof: write {{{bare[0]} = fact}}")))
    try:
        faults += _find_answer_faults(screen)
    except PlyscopeError as error:
        faults.append(str(error))
    return faults


def _find_answer_faults(screen: Screen) -> list[str]:
    if screen.exercise is not None:
        return []  # it was made when the file was read, and is graded as everywhere
    tree = search_from_params(screen.search)
    if not tree.complete:
        return [str(screen.make_error(screen.line, f"the search has over {MAX_LESSON_NODES:,} nodes"))]
    find_step(screen.step.text, tree)
    if screen.kind == "choices":
        right_choice(screen)
    if screen.kind == "answer":
        mistaken: list[Any] = [(reply.words, [_read_fact(screen, reply.words)]) for reply in screen.mistakes]
        right: list[Any] = [right_number(screen)]
    else:
        mistaken = [(reply.words, _read_nodes(screen, reply.words)) for reply in screen.mistakes]
        right = sorted(right_nodes(screen)) if screen.kind == "click" else []
    seen = set(right)
    faults = []
    for words, meant in mistaken:
        if set(meant) <= seen:
            faults.append(
                str(screen.make_error(words, f"{words.text!r} is right, or was listed before: nobody would be told this"))
            )
        seen |= set(meant)
    return faults


def _format_fact(value: FactValue) -> str:
    return value if isinstance(value, str) else f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"
