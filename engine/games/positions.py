"""Positions written as strings of moves, in the same way for every game."""

from collections.abc import Iterable
from typing import Any

from engine.core.errors import IllegalMove, PlyscopeError, UnknownName, short_repr
from engine.core.parsing import format_ranges, is_whole
from engine.games.capabilities import (
    can_check_positions,
    can_read_positions,
    declared_name,
    explain_illegal_move,
    has_move_list_positions,
    has_single_digit_moves,
    has_typed_names,
    move_namer,
)
from engine.games.protocol import MovesByCode, is_max_to_move, play_move

SIDES = ("max", "min")


def read_moves(text: Any, single_digits: bool) -> list[int]:
    """Read the moves of a string such as "334" (one digit each) or "3,3,4"; a list of ints is taken as it is.

    >>> read_moves("334", single_digits=True), read_moves("3, 11", single_digits=False)
    ([3, 3, 4], [3, 11])
    """
    if not isinstance(text, str):
        if not isinstance(text, Iterable):
            raise IllegalMove(f"{short_repr(text)} is not a position: write the moves as text, such as '334'")
        return [_read_move(move, text) for move in text]
    if single_digits and "," not in text:
        return [_read_move(piece, text) for piece in "".join(text.split())]
    return [_read_move(piece.strip(), text) for piece in text.split(",")] if text.strip() else []


def write_moves(moves: Iterable[int], single_digits: bool) -> str:
    """Return the text that `read_moves` turns into these moves.

    >>> write_moves([3, 3, 4], single_digits=True), write_moves([3, 11], single_digits=False)
    ('334', '3,11')
    """
    return ("" if single_digits else ",").join(map(str, moves))


def _read_move(piece: Any, text: Any) -> int:
    if is_whole(piece):
        return int(piece)
    if isinstance(piece, str) and piece.isascii() and piece.isdigit() and len(piece.lstrip("0")) < 10:
        return int(piece)
    raise IllegalMove(f"{short_repr(piece)} in the position {short_repr(text)} is not a move: moves are whole numbers from 0")


def is_max_first(first: str) -> bool:
    """Return True if MAX made the first move; `first` is "max" or "min"."""
    if first not in SIDES:
        raise UnknownName("side", first, SIDES)
    return first == "max"


def read_position(game: Any, position: Any, first: str | None = None) -> Any:
    """Return the state given by a move string, a state, or None for the start. Some games check a given state."""
    if position is None and first is None:
        return game.start()
    is_text = position is None or isinstance(position, str)
    if can_check_positions(game) or (can_read_positions(game) and is_text):
        options = {} if first is None else {"first": first}
        return game.state("" if position is None else position, **options)
    if has_move_list_positions(game) and is_text:
        return _play_from_start(game, position or "", first)
    if first is not None:
        raise PlyscopeError(f"{type(game).__name__} cannot read positions (it has no state() method), so `first` has no meaning")
    return position


def _play_from_start(game: Any, text: str, first: str | None) -> Any:
    """Return the state after recorded moves, in a game without a state() method."""
    state = game.start()
    begins = "max" if is_max_to_move(game, state) else "min"
    if first is not None and is_max_first(first) != (begins == "max"):
        raise PlyscopeError(
            f"{begins.upper()} moves first in {declared_name(game)}: only a game with a state() method lets the other side begin"
        )
    return play_moves(game, state, read_moves(text, has_single_digit_moves(game)), text)


def play_moves(game: Any, state: Any, moves: Iterable[int], text: Any) -> Any:
    """Return the state after recorded moves. Raise IllegalMove at the first that is not legal."""
    for number, move in enumerate(moves, start=1):
        if game.is_over(state):
            raise IllegalMove(f"the game is over before move {number} of {short_repr(text)}: remove that move and all after it")
        replies = MovesByCode(game, state).moves
        if move not in replies:
            reason = explain_illegal_move(game, move)
            raise IllegalMove(
                f"{reason} (move {number} of the position {short_repr(text)}): choose {_list_choices(game, replies)}"
            )
        state = play_move(game, state, replies[move])
    return state


def _list_choices(game: Any, codes: Iterable[int]) -> str:
    """Return legal moves as they are typed: by name if names may be typed, otherwise as ranges of numbers."""
    namer = move_namer(game) if has_typed_names(game) else None
    return ", ".join(map(namer, codes)) if namer else format_ranges(codes)


def name_legal_prefix(game: Any, moves: Iterable[int]) -> list[str]:
    """Return the names of the moves from the start of the game, up to the first that is not legal."""
    state, names = game.start(), []
    for move in moves:
        if game.is_over(state) or move not in (replies := MovesByCode(game, state)).moves:
            break
        names.append(replies.name(move))
        state = play_move(game, state, replies.moves[move])
    return names


def name_moves(game: Any, moves: list[int]) -> list[str]:
    """Return the names of the moves of a position. An illegal move is named by its code."""
    if name := move_namer(game):
        return [name(move) for move in moves]
    names = name_legal_prefix(game, moves)
    return names + [str(move) for move in moves[len(names) :]]
