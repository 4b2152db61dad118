"""Test the end of the game with constructed boards: one for each line that wins, whether the search reaches it or not."""

import functools
import operator
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from time import process_time
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, ProbeResult, answer_always
from engine.checker.diagnosis.board_rules import (
    DIRECTIONS,
    UNKNOWN_CELL,
    KnownBoards,
    Square,
    find_fall_direction,
    find_grid,
    find_lines,
    is_piece,
)
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_depth_step, find_horizon
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.program_view import to_plain_data
from engine.checker.recording.board_cells import read_cell, replace_cells
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.observations import is_late, observed
from engine.checker.recording.state_encoding import is_number

MAX_SECONDS = 3.0
MIN_SEEN_SHARE = 0.6  # of the lines; a program that tests only the last move sees fewer
MIN_SHARE_LINES, MAX_SHARE_LINES = 6, 12  # that are tested for each piece and side
MAX_FILLINGS = 8
MAX_FLAT_SIZE = 3  # on a small board pieces do not fall
MAX_NAMED_LINES = 2
MAX_HIDDEN_SHARE = 0.5  # of the score of a win, at the depth limit
MAX_DEPTH_BONUS = 0.2  # of the score of a win, for one move
Line = frozenset[Square]
Pieces = dict[Square, Any]


def check_constructed_lines(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a test for a win that sees most lines, but not all, or the lines of one side only."""
    known = search.known
    if known is None or known.empty is UNKNOWN_CELL or search.later:
        return
    copies = [copy for copy in search.program.calls.snapshots.calls if not copy.is_root and search.program.children[copy.row]]
    of_sides = list({search.key(copied.row): copied for copied in reversed(copies)}.values())[::-1]
    testers = [LineTester.prepare(search, known, copied) for copied in of_sides[:2]]
    for tester in testers[:1]:
        if tester is not None:
            yield from tester.find_missed_lines()
    ready = [tester for tester in testers if tester is not None]
    if len(ready) == 2:
        yield from _check_unseen_side(ready)


def _check_unseen_side(testers: list["LineTester"]) -> Iterator[Suspicion]:
    """Yield a test for a win that sees no line of one piece, whichever side is to move, and lines of the other piece."""
    pieces = testers[0].pieces
    shares = {piece: [tester.share_seen(piece) for tester in testers] for piece in pieces}
    if any(share is None for found in shares.values() for share in found):
        return
    for piece, other in (pieces, pieces[::-1]):
        if not any(shares[piece]) and any(share and share >= MIN_SEEN_SHARE for share in shares[other]):
            yield Suspicion(
                "win-lines-missing",
                testers[0].copied.row,
                f"tested with {testers[0].known.in_a_row} of {piece!r} in a row, the search goes on, whichever side is to move; "
                f"with {other!r} it ends",
                certain=False,  # the program may test the lines of this side before it makes the call
            )


class LineTester:
    """One call of the search, made with constructed boards instead of its own."""

    def __init__(self, search: SearchContext, known: KnownBoards, copied: CallSnapshot, paths: dict[Square, tuple[Any, ...]]):
        self.known, self.copied, self.paths = known, copied, paths
        self.node = BlackBox(search.program, copied)
        self.height, self.width = (1 + max(square[place] for square in paths) for place in (0, 1))
        boards = [board for board in known.boards if board is not None]
        is_small = min(self.height, self.width) <= MAX_FLAT_SIZE
        self.fall = None if is_small else find_fall_direction(boards, self.height, self.width)
        self.pieces = sorted({piece for board in boards for piece in board.pieces.values()}, key=repr)
        self.until = process_time() + MAX_SECONDS

    @classmethod
    def prepare(cls, search: SearchContext, known: KnownBoards, copied: CallSnapshot) -> "LineTester | None":
        """Return the tester of a call, or None if its board cannot be replaced."""
        place = search.program.role_index(copied.number, "state")
        paths = None if place is None else _find_cell_paths(copied, place)
        tester = None if paths is None else cls(search, known, copied, paths)
        return tester if tester is not None and len(tester.pieces) == 2 else None

    @cached_property
    def _members(self) -> dict[Any, Enum]:
        """Return the member of an Enum for each piece, if the board of the call holds such members."""
        state = self.node.argument("state")
        cells = [read_cell(state, path) for path in self.paths.values()]
        return {
            member.value: member for cell in cells if isinstance(cell, Enum) for member in type(cell) if is_piece(member.value)
        }

    def find_missed_lines(self) -> Iterator[Suspicion]:
        for piece in self.pieces:
            seen: list[Line] = []
            missed: list[Line] = []
            for line in self.list_lines():
                boards = list(self._iterate_boards(line, piece))[:2]
                ends = [self._run_board(board) for board in boards]  # with another filling too: only the line is the reason
                if None in ends or is_late(self.until):
                    return
                if ends:
                    (seen if any(ends) else missed).append(line)
            total = len(seen) + len(missed)
            if len(seen) >= MIN_SEEN_SHARE * total:
                yield from self._check_depth_limit(seen, piece)
            if missed and len(seen) >= MIN_SEEN_SHARE * total and self._goes_on_without(seen, piece):
                named = "; ".join(format_line(line) for line in missed[:MAX_NAMED_LINES])
                yield Suspicion(
                    "win-lines-missing",
                    self.copied.row,
                    f"tested with {piece!r} on each of {total} lines of {self.known.in_a_row}, the search goes on for "
                    f"{len(missed)} of them ({named}{' …' if len(missed) > MAX_NAMED_LINES else ''}: row and column from 0)",
                    proof=f"with {self.known.in_a_row} in a row on the other {len(seen)} lines the same call ends at once, and "
                    "without one of these pieces it goes on",
                )
                return

    def share_seen(self, piece: Any) -> float | None:
        """Return the share of some lines of a piece that end the call, or None if that cannot be tested."""
        lines = self.list_lines()
        boards = [next(self._iterate_boards(line, piece), None) for line in lines[:: 1 + len(lines) // MAX_SHARE_LINES]]
        ends = [self._run_board(board) for board in boards if board is not None]
        if len(ends) < MIN_SHARE_LINES or is_late(self.until):
            return None
        known = [end for end in ends if end is not None]
        return sum(known) / len(known) if len(known) == len(ends) else None

    def _check_depth_limit(self, lines: list[Line], piece: Any) -> Iterator[Suspicion]:
        """Yield a search that scores a won board at the depth limit like any other board, not like the same win before."""
        last, step = find_horizon(self.node.program), find_depth_step(self.node.program)
        if not is_number(last) or not step or self.node.role_index("depth") is None:
            return
        hidden = []
        for line in (lines[0], lines[len(lines) // 2], lines[-1]):
            board = next(self._iterate_boards(line, piece))
            values = [self._score_board(board, last - step * more) for more in (0, 1, 2)]
            at_limit, before, earlier = values
            if not all(map(is_number, values)) or MAX_HIDDEN_SHARE * abs(before) <= abs(at_limit):
                return
            if before != earlier and abs(before - earlier) > MAX_DEPTH_BONUS * abs(before):
                return  # the score of a win depends on the depth
            hidden.append((at_limit, before))
        if not self._is_called_with_line(lines, last - step * 2):
            return  # it tests for a win before it makes a call
        at_limit, before = hidden[0]
        yield Suspicion(
            "depth-before-win",
            self.copied.row,
            f"tested with {piece!r} on a line of {self.known.in_a_row} at the depth limit, it scores {format_number(at_limit)}",
            proof=f"with one more move to search the same board scores {format_number(before)}; tested with {len(hidden)} boards",
        )

    def _is_called_with_line(self, lines: list[Line], depth: Any) -> bool:
        """Return True if the search calls itself with a line that its move has just completed."""
        for line in (lines[0], lines[len(lines) // 2], lines[-1]):
            for piece in self.pieces:  # one of them is that of the side to move
                board = next(self._iterate_boards(line, piece), {})
                down, right = self.fall or (0, 0)
                top = min(sorted(line), key=lambda square: square[0] * down + square[1] * right)
                outcome = self.make_call({square: one for square, one in board.items() if square != top}, {"depth": depth})
                if outcome is not None and any(self.has_line(call.board, line, piece) for call in outcome.child_calls):
                    return True
        return False

    def has_line(self, state: Any, line: Line, piece: Any) -> bool:
        """Return True if the board of a state, as plain data, has a line of a piece."""
        try:
            return all(functools.reduce(operator.getitem, self.paths[square], state) == piece for square in line)
        except (TypeError, KeyError, IndexError):
            return False

    def _score_board(self, board: Pieces, depth: Any) -> Any:
        """Return the score of a board at a depth, or None if the search goes on there."""
        outcome = self.make_call(board, {"depth": depth})
        return None if outcome is None or outcome.failed or outcome.child_calls else outcome.value

    def list_lines(self) -> list[Line]:
        """Return all lines of the board that win."""
        length = self.known.in_a_row
        found = [
            frozenset((row + step * down, column + step * right) for step in range(length))
            for row in range(self.height)
            for column in range(self.width)
            for down, right in DIRECTIONS
        ]
        return [line for line in found if line <= self.paths.keys()]

    def _goes_on_without(self, lines: list[Line], piece: Any) -> bool:
        """Return True if the search goes on without one of the pieces of a line, for several lines."""
        tried = [lines[0], lines[len(lines) // 2], lines[-1]]
        for line in tried:
            board = next(self._iterate_boards(line, piece))
            other = next(one for one in self.pieces if one != piece)
            fewer = [{**board, square: other} for square in sorted(line)]
            fitting = [one for one in fewer if not any(find_lines(one, self.known.in_a_row))]
            if not fitting or self._run_board(fitting[0]) is not False:
                return False
        return True

    def _run_board(self, board: Pieces) -> bool | None:
        """Return True if the call ends at once with a board, False if it goes on, None if it fails."""
        outcome = self.make_call(board, {})
        return None if outcome is None or outcome.failed else not outcome.child_calls

    @observed
    def make_call(self, board: Pieces, others: dict[str, Any]) -> ProbeResult | None:
        """Make the call with a board and other arguments. Return None if the board cannot be put into the state."""
        pieces = {path: board.get(square, self.known.empty) for square, path in self.paths.items()}
        cells = {path: self._members.get(piece, piece) for path, piece in pieces.items()}
        try:
            state = replace_cells(deep_copy(self.node.argument("state"), {}), cells)
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return None
        return self.node.run(answer_always(0.0), overrides={"state": state, **others})

    def _iterate_boards(self, line: Line, piece: Any) -> Iterator[Pieces]:
        """Yield boards with this line and no other. If pieces fall, the squares below are filled."""
        for filling in range(MAX_FILLINGS):
            board: Pieces = {}
            for square in sorted(line):
                board |= self._fill_below(square, filling)
            board |= dict.fromkeys(line, piece)
            if {squares for _, squares in find_lines(board, self.known.in_a_row)} == {line} and len(board) < len(self.paths):
                yield board

    def is_supported(self, square: Square, board: Pieces) -> bool:
        """Return True if a piece can lie on a square: if pieces fall, the square below is taken or outside."""
        down, right = self.fall or (0, 0)
        below = (square[0] + down, square[1] + right)
        return self.fall is None or below in board or below not in self.paths

    def _fill_below(self, square: Square, filling: int) -> Pieces:
        """Return pieces for all squares below a square, in one of several patterns without lines."""
        if self.fall is None:
            return {}
        below: Pieces = {}
        row, column = square
        while (row := row + self.fall[0], column := column + self.fall[1]) and (row, column) in self.paths:
            place = (row // 2 + column, column // 2 + row, row // 2 + column // 2, row + column // 3)[filling % 4]
            below[row, column] = self.pieces[(place + filling // 4) % 2]
        return below


@observed
def _find_cell_paths(copied: CallSnapshot, place: int) -> dict[Square, tuple[Any, ...]] | None:
    """Return the path of each square in the state of a call, or None if its board cannot be replaced."""
    found: list[tuple[Any, ...]] = []
    grid = find_grid(_number_cells(to_plain_data(copied.arguments[place]), (), found))
    if grid is None or len({len(line) for line in grid}) != 1 or not all(type(cell) is int for line in grid for cell in line):
        return None
    return {(row, column): found[cell] for row, line in enumerate(grid) for column, cell in enumerate(line)}


def _number_cells(thing: Any, path: tuple[Any, ...], found: list[tuple[Any, ...]]) -> Any:
    """Return a state with a number instead of each piece. The number is the index of its path in `found`."""
    if isinstance(thing, list) and len(thing) == 2 and isinstance(thing[0], str) and isinstance(thing[1], dict):
        return [thing[0], _number_cells(thing[1], (*path, 1), found)]  # an object
    if isinstance(thing, list):
        return [_number_cells(part, (*path, place), found) for place, part in enumerate(thing)]
    if isinstance(thing, dict):
        return {name: _number_cells(part, (*path, name), found) for name, part in thing.items()}
    if isinstance(thing, str) and len(thing) > 2:  # a board or a line of it in a text
        return [_number_cells(piece, (*path, place), found) for place, piece in enumerate(thing)]
    if not is_piece(thing) or (len(path) <= 2 and isinstance(path[-1] if path else "", str)):
        return thing
    found.append(path)
    return len(found) - 1


def format_line(line: Line) -> str:
    return ", ".join(str(square) for square in sorted(line))
