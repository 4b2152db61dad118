"""The texts of the boards of a record, one for each position."""

from typing import Any

import numpy as np

from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls
from engine.checker.recording.state_display import format_state, turn_upright
from engine.checker.recording.state_encoding import decode_state


def find_board_texts(calls: RecordedCalls, roles: list[ArgumentRoles]) -> tuple[list[str], np.ndarray]:
    """Return the texts of all positions, and the index into them for each row. A small state is the argument itself."""
    small: dict[str, int] = {}
    texts = _list_position_texts(calls) or [""]
    places = [
        function.arguments.index(state) if (state := roles[number].state) is not None else NO_ROW
        for number, function in enumerate(calls.functions)
    ]
    board = np.array(calls.before, np.int32)
    for row, number in enumerate(calls.function):
        held = calls.arguments[row][places[number]] if places[number] != NO_ROW else None
        if held is not None:
            board[row] = len(texts) + small.setdefault(str(held), len(small))
    return [*texts, *small], board


def _list_position_texts(calls: RecordedCalls) -> list[str]:
    """Return the text of each position. Lists and arrays are formatted from their encoded states."""
    texts = iter(calls.texts.list_texts())
    return [
        next(texts) if place == NO_ROW else _format_thing(decode_state(encoded), place)
        for encoded, place in zip(calls.positions, calls.late, strict=False)
    ]


def _format_thing(things: Any, place: int) -> str:
    return format_state(things[place]) if isinstance(things, list) and place < len(things) else format_state(things)


def format_board(calls: RecordedCalls, roles: list[ArgumentRoles], row: int) -> str:
    """Return the board of a row as text, with its bottom row last. It is empty if there is no such row."""
    if not 0 <= row < len(calls):
        return ""
    texts, board = find_board_texts(calls, roles)
    return turn_upright(texts)[board[row]]
