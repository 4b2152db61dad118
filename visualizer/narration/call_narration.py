"""A recorded search with a mistake, call by call: what it does, and where it contradicts its own record.

The sentences of Step give reasons. A faulty search has none, so it needs its own sentences.
"""

from typing import NamedTuple

from engine.games.protocol import move_name_from_code
from engine.learning.exercise_types import mistake
from engine.learning.model import Exercise
from engine.tree.node import Node
from engine.tree.trace import ENTER, EVALUATE, LEAVE_CUT, RETURN, Step
from visualizer.narration.exercise_messages import describe_node, describe_wrong_call
from visualizer.narration.numbers import format_number


class CallEvent(NamedTuple):
    """The beginning or the end of a call."""

    row: int  # of the full tree
    left: bool  # True: the end of the call
    words: str
    wrong: bool  # the record proves it wrong


def list_call_events(exercise: Exercise) -> list[CallEvent]:
    """Return the events of all calls, in the order of the search."""
    record, rows = mistake.faulty_search(exercise), mistake.map_record_rows(exercise)
    wrong = {call.step: describe_wrong_call(exercise, call) for call in mistake.list_wrong_calls(exercise)}
    events = []
    for step in record.timeline:
        if step.kind != RETURN:
            row = rows[int(step.node)]
            words = (
                _describe_entry(describe_node(exercise, row), step.node)
                if step.kind == ENTER
                else _describe_exit(describe_node(exercise, row), step)
            )
            if step.number in wrong:
                words = f"{words} {wrong[step.number]}"
            events.append(CallEvent(row, step.kind != ENTER, words, step.number in wrong))
    return events


def _describe_entry(where: str, node: Node) -> str:
    return f"The search enters {where} with the window {format_number(node.alpha)} to {format_number(node.beta)}."


def _describe_exit(where: str, step: Step) -> str:
    value = format_number(step.node.value)
    if step.kind == EVALUATE:
        return f"The leaf has the value {value}."
    if step.kind == LEAVE_CUT:
        game, state = step.node.tree.game, step.node.state
        names = [move_name_from_code(game, state, code) for code in step.skipped_moves]
        return (
            f"The search leaves {where} with the value {value} and skips {'move' if len(names) == 1 else 'moves'} "
            f"{', '.join(names)}."
        )
    return f"The search leaves {where} with the value {value} after all its moves."
