"""Test with boards of our own if a search sees its next win when the other side threatens to win, too.

`if opponent_can_win(board): score = -1000` before the test for a won board gives up a game that the move has just won.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.checker.diagnosis.board_rules import UNKNOWN_CELL, Square, find_lines
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.experiments.constructed_lines import Line, LineTester, Pieces, format_line
from engine.checker.experiments.replay import copy_call

MAX_ROWS, MAX_BOARDS, MAX_COLORINGS = 4, 3, 200


class DoubleThreat(NamedTuple):
    """A board where the side to move completes a line with its next piece, and the other side could, too."""

    board: Pieces
    line: Line
    win: Square
    threats: Line  # the pieces of the other side


def find_missed_win(search: SearchContext, starts: dict[int, float]) -> Iterator[Suspicion]:
    """Yield a call that gives up although its next move wins. `starts` has calls that gave up, with their scores."""
    for row, start in list(starts.items())[:: 1 + len(starts) // MAX_ROWS]:
        mover, tester = _find_mover(search, row), _prepare_tester(search, row)
        if tester is None or mover not in tester.pieces:
            continue
        boards = list(itertools.islice(_iterate_double_threats(search, tester, row, mover), MAX_BOARDS))
        if boards and all(_is_win_missed(search, tester, one, mover, start) for one in boards):
            first = boards[0]
            yield Suspicion(
                "terminal-not-tested",
                row,
                f"tested with {mover!r} on {format_line(first.line - {first.win})} and the other side on "
                f"{format_line(first.threats)} (row and column from 0), it never searches the move {first.win}, which wins: "
                f"it scores such moves {format_number(start)} if the other side could win next",
                certain=False,  # the program may test for this win before it makes the call
                place="moves-left-out",
            )
            return


def _prepare_tester(search: SearchContext, row: int) -> LineTester | None:
    copied = copy_call(search.program, row)
    known = search.known
    return None if copied is None or known is None or known.empty is UNKNOWN_CELL else LineTester.prepare(search, known, copied)


def _find_mover(search: SearchContext, row: int) -> Any:
    """Return the piece of the side to move: not the one that the last move has put on the board."""
    known, parent = search.known, search.program.calls.parent[row]
    above, board = (None if known is None or at < 0 else known.boards[at] for at in (parent, row))
    if above is None or board is None or len(added := board.pieces.items() - above.pieces.items()) != 1:
        return None
    last = next(piece for _, piece in added)
    return next((piece for piece in board.pieces.values() if piece != last), None)


def _iterate_double_threats(search: SearchContext, tester: LineTester, row: int, mover: Any) -> Iterator[DoubleThreat]:
    """Yield boards with the pieces of a call on the same squares, but of other sides."""
    board = None if search.known is None else search.known.boards[row]
    pieces = {} if board is None else board.pieces
    other = next(piece for piece in tester.pieces if piece != mover)
    number = Counter(pieces.values())[mover]
    free = [square for square in tester.paths if square not in pieces and tester.is_supported(square, pieces)]
    almost = [(line, square) for line in tester.list_lines() for square in free if line - pieces.keys() == {square}]
    for (line, win), (other_line, threat) in itertools.permutations(almost, 2):
        ours, theirs = line - {win}, other_line - {threat}
        rest = sorted(pieces.keys() - ours - theirs)
        if win == threat or ours & theirs or len(ours) > number:
            continue
        for more in itertools.islice(itertools.combinations(rest, number - len(ours)), MAX_COLORINGS):
            colored = {square: mover if square in ours or square in more else other for square in pieces}
            if not any(find_lines(colored, tester.known.in_a_row)):
                yield DoubleThreat(colored, line, win, theirs)
                break


def _is_win_missed(search: SearchContext, tester: LineTester, one: DoubleThreat, mover: Any, start: float) -> bool:
    """Return True if the call does not try the winning move, but does so without the threat, and ends where it is made."""
    window = dict(zip(("alpha", "beta"), search.open_window(), strict=True))
    without = {**one.board, min(one.threats): mover}
    tried, won, alone = (tester.make_call(board, window) for board in (one.board, {**one.board, one.win: mover}, without))
    if tried is None or won is None or alone is None or tried.failed or won.failed or alone.failed:
        return False
    sees_win, sees_win_alone = (
        any(tester.has_line(call.board, one.line, mover) for call in outcome.child_calls) for outcome in (tried, alone)
    )
    is_won = tried.value not in (start, 0.0)  # the score of a move that blocks the threat is 0 here
    return sees_win_alone and not sees_win and not is_won and not won.child_calls
