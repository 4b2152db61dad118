"""The right answers of a lesson's screen, the replies to answers, and a check that a search proves every statement."""

import re
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.core.errors import PlyscopeError
from engine.games.capabilities import declared_title
from engine.games.registry import read_game
from visualizer.app.sections.front_matter import Entry
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
from visualizer.app.sections.lesson_files import Screen

CONNECT_4 = declared_title(read_game("connect4"))  # its name has a digit


def right_choice(screen: Screen) -> int:
    """Return the index of the right choice: the one whose claim is true. Raise BadLesson unless there is exactly one."""
    right = [number for number, option in enumerate(screen.choices) if option.claim and _is_choice_right(screen, option.claim)]
    if len(right) != 1:
        raise screen.make_error(screen.line, f"{len(right)} choices of this screen are right: exactly one must be")
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
        raise screen.make_error(screen.answer, f"{screen.answer.text!r} is not a number but {value}")
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


def reply_to_number(screen: Screen, number: float) -> Entry:
    """Return the reply to a number: the reason if it is right, the reply to a foreseen mistake, or the hint."""
    if number == right_number(screen):
        return screen.reason
    replies = (mistake.reply for mistake in screen.mistakes if _read_fact(screen, mistake.answer) == number)
    return next(replies, screen.hint)


def reply_to_node(screen: Screen, row: int) -> Entry:
    """Return the reply to a click on a node."""
    if row in right_nodes(screen):
        return screen.reason
    replies = (mistake.reply for mistake in screen.mistakes if row in _read_nodes(screen, mistake.answer))
    return next(replies, screen.hint)


def remove_proofs(text: str) -> str:
    """Return a lesson's text as learners see it: {12 = value of [0,1]} becomes 12. Tests check the proofs."""
    return PROOF_PATTERN.sub(lambda found: found[1], text)


def list_texts(screen: Screen) -> list[Entry]:
    """Return all texts of a screen, except its title."""
    replies = [option.reply for option in (*screen.choices, *screen.mistakes)]
    return [screen.text, screen.question, screen.reason, screen.hint, *replies, *(option.answer for option in screen.choices)]


def find_faults(screen: Screen) -> list[str]:
    """Return the faults of a screen: numbers that differ from the record or have no proof, and answers that cannot be given."""
    faults = []
    claims = {option.answer: option.claim.text for option in screen.choices if option.claim}
    for entry in list_texts(screen):
        for written, fact in PROOF_PATTERN.findall(entry.text):
            value, number = _read_fact(screen, Entry(fact, entry.line)), read_number(written)
            if value != (written.strip() if number is None else number):
                faults.append(str(screen.make_error(entry, f"the text says {written}, but {fact} is {_format_fact(value)}")))
        claim = claims.get(entry, "")  # the claim of a choice proves the numbers in it
        if unproved := [number for number in _list_unproved_numbers(entry.text) if number not in claim]:
            faults.append(str(screen.make_error(entry, f"{unproved[0]} has no proof: write {{{unproved[0]} = fact}}")))
    try:
        faults += _find_answer_faults(screen)
    except PlyscopeError as error:
        faults.append(str(error))
    return faults


def _list_unproved_numbers(text: str) -> list[str]:
    """Return the numbers of a text that are neither proved nor part of a name, such as Star1 or Connect 4."""
    text = PROOF_PATTERN.sub("", text)
    for name in (*(facts.title for facts in ALGORITHMS.values()), CONNECT_4):
        text = re.sub(rf"\b{re.escape(name)}\b", "", text)
    return re.findall(r"\d+", text)


def _find_answer_faults(screen: Screen) -> list[str]:
    if screen.exercise is not None:
        return []  # it was made when the file was read, and is graded like every exercise
    tree = search_from_params(screen.search)
    if not tree.complete:
        return [str(screen.make_error(screen.line, f"the search has over {MAX_LESSON_NODES:,} nodes"))]
    find_step(screen.step.text, tree)
    if screen.kind == "choices":
        right_choice(screen)
    if screen.kind == "answer":
        mistakes: list[Any] = [(mistake.answer, [_read_fact(screen, mistake.answer)]) for mistake in screen.mistakes]
        right: list[Any] = [right_number(screen)]
    else:
        mistakes = [(mistake.answer, _read_nodes(screen, mistake.answer)) for mistake in screen.mistakes]
        right = sorted(right_nodes(screen)) if screen.kind == "click" else []
    covered = set(right)
    faults = []
    for entry, answers in mistakes:
        if set(answers) <= covered:
            message = f"{entry.text!r} is right or was listed before: this reply is never shown"
            faults.append(str(screen.make_error(entry, message)))
        covered |= set(answers)
    return faults


def _format_fact(value: FactValue) -> str:
    return value if isinstance(value, str) else f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"
