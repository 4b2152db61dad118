"""Check the scores of the leaves."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, answer_always
from engine.checker.diagnosis.board_rules import find_grid
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.depths import find_horizon
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import MAX
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.discovery import source_analysis
from engine.checker.experiments.exchanged_pieces import exchange_pieces
from engine.checker.experiments.replay import copy_calls
from engine.checker.recording.board_cells import flatten_cells, replace_cell
from engine.checker.recording.call_snapshots import CallSnapshot, deep_copy
from engine.checker.recording.observations import observed
from engine.checker.recording.state_encoding import is_number

RANDOM_NAMES = ("random", "randint", "uniform", "choice", "gauss", "randrange", "rand", "shuffle")
CLOCK_NAMES = ("time", "perf_counter", "monotonic", "process_time", "clock", "timeit")
MAX_TURN_ROWS = 200
MIN_TURN_SHARE = 0.7  # of the moves: after the others a side passes or moves again
MAX_LEAVES, MAX_COPIED_ROW = 24, 1000  # leaves that are tested, and the last row that is copied for this
MAX_COMPARED_NODES = 30  # whose calls are compared
MIN_PATTERN_CALLS = 3  # calls that make a pattern


def check_other_side(search: SearchContext) -> Iterator[Suspicion]:
    """Yield leaves at the depth limit whose scores are wrong for the other side. Score each as if that side were to move."""
    negated, same = [], []
    totals: dict[float, list[int]] = defaultdict(list)  # of the scores for both sides
    turns = find_turn_paths(search.program)
    if len(turns) > 1 or _gets_moves_unplayed(search.program):
        return  # it is not clear where the state holds the side to move, or that side makes the move inside the call
    turn = turns[0] if turns else None
    for snapshot in list_leaves(search):
        if not _has_fixed_pieces(search.program, snapshot.row):
            continue
        value, node = search.program.values[snapshot.row], BlackBox(search.program, snapshot)
        sides, partner = other_side_arguments(search.program, snapshot.row), _make_partner_call(search.program, snapshot)
        if turn is not None:
            turned = turn_state(search.program, snapshot, turn)
            sides, partner = ({**sides, **turned} if turned else {}), partner if turned else None
        if not value or not math.isfinite(value) or not (sides or partner) or not _is_ended_by_depth(search, node):
            continue
        outcome = (partner or node).run(answer_always(math.nan), overrides=sides)
        if outcome.failed or outcome.child_calls or outcome.value is None:
            continue
        if outcome.value == -value:
            negated.append(snapshot.row)
        elif outcome.value == value:
            swapped = exchange_pieces(search.program, snapshot, sides.get("state"))
            again = node.run(answer_always(math.nan), overrides={**sides, **swapped}) if swapped and partner is None else None
            if again is None or again.failed or again.value != value:  # otherwise it scores the board as the mover sees it
                same.append(snapshot.row)
        else:
            totals[round(outcome.value + value, 9)].append(snapshot.row)
    if not negated and len(totals) == 1:  # the sides share a fixed total: a score of one side is the rest for the other
        total, negated = next(iter(totals.items()))
        same = [row for row in same if 2 * search.program.values[row] != total]
    if negated and not same and not search.negamax and any(facts.known for facts in search.nodes):
        row = negated[0]
        yield Suspicion(
            "leaf-viewpoint",
            row,
            f"this leaf scores {format_number(search.program.values[row])} for the side to move, and the opposite if the other "
            "side is to move",
            certain=len({search.program.values[row] for row in negated}) > 1,
            proof=f"asked for the other side, all of {len(negated)} tested leaves return the opposite score",
        )
    others = sum(map(len, totals.values()))  # leaves whose scores do depend on the side
    if len({search.program.values[row] for row in same}) > 1 and not negated and 2 * others <= len(same) and search.negamax:
        row = same[0]
        yield Suspicion(
            "sign-lost",
            row,
            f"this leaf scores {format_number(search.program.values[row])} whichever side is to move: in negamax the "
            "sign must change",
            proof=f"asked for the other side, {_count_of(len(same), others)} tested leaves return the same score",
        )


def _count_of(same: int, others: int) -> str:
    return f"{same} of {same + others}" if others else f"all of {same}"


def list_leaves(search: SearchContext) -> list[CallSnapshot]:
    """Return the copied leaves, and leaves with other scores."""
    program = search.program
    leaves = [copy for copy in program.calls.snapshots.calls if not copy.is_root and copy.is_leaf]
    known = {program.values[leaf.row] for leaf in leaves}
    rows: list[int] = []
    for row in range(min(len(program.calls), MAX_COPIED_ROW)):
        if len(leaves) + len(rows) < MAX_LEAVES and program.is_leaf(row) and program.values[row] not in known:
            known.add(program.values[row])
            rows.append(row)
    return leaves + list(copy_calls(program, rows).values())


def _gets_moves_unplayed(program: WatchedProgram) -> bool:
    """Return True if most calls get the board of their caller together with a move, which they make themselves."""
    several = [children for children in program.children[:MAX_COPIED_ROW] if len(children) > 1][:MAX_COMPARED_NODES]
    same = [children for children in several if len({repr(program.board(child)) for child in children}) == 1]
    return bool(several) and 2 * len(same) > len(several)


def _make_partner_call(program: WatchedProgram, snapshot: CallSnapshot) -> BlackBox | None:
    """Return the call with the other one of two functions, such as min_value for max_value, if it takes the same arguments."""
    functions = program.calls.functions
    if len(functions) != 2 or functions[0].arguments != functions[1].arguments:
        return None
    number = 1 - snapshot.number
    same = next((copy for copy in program.calls.snapshots.calls if not copy.is_root and copy.number == number), None)
    if same is None:
        return None
    return BlackBox(program, replace(snapshot, number=number, function=same.function))


def find_turn_paths(program: WatchedProgram) -> list[tuple[Any, ...]]:
    """Return the paths in a state that may hold the side to move: two values, and another one after nearly every move."""
    edges = [(parent, row) for row, parent in enumerate(program.calls.parent[:MAX_TURN_ROWS]) if parent >= 0]
    times: Counter[tuple[Any, ...]] = Counter()
    cells = {row: flatten_cells(program.board(row)) for row in {row for edge in edges for row in edge}}
    for parent, row in edges:
        above, below = cells[parent], cells[row]
        times.update(path for path in above.keys() | below.keys() if above.get(path) != below.get(path))
    often = [path for path, changed in times.items() if changed >= MIN_TURN_SHARE * len(edges)]
    return [path for path in often if len({repr(board.get(path)) for board in cells.values()}) == 2]


@observed
def turn_state(program: WatchedProgram, snapshot: CallSnapshot, turn: tuple[Any, ...] | None) -> dict[str, Any]:
    """Return the state of a leaf with the other side to move, as an argument to change. It is empty if that is not possible."""
    place = program.role_index(snapshot.number, "state")
    parent = program.calls.parent[snapshot.row]
    if turn is None or place is None or parent < 0:
        return {}
    try:
        other = flatten_cells(program.board(parent))[turn]
        return {"state": replace_cell(deep_copy(snapshot.arguments[place], {}), turn, other)}
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return {}


def _has_fixed_pieces(program: WatchedProgram, row: int) -> bool:
    """Return True if the board is a grid with the pieces of the board above.

    It is False where pieces are "mine" and "theirs".
    """
    parent = program.calls.parent[row]
    above, board = (None, None) if parent < 0 else (find_grid(program.board(parent)), find_grid(program.board(row)))
    if above is None or board is None:
        return False
    both = [pair for lines in zip(above, board, strict=False) for pair in zip(*lines, strict=False)]
    moved = {(one, other) for one, other in both if one != other}
    return not any((other, one) in moved for one, other in moved)


def other_side_arguments(program: WatchedProgram, row: int) -> dict[str, Any]:
    """Return the side argument as it is for the other side, and all arguments that take two values in step with it."""
    number = program.calls.function[row]
    place = program.role_index(number, "side")
    rows = [other for other in range(min(len(program.calls), 2000)) if program.calls.function[other] == number]
    if place is None or len({repr(program.calls.arguments[other][place]) for other in rows}) != 2:
        return {}
    here = program.calls.arguments[row]
    there = {tuple(program.calls.arguments[other]) for other in rows if program.calls.arguments[other][place] != here[place]}
    own = {tuple(program.calls.arguments[other]) for other in rows if program.calls.arguments[other][place] == here[place]}
    found = {}
    for column, name in enumerate(program.calls.functions[number].arguments):
        ours, theirs = ({arguments[column] for arguments in group} for group in (own, there))
        if len(ours) == len(theirs) == 1 and ours != theirs:
            found[name] = theirs.pop()
    return found


def _is_ended_by_depth(search: SearchContext, node: BlackBox) -> bool:
    """Return True if a leaf has moves, and only its depth has ended the search, not its window."""
    depth, steps = node.argument("depth"), search.depth_steps()
    if node.role_index("alpha") is not None and node.run(answer_always(0.0), window=search.open_window()).child_calls:
        return False
    if not is_number(depth) or not steps or not all(is_number(step) and step for step in steps):
        return False
    earlier = depth - next(iter(steps))
    return bool(node.run(answer_always(0.0), overrides={"depth": earlier}).child_calls)


def check_consistency(search: SearchContext) -> Iterator[Suspicion]:
    """Yield leaves of one board, side and depth with different scores."""
    program, keys = search.program, search.keys
    inner = {keys[row] for row in range(len(keys)) if program.children[row]}
    seen: dict[Any, int] = {}
    certain = not source_analysis.has_any_name(program.tree, CLOCK_NAMES) and source_analysis.has_any_name(
        program.tree, RANDOM_NAMES
    )
    for row in range(len(keys)):
        value = program.values[row]
        if value is None or not program.is_leaf(row) or keys[row] in inner or _is_window_bound(program, row):
            continue
        first = seen.setdefault((keys[row], _key_of_all_arguments(program, row)), row)
        if program.values[first] != value:
            again = _score_twice(program)
            if again is None:
                continue  # something else that we do not see is different
            yield Suspicion(
                "evaluation-inconsistent",
                row,
                f"this leaf scores {format_number(value)}, but the same board scores "
                f"{format_number(program.values[first])} in call {first}",
                certain and bool(again),
                proof=again,
            )


def _key_of_all_arguments(program: WatchedProgram, row: int) -> Any:
    """Return everything that a call gets, without its window: numbers, boards, attributes of objects."""
    number = program.calls.function[row]
    window = {program.role_index(number, role) for role in ("alpha", "beta")}
    small = tuple(value for place, value in enumerate(program.calls.arguments[row]) if place not in window)
    return number, small, program.calls.before[row]


def _score_twice(program: WatchedProgram) -> str | None:
    """Make the call of a leaf again with other random numbers. Return what happens, "" if no leaf could be run, else None."""
    tried = False
    for snapshot in program.calls.snapshots.calls:
        if snapshot.is_root or not snapshot.is_leaf:
            continue
        outcomes = [BlackBox(program, snapshot).run(answer_always(0.0), seed=seed) for seed in range(1, 7)]
        if any(outcome.failed for outcome in outcomes):
            continue
        tried = True
        scores = list(dict.fromkeys(outcome.value for outcome in outcomes if outcome.value is not None))
        if len(scores) > 1:
            return f"the call of one leaf, made again and again, returns {', '.join(map(format_number, scores))}"
    return None if tried else ""


def _is_window_bound(program: WatchedProgram, row: int) -> bool:
    window = program.window(row)
    return window is not None and program.values[row] in window


def check_winner_signs(search: SearchContext) -> Iterator[Suspicion]:
    """Yield won boards whose scores do not tell which side has won."""
    program, known = search.program, search.known
    if known is None or search.negamax or not known.has_scored_lines(program):
        return
    last = find_horizon(program)
    signs: dict[Any, set[tuple[int, int]]] = defaultdict(set)
    first: dict[Any, int] = {}
    for row in range(len(known.boards)):
        found, value = known.complete_lines(row), program.values[row]
        is_limited = last is not None and program.argument(row, "depth") == last  # the heuristic may have scored it
        if found and program.is_leaf(row) and value and not is_limited:
            piece = found[0][0]
            first.setdefault(piece, row)
            signs[piece].add((1 if value > 0 else -1, program.calls.depth[row] % 2))
    if len(signs) != 2:
        return
    seen = {piece: {sign for sign, _ in found} for piece, found in signs.items()}
    one, other = seen
    if seen[one] == seen[other] and len(seen[one]) == 1:
        row = max(first.values())
        yield Suspicion(
            "leaf-viewpoint",
            row,
            f"wins of {one!r} and of {other!r} both get a {'positive' if seen[one] == {1} else 'negative'} score, such as "
            f"{format_number(program.values[row])}: the score does not tell which side has won",
        )


def check_winner_scores(search: SearchContext) -> Iterator[Suspicion]:
    """Yield won boards that are scored as if the side that completed its line had lost."""
    program, known = search.program, search.known
    folds = search.known_folds()
    if known is None or not known.has_scored_lines(program):
        return
    last = find_horizon(program)
    good: list[int] = []
    bad: dict[str, list[int]] = defaultdict(list)
    for row in range(len(known.boards)):
        parent, value = program.calls.parent[row], program.values[row]
        is_limited = last is not None and program.argument(row, "depth") == last
        if parent < 0 or is_limited or not program.is_leaf(row) or not value:
            continue
        if not known.complete_lines(row) or known.complete_lines(parent):
            continue
        fold = MAX if search.negamax else folds.get(search.key(parent))
        if fold is not None:
            liked = (-value if search.negamax else value) * (1 if fold == MAX else -1)
            if liked > 0:
                good.append(row)
            else:
                bad[fold].append(row)
    rows = sorted(row for found in bad.values() for row in found)
    if len(rows) >= MIN_PATTERN_CALLS and not good:
        name = "sign-lost" if search.negamax else "sides-swapped" if len(bad) == 2 else "leaf-viewpoint"
        yield Suspicion(
            name,
            rows[0],
            f"the move before this call has won, but the score {format_number(program.values[rows[0]])} is bad for the side that "
            "made it",
            certain=False,  # in some games a line loses
        )
