"""Positions written as move strings, the same way for every game."""

from collections.abc import Iterable
from typing import Any

from engine.core.errors import IllegalMove, PlyscopeError, UnknownName, shortened
from engine.core.parsing import is_whole
from engine.games.capabilities import (
    checks_positions,
    lists_moves,
    name_of,
    name_of_code,
    reads_positions,
    single_digits,
    why_illegal,
)
from engine.games.protocol import Replies, after_move, max_to_move

SIDES = ("max", "min")


def read_moves(text: Any, single_digits: bool) -> list[int]:
    """The moves of a string such as "334" (one digit each) or "3,3,4"; a list of ints is taken as it is.

    >>> read_moves("334", single_digits=True), read_moves("3, 11", single_digits=False)
    ([3, 3, 4], [3, 11])
    """
    if not isinstance(text, str):
        if not isinstance(text, Iterable):
            raise IllegalMove(f"{shortened(text)} is no position: give the moves as text, such as '334'")
        return [_number(move, text) for move in text]
    if single_digits and "," not in text:
        return [_number(piece, text) for piece in "".join(text.split())]
    return [_number(piece.strip(), text) for piece in text.split(",")] if text.strip() else []


def write_moves(moves: Iterable[int], single_digits: bool) -> str:
    """The text that `read_moves` turns into these moves.

    >>> write_moves([3, 3, 4], single_digits=True), write_moves([3, 11], single_digits=False)
    ('334', '3,11')
    """
    return ("" if single_digits else ",").join(map(str, moves))


def _number(piece: Any, text: Any) -> int:
    if is_whole(piece):
        return int(piece)
    if isinstance(piece, str) and piece.isascii() and piece.isdigit() and len(piece.lstrip("0")) < 10:
        return int(piece)
    raise IllegalMove(f"{shortened(piece)} in the position {shortened(text)} is no move: moves are whole numbers from 0")


def first_is_max(first: str) -> bool:
    """Whether MAX made the first move; `first` is "max" or "min"."""
    if first not in SIDES:
        raise UnknownName("side", first, SIDES)
    return first == "max"


def read_position(game: Any, position: Any, first: str | None = None) -> Any:
    """The state meant by a move string, a state, or None for the start. Some games check a state that they are given."""
    if position is None and first is None:
        return game.start()
    is_text = position is None or isinstance(position, str)
    if checks_positions(game) or (reads_positions(game) and is_text):
        options = {} if first is None else {"first": first}
        return game.state("" if position is None else position, **options)
    if lists_moves(game) and is_text:
        return _from_the_start(game, position or "", first)
    if first is not None:
        raise PlyscopeError(f"{type(game).__name__} cannot read positions (it has no state() method), so `first` has no meaning")
    return position


def _from_the_start(game: Any, text: str, first: str | None) -> Any:
    """The state after moves that are written as they are recorded, of a game that has no state() of its own."""
    state = game.start()
    begins = "max" if max_to_move(game, state) else "min"
    if first is not None and first_is_max(first) != (begins == "max"):
        raise PlyscopeError(
            f"{name_of(game)} begins with {begins.upper()}: only a game with a state() method can begin otherwise"
        )
    return play_all(game, state, read_moves(text, single_digits(game)), text)


def play_all(game: Any, state: Any, moves: Iterable[int], text: Any) -> Any:
    """The state after the moves, as they are recorded, each checked."""
    for number, move in enumerate(moves, start=1):
        if game.is_over(state):
            raise IllegalMove(f"the game is over before move {number} of {shortened(text)}: leave out what follows")
        replies = Replies(game, state).moves
        if move not in replies:
            legal = ", ".join(map(str, replies))
            raise IllegalMove(f"move {number} of the position {shortened(text)}: {why_illegal(game, move)}; {legal} would do")
        state = after_move(game, state, replies[move])
    return state


def legal_beginning(game: Any, moves: Iterable[int]) -> list[str]:
    """The names of the moves from the start of the game, up to the first that is not legal."""
    state, names = game.start(), []
    for move in moves:
        if game.is_over(state) or move not in (replies := Replies(game, state)).moves:
            break
        names.append(replies.name(move))
        state = after_move(game, state, replies.moves[move])
    return names


def names_of_moves(game: Any, moves: list[int]) -> list[str]:
    """What people call the moves of a position; one that is not legal is called as it is recorded."""
    if name := name_of_code(game):
        return [name(move) for move in moves]
    names = legal_beginning(game, moves)
    return names + [str(move) for move in moves[len(names) :]]
