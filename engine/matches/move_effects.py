"""The effects of a move that a player sees on the board: lines it completes, stops, allows or threatens.

Every effect follows from the rules alone: moves are tried, and a try that wins proves it.

>>> from engine import connect
>>> game = connect()
>>> find_effects(game, game.state("001122"), 3).completes
True
>>> find_effects(game, game.state("00112"), 3).stops, find_effects(game, game.state("00112"), 6).allows
(True, [3])
"""

from typing import Any, NamedTuple

from engine.games.capabilities import game_outcome, winning_length
from engine.games.protocol import MovesByCode


class MoveEffects(NamedTuple):
    """The effects of a move in a game that is won by a line."""

    move: int
    length: int  # discs in a row that win
    completes: bool  # it completes a line and wins
    stops: bool  # the other side would have completed a line with this move
    missed: list[int]  # the moves that would have completed a line instead
    allows: list[int]  # the replies that complete a line of the other side
    opens: list[int]  # those of them that completed no line before this move
    threatens: list[int]  # the moves that complete a line next, unless the reply stops it
    wins_next: bool  # after every reply the side that moved completes a line


def find_effects(game: Any, state: Any, move: int) -> MoveEffects | None:
    """Return the effects of a move (its code) in a position; None if lines do not win the game, or the game is over."""
    length = winning_length(game)
    if length is None or game.is_over(state):
        return None
    after = _states_after(game, state)
    wins = _winning_moves(game, state, after)
    then = after[move]
    if move in wins:
        return MoveEffects(move, length, True, _would_stop(game, after, move), [], [], [], [], False)
    missed = sorted(wins)
    if game.is_over(then):
        return MoveEffects(move, length, False, _would_stop(game, after, move), missed, [], [], [], False)
    replies = _states_after(game, then)
    allows = _winning_moves(game, then, replies)
    opens = [reply for reply in sorted(allows) if not _would_stop(game, {m: s for m, s in after.items() if m != move}, reply)]
    next_wins = [
        (reply, _winning_moves(game, reached, _states_after(game, reached)))
        for reply, reached in replies.items()
        if not game.is_over(reached)
    ]
    threatened = set().union(*(found for _, found in next_wins))
    threatens = [
        one
        for one in sorted(threatened)
        if (elsewhere := [found for reply, found in next_wins if reply != one]) and all(one in found for found in elsewhere)
    ]
    wins_next = bool(next_wins) and len(next_wins) == len(replies) and all(found for _, found in next_wins)
    return MoveEffects(move, length, False, _would_stop(game, after, move), missed, sorted(allows), opens, threatens, wins_next)


def _states_after(game: Any, state: Any) -> dict[int, Any]:
    """Return the state after each legal move, by the move's code."""
    return {code: game.play(state, move) for code, move in MovesByCode(game, state).moves.items()}


def _winning_moves(game: Any, state: Any, after: dict[int, Any]) -> set[int]:
    """Return the moves that win at once for the side to move."""
    side = "max" if game.maximizing(state) else "min"
    return {move for move, then in after.items() if game.is_over(then) and game_outcome(game, then).winner == side}


def _would_stop(game: Any, after: dict[int, Any], move: int) -> bool:
    """Return whether the other side would win with `move` if the side to move plays elsewhere."""
    for played, then in after.items():
        if played != move and not game.is_over(then):
            replies = {code: reached for code, reached in _states_after(game, then).items() if code == move}
            if _winning_moves(game, then, replies):
                return True
    return False
