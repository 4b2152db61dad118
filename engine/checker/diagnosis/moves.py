"""Check the move that is returned beside the score, or stored outside the calls."""

import math
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import answer_always, remove_score
from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_move, format_number, is_close
from engine.checker.diagnosis.node_facts import INSIDE, LOW, NodeFacts
from engine.checker.experiments.root_move_check import check_chosen_move
from engine.checker.recording.board_cells import changed_cells, flatten_cells
from engine.checker.recording.state_encoding import is_number

MAX_MOVE_ROWS = 300
MIN_MOVE_SHARE = 0.6  # of the calls whose move must be one that they tried


def check_returned_move(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that return a wrong move, or none."""
    different = len(set(map(repr, facts.moves)))
    if facts.children < 2 or not facts.moves:
        return
    if different == len(facts.moves):
        yield from _check_lost_positions(search, facts)
        yield from _check_ties(search, facts)
    elif different == 1 and facts.children > 2 and _is_move_from_child(search, facts):
        if _is_move_from_leaf(search, facts):
            yield Suspicion(
                "move-not-tracked",
                facts.row,
                "it returns the last move before a leaf, not the first move of the best line",
                certain=_holds_moves(search),
                proof=_describe_move_tests(facts),
            )
    elif different == 1 and facts.children > 2:
        move = facts.moves[0]
        if move is not None and not facts.node.snapshot.is_root and not _may_be_from_child(search, facts, move):
            yield Suspicion(
                "move-not-tracked",
                facts.row,
                f"it returns {format_move(move)}, whichever of its {facts.children} moves is the best",
                certain=_is_move_value(facts, move) and _holds_moves(search),
                proof=_describe_move_tests(facts),
            )


def is_random_move(facts: NodeFacts) -> bool:
    """Return True if other random numbers lead to another move."""
    return len(set(map(repr, facts.ties))) > 1


def _describe_move_tests(facts: NodeFacts) -> str:
    """Describe the tests in which each move in turn had the best score."""
    move = format_move(facts.moves[0])
    tested = len(facts.moves)
    of_many = "" if tested == facts.children else f"{tested} of "
    return f"with the best score for each of {of_many}its {facts.children} moves in turn it returns {move} every time"


def _is_move_from_child(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the returned move comes from the call below: a path, the state at the leaf."""
    again = facts.node.run(lambda child: facts.child_score(0.1 * facts.span), window=search.open_window_for(facts), template=1)
    return repr(facts.move_in_result(again)) != repr(facts.moves[0])


def _may_be_from_child(search: SearchContext, facts: NodeFacts, move: Any) -> bool:
    """Return True if our own answers had this part: the program may pass it on, such as the level of the leaf."""
    number = facts.direct.child_calls[0].function
    answered = remove_score(facts.node.simple_template(number), search.program.score.keys)
    return answered is not None and repr(answered) == repr(move)


def _holds_moves(search: SearchContext) -> bool:
    """Return True if the part beside the score is a move: a square, column or other name of a move that the call tried."""
    program, moves, hits = search.program, set(), 0
    rows = [row for row in range(min(len(program.calls), MAX_COMPARED_ROWS)) if program.children[row]][:MAX_MOVE_ROWS]
    for row in rows:
        move = remove_score(program.calls.results[row], program.score.keys)
        board = program.board(row)
        played = [_list_move_names(board, program.board(child)) for child in program.children[row]]
        moves.add(repr(move))
        hits += isinstance(move, bytes) or any(repr(move) in names for names in played)
    return len(moves) > 1 and hits >= MIN_MOVE_SHARE * len(rows)


def _list_move_names(before: Any, after: Any) -> set[str]:
    """Return everything that may name the move between two boards, as text."""
    names: set[Any] = set()
    old = flatten_cells(before)
    for place, new in changed_cells(before, after).items():
        names |= {place, *place, place[-2:], place[-2:][::-1]}
        if is_number(new) and is_number(old.get(place)):
            names |= {new - old[place], old[place] - new}
    return set(map(repr, names))


def _is_move_from_leaf(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the move is the last move before a leaf: then the leaves below one child have different moves."""
    if not facts.node.is_outermost or facts.node.snapshot.is_root:
        return False
    for child in search.program.children[facts.row]:
        rows = [row for row in range(child, search.program.calls.end[child]) if search.program.is_leaf(row)]
        moves = [remove_score(search.program.calls.results[row], search.program.score.keys) for row in rows]
        plain = all(isinstance(move, int) or (isinstance(move, tuple) and len(move) == 2) for move in moves)
        levels = {search.program.calls.depth[row] for row in rows}
        if plain and len(levels) > 1 and len(set(map(repr, moves))) > 2:
            return True
    return False


def _is_move_value(facts: NodeFacts, value: Any) -> bool:
    """Return True if a value is the number of a square or column where one of the moves was made, or the state after it."""
    if isinstance(value, (bytes, tuple)):
        return True
    where: set[Any] = set()
    old = flatten_cells(facts.direct.board)
    for child_call in facts.direct.child_calls:
        for place, new in changed_cells(facts.direct.board, child_call.board).items():
            where |= {place, *place}
            if is_number(new) and is_number(old.get(place)):
                where |= {new - old[place], old[place] - new}
    return repr(value) in set(map(repr, where))


def _check_lost_positions(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that returns no move where every move loses."""
    nothing = _find_leaf_move(search)
    infinite = {
        -math.inf
        for row, value in enumerate(search.program.values)
        if value in (math.inf, -math.inf) and search.program.is_leaf(row) and not _is_bound_of_window(search, row)
    }
    known = infinite | {search.worst_score(facts)} | {facts.child_score(score) for score in search.program.returned_constants()}
    for good, move in facts.lost:
        is_none = move in (None, -1, (), "", (-1, -1)) or (not facts.node.snapshot.is_root and repr(move) == nothing)
        if is_none and not any(repr(move) == repr(other) for other in facts.moves):
            yield Suspicion(
                "no-move-when-lost",
                facts.row,
                f"if every move scores {format_number(facts.child_score(good))}, it returns {move!r} instead of a move",
                certain=good in known and _is_real_score(search, facts.child_score(good)),
                function=facts.node.name,
                proof=f"with the score {format_number(facts.child_score(good))} for every move it returns {move!r}, and with a "
                f"better score for one of its {facts.children} moves it returns a move",
            )
            return


def _find_leaf_move(search: SearchContext) -> str | None:
    """Return what all leaves have in place of a move, as text. Leaves that differ may return moves: a call may score its
    last moves itself, without a call for each.
    """
    program = search.program
    leaves = {
        repr(remove_score(program.calls.results[row], program.score.keys))
        for row in range(min(len(program.calls), MAX_COMPARED_ROWS))
        if program.is_leaf(row)
    }
    return leaves.pop() if len(leaves) == 1 else None


def check_infinite_losses(search: SearchContext) -> Iterator[Suspicion]:
    """Yield a node that returns no move if every move scores minus infinity. The caller knows that such scores occur."""
    for facts in search.facts:
        if not facts.known or not facts.moves or not facts.node.is_outermost:
            continue
        score = facts.child_score(-math.inf)
        outcome = facts.node.run(answer_always(score), window=search.open_window_for(facts))
        move = None if outcome.failed else facts.move_in_result(outcome)
        if not outcome.failed and _is_no_move(move) and not any(_is_no_move(one) for one in facts.moves):
            yield Suspicion(
                "no-move-when-lost",
                facts.row,
                f"if every move scores {format_number(score)}, it returns {move!r} instead of a move",
                certain=False,
                function=facts.node.name,
            )
            return


def _is_real_score(search: SearchContext, score: float) -> bool:
    """Return True if a leaf has this score, and it is not a bound of the root's window. A won board has its own score."""
    if math.isinf(score) or score in set(search.program.leaf_values) - set(search.open_window()):
        return True
    known, program = search.known, search.program
    return known is not None and any(
        program.is_leaf(row) and program.values[row] == score and known.complete_lines(row) for row in range(len(known.boards))
    )


def _is_bound_of_window(search: SearchContext, row: int) -> bool:
    """Return True if a leaf may have returned a bound, or the start of its best score, instead of a score."""
    return math.inf not in search.program.returned_numbers() and search.program.values[row] in (search.program.window(row) or ())


def check_missing_moves(search: SearchContext) -> Iterator[Suspicion]:
    """Yield an outermost call, or a loop over the first moves, that has moves and returns none."""
    program = search.program
    for run, rows in program.runs_with_loops():
        usual = [facts for facts in search.roots if facts.known and facts.node.name == run.name and facts.moves]
        returned = [move for facts in usual for move in facts.moves]
        if run.end >= 0 and _is_no_move(run.result) and returned and not any(_is_no_move(move) for move in returned):
            yield _missing_move(rows[0], run.name, run.result, len(rows))
    for row in range(len(program.calls)):
        is_outermost = program.calls.parent[row] < 0 and program.calls.end[row] >= 0
        if not is_outermost or len(program.children[row]) < 2 or not program.score.keys:
            continue
        move = remove_score(program.calls.results[row], program.score.keys)
        tested = [facts for facts in search.nodes if facts.known and facts.node.name == program.row_function(row)]
        returned = [one for facts in tested for one in facts.moves]
        if _is_no_move(move) and returned and not any(_is_no_move(one) for one in returned):
            yield _missing_move(row, program.row_function(row), move, len(program.children[row]))


def _missing_move(row: int, name: str, move: Any, moves: int) -> Suspicion:
    return Suspicion(
        "no-move-when-lost",
        row,
        f"it tries {moves} moves and returns {move!r} instead of a move",
        function=name,
        proof=f"the program itself returns {move!r} from this position; with a good score for a move it returns that move",
    )


def _is_no_move(move: Any) -> bool:
    return move is None or (isinstance(move, (int, tuple, str)) and move in (-1, (), "", (-1, -1), (None, None)))


def _check_ties(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a root that takes a later one of equal moves, although an equal score may be only a bound."""
    if not facts.node.is_outermost or not facts.windows or len(facts.windows[0]) < 2 or not _can_equal_score_be_bound(search):
        return
    if not takes_later_ties(facts) or not is_close(facts.windows[0][1][0], INSIDE * facts.span):
        return
    chosen = check_chosen_move(search, facts)
    proved = chosen is not None and not chosen.is_best
    if not proved and (chosen is not None or is_random_move(facts)):
        return  # its move is the best, or it tries its moves in a random order
    yield Suspicion(
        "tie-takes-bound",
        facts.row,
        "among moves with the same score it takes a later one, whose score may be only a bound",
        certain=proved,
        function=facts.node.name,
        proof=f"searched alone, {format_move(chosen.move)} scores {format_number(chosen.score)}, and another move "
        f"scores {format_number(chosen.best)}"
        if chosen is not None and proved
        else "",
    )


def takes_later_ties(facts: NodeFacts) -> bool:
    """Return True if a node takes a later one of equal moves."""
    return any(repr(move) != repr(facts.moves[0]) for move in facts.ties)


def _can_equal_score_be_bound(search: SearchContext) -> bool:
    return any(
        facts.tried_at < facts.children or (facts.returned_below is not None and is_close(facts.returned_below, LOW * facts.span))
        for facts in search.nodes
        if facts.windows
    )


def check_stored_move(search: SearchContext) -> Iterator[Suspicion]:
    """Yield moves in a global or an attribute that deeper calls set as well."""
    top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    deeper = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    for facts in top:
        for name, values in facts.noted.items():
            if len(set(map(repr, values))) < len(values) or facts.children < 2:
                continue
            writer = next((other for other in deeper if len(set(map(repr, other.noted.get(name, [])))) > 1), None)
            if writer is not None and not _is_set_last(search, facts, name):
                yield Suspicion(
                    "move-overwritten", writer.row, f"this call sets {name} too, not only the outermost call", subject=name
                )


def _is_set_last(search: SearchContext, facts: NodeFacts, name: str) -> bool:
    """Return True if the outermost call sets it after the calls below, so that their values do not matter."""
    values = [facts.child_score(facts.span * (0.5 - 0.05 * child)) for child in range(facts.children)]
    outcome = facts.node.run(
        lambda child: values[min(child, len(values) - 1)], window=search.open_window_for(facts), disturbed=name
    )
    return outcome.world.get(name) != facts.node.MARK
