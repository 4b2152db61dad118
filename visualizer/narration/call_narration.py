"""A recorded search that somebody wrote wrongly, call by call: what it did, and where that contradicts its own record.

Step has other sentences: they give reasons, and a search with a mistake has none.
"""

from typing import NamedTuple

from engine.games.protocol import name_of_move
from engine.learning.exercise_types import mistake
from engine.learning.model import Exercise
from engine.tree.node import Node
from engine.tree.trace import ENTER, EVALUATE, LEAVE_CUT, RETURN, Step, Trace
from visualizer.narration.exercise_messages import place, what_is_wrong
from visualizer.narration.numbers import number


class CallEvent(NamedTuple):
    """A call begins or ends."""

    row: int  # of the whole tree
    left: bool
    words: str
    wrong: bool  # the record proves it wrong


def events_of(exercise: Exercise) -> list[CallEvent]:
    """All of them, in the order of the search."""
    record, rows = mistake.record_of(exercise), mistake.shown_rows(exercise)
    wrong = {call.step: what_is_wrong(exercise, call) for call in mistake.calls_of(exercise)}
    found = []
    for step in Trace(record):
        if step.kind != RETURN:
            row = rows[int(step.node)]
            words = _entered(place(exercise, row), step.node) if step.kind == ENTER else _left(place(exercise, row), step)
            said = f"{words} {wrong[step.number]}" if step.number in wrong else words
            found.append(CallEvent(row, step.kind != ENTER, said, step.number in wrong))
    return found


def _entered(where: str, node: Node) -> str:
    return f"The search enters {where} with the window {number(node.alpha)} to {number(node.beta)}."


def _left(where: str, step: Step) -> str:
    value = number(step.node.value)
    if step.kind == EVALUATE:
        return f"The leaf is worth {value}."
    if step.kind == LEAVE_CUT:
        game, state = step.node.tree.game, step.node.state
        names = [name_of_move(game, state, code) for code in step.skipped_moves]
        return (
            f"The search leaves {where} with {value}, without trying {'move' if len(names) == 1 else 'moves'} {', '.join(names)}."
        )
    return f"The search leaves {where} with {value}, after all its moves."
