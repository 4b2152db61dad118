"""Check that the evaluation tells the pieces of the two sides apart.

On many boards the case of a letter or the sign of a number tells whose piece it is: `Q` and `q`, 5 and -5. At some leaves
one piece after the other is taken away, and given to the other side: both should change the score.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.leaves import list_leaves
from engine.checker.recording.board_cells import flatten_cells, replace_cell
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import is_number

MAX_TESTED_LEAVES, MAX_TESTED_PIECES = 4, 8
MIN_CELLS = 9  # of a board
MIN_COUNTED_PIECES, MIN_IGNORED_SHARE = 8, 0.9


def check_piece_owners(search: SearchContext) -> Iterator[Suspicion]:
    """Yield an evaluation that counts nearly every piece, but the same for both sides."""
    counted, ignored, kinds = 0, [], set()
    for leaf in list_leaves(search)[:MAX_TESTED_LEAVES]:
        value = _score_leaf(search, leaf)
        if value is None:
            continue
        for path, piece, other, empty in _list_pieces(search.program.board(leaf.row)):
            without, given = (_score_leaf(search, leaf, path, cell) for cell in (empty, other))
            if without is None or given is None or without == value:
                continue
            counted += 1
            if given == value:
                kinds.add(str(piece).upper())
                ignored.append((leaf.row, piece, other, value, without))
    if counted >= MIN_COUNTED_PIECES and len(ignored) >= MIN_IGNORED_SHARE * counted and len(kinds) > 1:
        row, piece, other, value, without = ignored[0]
        yield Suspicion(
            "evaluation-ignores-sides",
            row,
            f"this leaf scores {format_number(value)}, and {format_number(without)} without one of its pieces ({piece!r}), but "
            f"with a piece of the other side there ({other!r}) it scores {format_number(value)} again; so it is for "
            f"{len(ignored)} of {counted} tested pieces",
            certain=False,  # in some games it does not matter whose a piece is
        )


@observed
def _score_leaf(search: SearchContext, leaf: CallSnapshot, path: tuple[Any, ...] = (), cell: Any = None) -> float | None:
    """Return the score of a leaf, with another cell on its board if a path is given. Return None if it is no leaf then."""
    changed = {}
    if path:
        place = search.program.role_index(leaf.number, "state")
        if place is None:
            return None
        try:
            changed = {"state": replace_cell(deep_copy(leaf.arguments[place], {}), path, cell)}
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return None
    outcome = BlackBox(search.program, leaf).run(answer_always(0.0), overrides=changed)
    return None if outcome.failed or outcome.child_calls or not is_number(outcome.value) else float(outcome.value)


def _list_pieces(board: Any) -> list[tuple[tuple[Any, ...], Any, Any, Any]]:
    """Return some pieces of a board, of different kinds first: path, piece, the other side's piece, empty cell.

    The board is the outermost part of the state with pieces of both sides: earlier boards lie deeper.
    """
    parts: dict[tuple[Any, ...], dict[tuple[Any, ...], Any]] = {}
    for path, cell in flatten_cells(board).items():
        parts.setdefault((len(path), *(key for key in path if isinstance(key, str))), {})[path] = cell
    cells = next((parts[key] for key in sorted(parts, key=lambda key: key[0]) if _has_both_sides(parts[key])), {})
    empty = Counter(cell for cell in cells.values() if _give_away(cell) is None and isinstance(cell, (str, int))).most_common(1)
    pieces = [(path, cell) for path, cell in cells.items() if _give_away(cell) is not None]
    if not empty:
        return []
    seen: Counter[Any] = Counter()
    order = []
    for path, cell in pieces:
        seen[cell] += 1
        order.append((seen[cell], path, cell))
    chosen = sorted(order, key=lambda one: one[0])[:MAX_TESTED_PIECES]
    return [(path, cell, _give_away(cell), empty[0][0]) for _, path, cell in chosen]


def _has_both_sides(cells: dict[tuple[Any, ...], Any]) -> bool:
    owners = {_is_first_side(cell) for cell in cells.values() if _give_away(cell) is not None}
    return len(cells) >= MIN_CELLS and len(owners) == 2


def _give_away(cell: Any) -> Any:
    """Return a piece of the other side, or None if the cell holds no such piece.

    >>> _give_away("Q"), _give_away(-3), _give_away("."), _give_away(0)
    ('q', 3, None, None)
    """
    if isinstance(cell, str) and len(cell) == 1 and cell.isalpha() and cell.swapcase() != cell:
        return cell.swapcase()
    return -cell if is_number(cell) and not isinstance(cell, bool) and cell else None


def _is_first_side(cell: Any) -> bool:
    return cell.isupper() if isinstance(cell, str) else bool(cell > 0)
