"""Positions written as move strings, the same way for every game."""

from collections.abc import Iterable
from typing import Any

from engine.errors import IllegalMove, PlyscopeError, UnknownName, shortened
from engine.games.declarations import checks_positions, reads_positions, why_illegal
from engine.whole_numbers import is_whole

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
    reads = checks_positions(game) or (reads_positions(game) and (position is None or isinstance(position, str)))
    if not reads and first is not None:
        raise PlyscopeError(f"{type(game).__name__} cannot read positions (it has no state() method), so `first` has no meaning")
    if not reads:
        return position
    options = {} if first is None else {"first": first}
    return game.state("" if position is None else position, **options)


def play_all(game: Any, state: Any, moves: Iterable[int], text: Any) -> Any:
    """The state after the moves, each checked."""
    for number, move in enumerate(moves, start=1):
        if game.is_over(state):
            raise IllegalMove(f"the game is over before move {number} of {shortened(text)}: leave out what follows")
        if move not in game.moves(state):
            legal = ", ".join(map(str, game.moves(state)))
            raise IllegalMove(f"move {number} of the position {shortened(text)}: {why_illegal(game, move)}; {legal} would do")
        state = game.play(state, move)
    return state
