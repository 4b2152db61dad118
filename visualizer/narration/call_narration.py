"""A recorded search with a mistake, call by call: what it did, and where that contradicts its own record.

The sentences of Step give reasons. A search with a mistake has none, so it has its own sentences here.
"""

from typing import NamedTuple

from engine.games.protocol import move_name_from_code
from engine.learning.exercise_types import mistake
from engine.learning.model import Exercise
from engine.tree.node import Node
from engine.tree.trace import ENTER, EVALUATE, LEAVE_CUT, RETURN, Step, Trace
from visualizer.narration.exercise_messages import describe_node, describe_wrong_call
from visualizer.narration.numbers import format_number


class CallEvent(NamedTuple):
    """The begin or the end of a call."""

    row: int  # of the whole tree
    left: bool
    words: str
    wrong: bool  # the record proves it wrong


def list_call_events(exercise: Exercise) -> list[CallEvent]:
    """Return the events of all calls, in the order of the search."""
    record, rows = mistake.faulty_search(exercise), mistake.map_record_rows(exercise)
    wrong = {call.step: describe_wrong_call(exercise, call) for call in mistake.list_wrong_calls(exercise)}
    found = []
    for step in Trace(record):
        if step.kind != RETURN:
            row = rows[int(step.node)]
            words = (
                _describe_entry(describe_node(exercise, row), step.node)
                if step.kind == ENTER
                else _describe_exit(describe_node(exercise, row), step)
            )
            said = f"{words} {wrong[step.number]}" if step.number in wrong else words
            found.append(CallEvent(row, step.kind != ENTER, said, step.number in wrong))
    return found


def _describe_entry(where: str, node: Node) -> str:
    return f"The search enters {where} with the window {format_number(node.alpha)} to {format_number(node.beta)}."


def _describe_exit(where: str, step: Step) -> str:
    value = format_number(step.node.value)
    if step.kind == EVALUATE:
        return f"The leaf is worth {value}."
    if step.kind == LEAVE_CUT:
        game, state = step.node.tree.game, step.node.state
        names = [move_name_from_code(game, state, code) for code in step.skipped_moves]
        return (
            f"The search leaves {where} with {value}, without trying {'move' if len(names) == 1 else 'moves'} {', '.join(names)}."
        )
    return f"The search leaves {where} with {value}, after all its moves."
