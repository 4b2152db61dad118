"""Compare the moves that a search tries with the legal ones, where the rules of the board are known.

A square that no call of a kind ever tries is reported, such as the last one of a loop that ends too early. One position says
little: a cutoff, a shortcut for a win or a symmetric opening may leave out a move there.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from time import process_time
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, ProbeResult, answer_always
from engine.checker.diagnosis.board_rules import UNKNOWN_CELL, KnownBoards, Square, find_fall_direction, find_grid, find_lines
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import MAX, MIN
from engine.checker.experiments.constructed_lines import LineTester
from engine.checker.experiments.replay import copy_calls
from engine.checker.recording.board_cells import flatten_cells, replace_cells
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.later_positions import search_call_value
from engine.checker.recording.observations import is_late, observed

MIN_CALLS = 3  # with different boards, where the move is legal
MAX_COMPARED_CALLS, MAX_PROBED_CALLS = 300, 4
MAX_ROWS = 5_000  # of each search for the proof
MAX_SECONDS = 2.0
Pieces = dict[Square, Any]
Lane = Square | int  # a move: a square, or a line along which pieces fall


@dataclass
class TriedMoves:
    """The moves of the calls of one kind: one function and one side."""

    tried: set[Lane] = field(default_factory=set)
    legal: set[Lane] = field(default_factory=set)  # in one of the calls
    most: int = 0  # moves of a call
    rows: list[int] = field(default_factory=list)


class MoveRules:
    """The legal moves of a game in which each move puts one piece on the board, and the moves of the recorded calls."""

    def __init__(self, search: SearchContext, known: KnownBoards, height: int, width: int):
        self.search, self.program, self.known = search, search.program, known
        self.folds = search.known_folds()
        self.squares = [(row, column) for row in range(height) for column in range(width)]
        self.inside = frozenset(self.squares)
        self.is_square = height == width
        self.height, self.width = height, width
        boards = [board for board in known.boards if board is not None]
        self.fall = find_fall_direction(boards, height, width)
        self.tables = {frozenset(board.pieces.items()) for board in boards} if self.program.has_tables else set()

    @classmethod
    def read(cls, search: SearchContext) -> "MoveRules | None":
        """Return the rules, or None if the legal moves are not known: in games like gomoku programs try near squares only."""
        known, program = search.known, search.program
        if known is None or known.empty is UNKNOWN_CELL or program.roles[0].state is None or not known.boards:
            return None
        grid, first = find_grid(program.board(0)), known.boards[0]
        if grid is None or first is None or first.squares != len(grid) * len(grid[0]):
            return None
        rules = cls(search, known, len(grid), len(grid[0]))
        return rules if rules.fall is not None or (len(grid), len(grid[0]), known.in_a_row) == (3, 3, 3) else None

    def lane(self, square: Square) -> Lane:
        return square if self.fall is None else square[1] if self.fall[0] else square[0]

    def legal_moves(self, pieces: Pieces) -> dict[Lane, Square]:
        """Return the legal moves on a board, each with the square of its piece."""
        free = [square for square in self.squares if square not in pieces]
        if self.fall is not None:
            down, right = self.fall
            free = [at for at in free if (below := (at[0] + down, at[1] + right)) in pieces or below not in self.inside]
        return {self.lane(square): square for square in free}

    def read_moves(self, row: int) -> tuple[Any, set[Square]] | None:
        """Return the piece and the squares of the moves of a call, or None if its moves are not one piece each."""
        above, squares, kinds = self.pieces(row), set(), set()
        for child in self.program.children[row]:
            below = self.pieces(child) if child < len(self.known.boards) else {}
            added = below.items() - above.items()
            if len(below) != len(above) + 1 or len(added) != 1:
                return None
            square, piece = next(iter(added))
            squares.add(square)
            kinds.add(piece)
        return (kinds.pop(), squares) if len(kinds) == 1 else None

    def pieces(self, row: int) -> Pieces:
        board = self.known.boards[row]
        return {} if board is None else board.pieces

    def is_open(self, row: int) -> bool:
        """Return True if the game goes on at a call, the call returned, and its score allows no cutoff in its window."""
        window, value = self.program.window(row), self.program.values[row]
        if value is None or self.program.calls.end[row] == NO_ROW or self.known.complete_lines(row):
            return False
        if window is None:
            return True
        fold = MAX if self.search.negamax else self.folds.get(self.search.key(row))
        return (fold == MIN or value < window[1]) and (fold == MAX or value > window[0])

    def list_skipped(self, row: int) -> set[Lane]:
        """Return the legal moves that a call skips without a reason: without a win, a full board or an equal position."""
        found, above = self.read_moves(row), self.pieces(row)
        if found is None:
            return set()
        piece, tried = found
        same = set().union(*(self._list_images({**above, square: piece}) for square in tried)) | self.tables
        skipped = set()
        for lane, square in self.legal_moves(above).items():
            below = {**above, square: piece}
            ends = len(below) == len(self.squares) or any(find_lines(below, self.known.in_a_row))
            is_known = frozenset(below.items()) in same or self._list_images(below) & self.tables
            if square not in tried and not ends and not is_known:
                skipped.add(lane)
        return skipped

    def _list_images(self, pieces: Pieces) -> set[Any]:
        """Return a board turned and reflected."""
        images = set()
        for turned in (False, True) if self.is_square else (False,):
            for down in (False, True):
                for right in (False, True):
                    image = {
                        (self.height - 1 - row if down else row, self.width - 1 - column if right else column): piece
                        for (row, column), piece in pieces.items()
                    }
                    images.add(frozenset({(c, r) if turned else (r, c): piece for (r, c), piece in image.items()}.items()))
        return images


def list_tried_moves(search: SearchContext, rules: MoveRules) -> dict[Any, TriedMoves]:
    """Return the moves that the calls of each kind try."""
    found: dict[Any, TriedMoves] = defaultdict(TriedMoves)
    lanes = len({rules.lane(square) for square in rules.squares})
    for row in range(len(rules.known.boards)):
        if not search.program.children[row] or (moves := rules.read_moves(row)) is None:
            continue
        kind = found[search.key(row)]
        kind.tried |= {rules.lane(square) for square in moves[1]}
        if len(kind.legal) < lanes:
            kind.legal |= rules.legal_moves(rules.pieces(row)).keys()
        kind.most = max(kind.most, len(moves[1]))
        kind.rows.append(row)
    return found


def check_untried_moves(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that skip a legal move that no call of their kind ever tries."""
    rules = None if search.is_chance_game or search.is_sampled_tree else MoveRules.read(search)
    if rules is None:
        return
    kinds = list_tried_moves(search, rules)
    anywhere = {lane for kind in kinds.values() for lane in kind.tried}
    for kind in kinds.values():
        never = kind.legal - kind.tried
        if not never or len(never) > len(kind.tried):
            continue
        rows = [row for row in kind.rows if rules.is_open(row) and rules.legal_moves(rules.pieces(row)).keys() & never]
        skipped = {row: rules.list_skipped(row) for row in rows[:: 1 + len(rows) // MAX_COMPARED_CALLS]}
        if any(lanes - never for lanes in skipped.values()):
            continue  # other moves are left out as well: it may try promising moves only
        found = {row: lanes for row, lanes in skipped.items() if lanes}
        if len({frozenset(rules.pieces(row).items()) for row in found}) >= MIN_CALLS:
            yield from _report_untried(search, rules, kind, found, never <= anywhere or _is_lost_at_end(rules, never))


def _is_lost_at_end(rules: MoveRules, never: set[Lane]) -> bool:
    """Return True if a call has only moves that nobody tries, and no score for that: nobody may play there on purpose."""
    program = rules.program
    return any(
        program.is_leaf(row)
        and (value := program.values[row]) is not None
        and math.isinf(value)
        and not rules.known.complete_lines(row)
        and (moves := rules.legal_moves(rules.pieces(row)))
        and moves.keys() <= never
        for row in range(len(rules.known.boards))
    )


def describe_compared_moves(search: SearchContext) -> str:
    """Say which moves were compared with the legal ones, or return an empty text if none were."""
    rules = None if search.is_chance_game or search.is_sampled_tree else MoveRules.read(search)
    if rules is None:
        return ""
    line = "square" if rules.fall is None else "column" if rules.fall[0] else "row"
    return f"whether each side tries every {line} in one of its calls"


def _report_untried(
    search: SearchContext, rules: MoveRules, kind: TriedMoves, found: dict[int, set[Lane]], are_playable: bool
) -> Iterator[Suspicion]:
    """Yield the calls, if the moves are skipped whatever the others score. A better score of such a move proves the mistake."""
    rows = sorted(found, key=lambda row: len(rules.pieces(row)), reverse=True)  # small searches first
    chosen = rows[:: 1 + len(rows) // MAX_PROBED_CALLS]
    copies = copy_calls(search.program, chosen)
    probed = [_is_always_skipped(search, rules, copy, found[row]) for row, copy in copies.items()]
    if not any(probed) or False in probed:
        return
    first, proof = min(found), ""
    for row in chosen if are_playable else []:
        few = len(rules.legal_moves(rules.pieces(row))) <= kind.most  # else it may try a limited number of moves on purpose
        if few and row in copies and (proof := _prove_better(search, rules, copies[row], found[row])):
            first = row
            break
    lanes = ", ".join(_name_move(rules, lane) for lane in sorted(found[first])[:MIN_CALLS])
    for other in [first, *(row for row in sorted(found) if row != first)]:
        yield Suspicion(
            "cut-too-early",
            other,
            f"it never tries {lanes}, although this move is legal: no call of this kind tries it, whatever the other moves score",
            certain=bool(proof) and other == first,
            proof=proof if other == first else "",
            place="moves-left-out",
        )


def _name_move(rules: MoveRules, lane: Lane) -> str:
    if isinstance(lane, tuple):
        return f"the square in row {lane[0]}, column {lane[1]} (from 0)"
    return f"{'column' if rules.fall and rules.fall[0] else 'row'} {lane} (from 0)"


def _is_always_skipped(search: SearchContext, rules: MoveRules, copy: CallSnapshot, lanes: set[Lane]) -> bool | None:
    """Return True if a call skips moves whatever the others score, with an open window. Return None if that cannot be tested."""
    node, row = BlackBox(search.program, copy), copy.row
    window = None if node.role_index("alpha") is None else search.open_window()
    squares = {rules.legal_moves(rules.pieces(row))[lane] for lane in lanes}
    for score in (0.0, search.program.span, -search.program.span):
        outcome = node.run(answer_always(score), window=window)
        if outcome.failed or not outcome.child_calls:
            return None
        if squares & _read_squares(rules, row, outcome):
            return False
    return True


def _read_squares(rules: MoveRules, row: int, outcome: ProbeResult) -> set[Square]:
    """Return the squares of the moves of a call that was made again."""
    squares, above = set(), rules.pieces(row)
    for call in outcome.child_calls:
        for at, line in enumerate(find_grid(call.board) or []):
            squares |= {(at, column) for column, cell in enumerate(line) if cell != rules.known.empty}
    return squares - above.keys()


def _prove_better(search: SearchContext, rules: MoveRules, copy: CallSnapshot, lanes: set[Lane]) -> str:
    """Search a skipped move with the program itself. Return a sentence if it is better than what the call returns, else ""."""
    program, row = search.program, copy.row
    fold = MAX if search.negamax else search.known_folds().get(search.key(row))
    moves = rules.read_moves(row)
    node = BlackBox(program, copy)
    window = None if node.role_index("alpha") is None else search.open_window()
    outcome = node.run(answer_always(0.0), window=window, should_copy=partial(int.__eq__, 0))
    if fold not in (MAX, MIN) or moves is None or outcome.snapshot is None:
        return ""
    until = process_time() + MAX_SECONDS
    value = _search_value(search, copy)
    for lane in sorted(lanes):
        below = {**rules.pieces(row), rules.legal_moves(rules.pieces(row))[lane]: moves[0]}
        position = _replace_board(search, rules, outcome.snapshot, below)
        score = None if position is None or is_late(until) else _search_value(search, position)
        if value is None or score is None:
            continue
        gained = -score if search.negamax else score
        if gained > value if fold == MAX else gained < value:
            return (
                f"with {moves[0]!r} there, the program's own search returns {format_number(score)}, but the call returns "
                f"{format_number(value)}"
            )
    return ""


def _search_value(search: SearchContext, position: CallSnapshot) -> float | None:
    return search_call_value(search.program, position, search.open_window(), MAX_ROWS)


@observed
def _replace_board(search: SearchContext, rules: MoveRules, copy: CallSnapshot, pieces: Pieces) -> CallSnapshot | None:
    """Return a call with other pieces on its board. Return None if the call gets anything else that depends on the move."""
    roles, place = search.program.roles[copy.number], search.program.role_index(copy.number, "state")
    names = search.program.calls.functions[copy.number].arguments
    tester = LineTester.prepare(search, rules.known, copy)
    if tester is None or place is None or any(name not in roles for name in names):
        return None
    state = copy.arguments[place]
    if hasattr(state, "__dict__") or len(flatten_cells(state)) != len(rules.squares):
        return None
    cells = {path: pieces.get(square, rules.known.empty) for square, path in tester.paths.items()}
    try:
        changed = replace_cells(deep_copy(state, {}), cells)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return None
    arguments = tuple(changed if at == place else argument for at, argument in enumerate(copy.arguments))
    return replace(copy, arguments=arguments)
