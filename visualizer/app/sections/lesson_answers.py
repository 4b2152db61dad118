"""What is right on a screen of a lesson, what is said to an answer, and whether all that is said is proved by a search."""

import re
from collections.abc import Iterable
from typing import Any

from engine.core.errors import PlyscopeError
from visualizer.app.sections.lesson_facts import (
    MOST_NODES,
    PROVED,
    FactValue,
    fact,
    holds,
    nodes_at,
    read_number,
    step_at,
    tree_of,
)
from visualizer.app.sections.lesson_files import Entry, Offered, Screen


def right_reply(screen: Screen) -> int:
    """Which of its choices is right: the one whose claim is true."""
    right = [number for number, reply in enumerate(screen.choices) if reply.claim and _claimed(screen, reply.claim)]
    if len(right) != 1:
        raise screen.wrong(screen.line, f"{len(right)} choices of this screen are right, and it should be one")
    return right[0]


def _claimed(screen: Screen, claim: Entry) -> bool:
    try:
        return holds(claim.text, screen.search)
    except PlyscopeError as error:
        raise screen.wrong(claim, str(error)) from None


def right_number(screen: Screen) -> float:
    """The number that it asks for."""
    value = _fact_of(screen, screen.answer)
    if isinstance(value, str):
        raise screen.wrong(screen.answer, f"{screen.answer.text!r} is no number but {value}")
    return value


def right_nodes(screen: Screen) -> set[int]:
    """The rows whose nodes are right to click on."""
    return _nodes_of(screen, screen.answer)


def _fact_of(screen: Screen, entry: Entry) -> FactValue:
    try:
        return fact(entry.text, screen.search)
    except PlyscopeError as error:
        raise screen.wrong(entry, str(error)) from None


def _nodes_of(screen: Screen, entry: Entry) -> set[int]:
    try:
        return nodes_at(entry.text, tree_of(screen.search))
    except PlyscopeError as error:
        raise screen.wrong(entry, str(error)) from None


def said_of_number(screen: Screen, given: float) -> Entry:
    """What is said to a number: why it is right, what was probably thought, or a hint."""
    if given == right_number(screen):
        return screen.reason
    fits = (reply.reason for reply in screen.mistakes if _fact_of(screen, reply.words) == given)
    return next(fits, screen.hint)


def said_of_node(screen: Screen, row: int) -> Entry:
    """What is said to a click on a node."""
    if row in right_nodes(screen):
        return screen.reason
    fits = (reply.reason for reply in screen.mistakes if row in _nodes_of(screen, reply.words))
    return next(fits, screen.hint)


def shown_text(text: str) -> str:
    """A text of a lesson as people read it: {12 = value of [0,1]} is 12. That it is true, tests prove."""
    return PROVED.sub(lambda found: found[1], text)


def texts_of(screen: Screen) -> list[Entry]:
    """Everything that is read on it, but for its title."""
    replies: Iterable[Offered] = (*screen.choices, *screen.mistakes)
    return [screen.text, screen.question, screen.reason, screen.hint, *(reply.reason for reply in replies)] + [
        reply.words for reply in screen.choices
    ]


def unproved(screen: Screen) -> list[str]:
    """What is wrong with a screen: numbers that are not those of the record, or are said without one; answers that cannot be."""
    faults = []
    claims = {reply.words: reply.claim.text for reply in screen.choices if reply.claim}
    for entry in texts_of(screen):
        for typed, asked in PROVED.findall(entry.text):
            value, said = _fact_of(screen, Entry(asked, entry.line)), read_number(typed)
            if value != (typed.strip() if said is None else said):
                faults.append(str(screen.wrong(entry, f"{typed} is said, but {asked} is {_plain(value)}")))
        claimed = claims.get(entry, "")  # a choice is as true as its claim
        if bare := [number for number in re.findall(r"\d+", PROVED.sub("", entry.text)) if number not in claimed]:
            faults.append(str(screen.wrong(entry, f"{bare[0]} is said without a proof: write {{{bare[0]} = fact}}")))
    try:
        faults += _unanswerable(screen)
    except PlyscopeError as error:
        faults.append(str(error))
    return faults


def _unanswerable(screen: Screen) -> list[str]:
    if screen.exercise is not None:
        return []  # it was made when the file was read, and is graded as everywhere
    tree = tree_of(screen.search)
    if not tree.complete:
        return [str(screen.wrong(screen.line, f"the search has over {MOST_NODES:,} nodes"))]
    step_at(screen.step.text, tree)
    if screen.kind == "choices":
        right_reply(screen)
    if screen.kind == "answer":
        mistaken: list[Any] = [(reply.words, [_fact_of(screen, reply.words)]) for reply in screen.mistakes]
        right: list[Any] = [right_number(screen)]
    else:
        mistaken = [(reply.words, _nodes_of(screen, reply.words)) for reply in screen.mistakes]
        right = sorted(right_nodes(screen)) if screen.kind == "click" else []
    seen = set(right)
    faults = []
    for words, meant in mistaken:
        if set(meant) <= seen:
            faults.append(str(screen.wrong(words, f"{words.text!r} is right, or was listed before: nobody would be told this")))
        seen |= set(meant)
    return faults


def _plain(value: FactValue) -> str:
    return value if isinstance(value, str) else f"{value:g}" if abs(value) < 1e6 else f"{value:,.0f}"
