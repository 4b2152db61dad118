"""How a game ended: who has won, by which score, with which line."""

from typing import Any, NamedTuple

from engine.games.connect import Connect, State
from engine.games.protocol import static_value
from engine.games.tictactoe import LINES, TicTacToe


class Outcome(NamedTuple):
    """The end of a game. `value` is what the final state is worth to MAX: of a literal tree the leaf."""

    winner: str  # "max", "min", or "" for a draw
    value: float
    scores: tuple[int, int] | None  # of MAX and of MIN, where lines are counted (rule `count`)
    line: frozenset[int]  # the cells of the board: of the winning line, or of all lines that count; empty where there are none


def outcome(game: Any, state: Any) -> Outcome:
    """How the game ended in a state that is over. Where nothing else decides, a positive value is a win of MAX."""
    counted = scores(game, state)
    value = static_value(game, state)
    if counted is not None:
        difference: float = counted[0] - counted[1]
    elif isinstance(game, Connect):  # not by its evaluation, which may see a full board in its own way
        difference = game.has_line(state.max_discs) - game.has_line(state.min_discs)
    else:
        difference = value
    return Outcome("max" if difference > 0 else "min" if difference < 0 else "", value, counted, line_cells(game, state))


def scores(game: Any, state: Any) -> tuple[int, int] | None:
    """The lines of MAX and of MIN so far, where lines are counted."""
    if not isinstance(game, Connect) or game.rule != "count":
        return None
    return game.score(state.max_discs), game.score(state.min_discs)


def line_cells(game: Any, state: Any) -> frozenset[int]:
    """The cells of all complete lines on a board, of either side.

    >>> from engine import connect, tictactoe
    >>> sorted(line_cells(connect(), connect().state("0011223")))
    [35, 36, 37, 38]
    >>> sorted(line_cells(tictactoe(), tictactoe().state("03142")))
    [0, 1, 2]
    """
    if isinstance(game, Connect):
        return frozenset(_connect_cells(game, state))
    if isinstance(game, TicTacToe):
        full = [line for line in LINES if line in (state.max_marks & line, state.min_marks & line)]
        return frozenset(square for square in range(9) if any(line >> square & 1 for line in full))
    return frozenset()


def _connect_cells(game: Connect, state: State) -> tuple[int, ...]:
    bits = 0
    for discs in (state.max_discs, state.min_discs):
        for shift in game.shifts:
            starts = game.full_windows(discs, shift)
            for step in range(game.connect):
                bits |= starts << step * shift
    return game.cells_of(bits)
