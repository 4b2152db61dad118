"""Check searches against the rules of known games: where a game ends, and how its end is scored."""

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.board_rules import KnownBoards, find_lines
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_horizon
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.experiments.missed_wins import find_missed_win
from engine.checker.experiments.rule_proofs import prove_by_more_depth

PROBE_WINDOWS = ((-3.25, 7.75), (-2011.5, 5012.5))  # windows whose bounds are not scores
MAX_TRIED_WINS = 3
LinesByRow = list[tuple[int, list[tuple[Any, frozenset[tuple[int, int]]]]]]


def check_game_rules(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that go on after the end of a game, or score it like any other board."""
    if search.known is not None:
        yield from _check_known_ends(search, search.known)
    yield from _check_returned_starts(search)
    yield from _check_unscored_leaves(search)


def _check_known_ends(search: SearchContext, known: KnownBoards) -> Iterator[Suspicion]:
    program = search.program
    stops: LinesByRow = []
    goes_on: LinesByRow = []
    at_horizon: LinesByRow = []
    last = find_horizon(program)
    for row in range(len(known.boards)):
        found = known.complete_lines(row)
        parent = program.calls.parent[row]
        if found and (parent < 0 or not known.complete_lines(parent)):
            if program.children[row]:
                goes_on.append((row, found))
            elif program.is_leaf(row):
                deep = last is not None and program.argument(row, "depth") == last
                (at_horizon if deep else stops).append((row, found))
        if known.is_full(row) and not found and program.is_leaf(row) and not math.isfinite(program.values[row] or 0):
            yield Suspicion(
                "terminal-not-tested",
                row,
                f"the board is full, but its score is {format_number(program.values[row])}",
                certain=not search.later,  # the program itself may never search that deep
            )
    if not any(roles.depth for roles in program.roles) and not program.has_tables:
        yield from _check_unfinished_leaves(program, known)
    yield from _check_missed_lines(program, stops, goes_on, at_horizon, known)
    yield from _check_wins_at_horizon(program, stops, at_horizon) if stops else _try_wins_at_horizon(search, at_horizon)


def _check_unfinished_leaves(program: WatchedProgram, known: KnownBoards) -> Iterator[Suspicion]:
    """Yield leaves of a search without a depth whose board is neither won nor full."""
    leaves = [row for row in range(len(known.boards)) if program.is_leaf(row) and program.calls.parent[row] >= 0]
    open_leaves = [
        row for row in leaves if not known.complete_lines(row) and not known.is_full(row) and not known.can_complete_line(row)
    ]
    if any(known.boards[row] is None or known.boards[row].squares is None for row in leaves):  # type: ignore[union-attr]
        return
    if open_leaves and len(open_leaves) >= 0.5 * len(leaves):
        row = open_leaves[0]
        yield Suspicion(
            "terminal-wrong-player",
            row,
            f"the search ends here with the score {format_number(program.values[row])}, but nobody has {known.in_a_row} in a row "
            "and the board is not full",
            certain=False,
        )


def _check_missed_lines(
    program: WatchedProgram, stops: LinesByRow, goes_on: LinesByRow, at_horizon: LinesByRow, known: KnownBoards
) -> Iterator[Suspicion]:
    early = [(row, found) for row, found in stops if not known.is_full(row)]  # a full board ends every search
    seen_of = {piece for _, found in early for piece, _ in found}
    directions = {_line_direction(squares) for _, found in goes_on for _, squares in found}
    stopping = {_line_direction(squares) for _, found in early for _, squares in found}
    scores = program.returned_constants()
    stopping |= {
        _line_direction(squares) for row, found in at_horizon if program.values[row] in scores - {0} for _, squares in found
    }
    ends = [row for row, _ in stops] + [row for row, _ in at_horizon if program.values[row] in scores - {0}]
    has_shorter_end = bool(ends) and not any(_longest_line(known, row) == known.in_a_row for row in ends)
    of_one = bool(seen_of) and not seen_of & {found[0][0] for _, found in goes_on}  # it tests only the wins of the other side
    late = all(known.is_full(row) for row, _ in stops) and any(
        known.complete_lines(program.calls.parent[row]) and program.is_leaf(row) and known.complete_lines(row)
        for row in range(len(known.boards))
        if program.calls.parent[row] >= 0
    )
    last = find_horizon(program)
    missing = len(directions) < 4 and not directions & stopping and bool(stops or scores) and not of_one
    certain = bool(goes_on) and not has_shorter_end and (bool(scores - {0}) or known.has_scored_lines(program))
    for row, found in goes_on:
        piece = found[0][0]
        name = "win-lines-missing" if piece in seen_of or missing else "terminal-not-tested"
        name = "terminal-wrong-player" if late and _stop_at_once(program, row, last) else name
        squares = ", ".join(str(square) for square in sorted(found[0][1]))
        yield Suspicion(
            name,
            row,
            f"{piece!r} has {known.in_a_row} in a row ({squares}: row and column from 0), "
            f"but the search goes on with {len(program.children[row])} moves",
            certain=certain,
        )


def _stop_at_once(program: WatchedProgram, row: int, last: Any) -> bool:
    """Return True if all calls below a call are leaves, although the depth would allow more. `last` is the depth limit."""
    children = program.children[row]
    return all(program.is_leaf(child) and (last is None or program.argument(child, "depth") != last) for child in children)


def _longest_line(known: KnownBoards, row: int) -> int:
    """Return the length of the longest line on a board."""
    board = known.boards[row]
    return 0 if board is None else max((k for k in range(2, 8) if any(find_lines(board.pieces, k))), default=1)


def _line_direction(squares: frozenset[tuple[int, int]]) -> tuple[int, int]:
    first, second = sorted(squares)[:2]
    return second[0] - first[0], second[1] - first[1]


def _check_wins_at_horizon(program: WatchedProgram, stops: LinesByRow, at_horizon: LinesByRow) -> Iterator[Suspicion]:
    """Yield wins at the depth limit that are scored like boards without a win.

    If other lines are recognized there, only this line is missing.
    """
    usual: dict[Any, list[float]] = defaultdict(list)
    lines: set[frozenset[tuple[int, int]]] = set()  # that the program sees somewhere
    for row, found in stops:
        if program.values[row] is not None:
            usual[found[0][0]].append(program.values[row])
            lines |= {squares for _, squares in found}
    of_both = [score for scores in usual.values() for score in scores]
    low, as_usual = [], set()
    for row, found in at_horizon:
        scores, value = usual.get(found[0][0], of_both), program.values[row]
        if scores and value is not None:
            if abs(value) < 0.5 * min(abs(score) for score in scores):
                low.append((row, found, scores))
            else:
                as_usual.add(found[0][0])
                lines |= {squares for _, squares in found}
    for row, found, scores in low:
        known = any(squares in lines for _, squares in found)
        yield Suspicion(
            "win-lines-missing" if found[0][0] in as_usual and not known else "depth-before-win",
            row,
            f"{found[0][0]!r} has won, but the score at depth {format_number(program.argument(row, 'depth'))} is "
            f"{format_number(program.values[row])}; elsewhere {'a win' if scores is not of_both else 'a win of the other side'} "
            f"is scored {format_number(scores[0])}",
            certain=scores is not of_both and (known or found[0][0] in as_usual),
        )


def _try_wins_at_horizon(search: SearchContext, at_horizon: LinesByRow) -> Iterator[Suspicion]:
    """Yield a win at the depth limit that has a higher score if one more move may be searched."""
    for row, found in at_horizon[:MAX_TRIED_WINS]:
        seen = Suspicion(
            "depth-before-win",
            row,
            f"{found[0][0]!r} has won, but the score at depth {format_number(search.program.argument(row, 'depth'))} is "
            f"{format_number(search.program.values[row])}",
        )
        if proof := prove_by_more_depth(search, seen):
            yield seen._replace(proof=proof)
            return


def _check_returned_starts(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls without moves that return the start of their best score: the program did not notice the end."""
    program = search.program
    last, written = find_horizon(program), program.returned_numbers()
    given_up: dict[int, float] = {}  # although the game is not over
    for row, start in _find_starts(search).items():
        depth = program.argument(row, "depth")
        if (
            program.values[row] != start
            or not program.is_leaf(row)
            or abs(start) in written
            or (depth is not None and depth == last)
        ):
            continue
        if _is_game_open(search, row):
            given_up[row] = start
            continue
        yield Suspicion(
            "terminal-not-tested",
            row,
            f"there is no move here, and it returns {format_number(start)}, the starting value of the best score",
            certain=False,
        )
    yield from find_missed_win(search, given_up)


def _is_game_open(search: SearchContext, row: int) -> bool:
    """Return True if the rules of the board are known, and the game is not over there: moves are left out."""
    known = search.known
    board = None if known is None or row >= len(known.boards) else known.boards[row]
    return (
        known is not None
        and board is not None
        and board.squares is not None
        and not known.is_full(row)
        and not known.complete_lines(row)
    )


def _check_unscored_leaves(search: SearchContext) -> Iterator[Suspicion]:
    """Yield leaves that return infinity or a bound of their window: the loop over the moves is empty, and nothing is scored."""
    program = search.program
    snapshot = [snapshot for snapshot in program.calls.snapshots.calls if not snapshot.is_root and snapshot.is_leaf]
    nodes = [BlackBox(program, one) for one in snapshot if program.window(one.row) is not None]
    answers = [[(window, node.run(answer_always(0.0), window=window).value) for window in PROBE_WINDOWS] for node in nodes]
    if (
        nodes
        and any(all(value == window[place] for window, value in seen) for place in (0, 1) for seen in answers[:1])
        and all(all(value in window for window, value in seen) for seen in answers)
    ):
        yield Suspicion(
            "terminal-not-tested",
            nodes[0].row,
            "there is no move here, and it returns a bound of its window, whatever the window is: the position is not scored",
            certain=len(nodes) > 1,
        )
    leaves = [row for row in range(len(program.calls)) if program.is_leaf(row) and program.values[row] is not None]
    if leaves and math.inf not in program.returned_numbers() and all(math.isinf(program.values[row]) for row in leaves):
        yield Suspicion(
            "terminal-not-tested",
            leaves[0],
            f"there is no move here, and it returns {format_number(program.values[leaves[0]])}: every leaf returns "
            "infinity, so no position is scored",
            certain=False,
        )


def _find_starts(search: SearchContext) -> dict[int, float]:
    """Return the number that the best score starts at, by row."""
    by_key = {search.key(facts.row): facts.starts_at for facts in search.nodes if facts.known and facts.starts_at is not None}
    rows = range(min(len(search.program.calls), len(search.keys)))
    return {row: start for row in rows if (start := by_key.get(search.key(row))) is not None}
