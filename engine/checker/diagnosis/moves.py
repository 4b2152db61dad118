"""Check the move that is returned beside the score, or stored outside the calls."""

from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import remove_score
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_move, format_number, is_close
from engine.checker.diagnosis.node_facts import INSIDE, LOW, NodeFacts
from engine.checker.diagnosis.program_view import changed_cells, flatten_cells
from engine.checker.diagnosis.root_move_check import check_chosen_move
from engine.checker.recording.state_encoding import is_number, simplify_result


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
                "the move that comes back is the last one before a leaf, not the first of the best line",
            )
    elif different == 1 and facts.children > 2:
        move = facts.moves[0]
        if move is not None and not facts.node.kept.is_root:
            yield Suspicion(
                "move-not-tracked",
                facts.row,
                f"whichever of its {facts.children} moves is the best, it returns the move {format_move(move)}",
                certain=_is_move_value(facts, move),
            )


def _is_move_from_child(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the returned move comes from the call below: a path, the state at the leaf."""
    again = facts.node.run(lambda child: facts.child_score(0.1 * facts.span), window=search.open_window_for(facts), template=1)
    return repr(facts.move_in_result(again)) != repr(facts.moves[0])


def _is_move_from_leaf(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the move comes from a leaf that knows only its own last move: leaves below one child differ."""
    if not facts.node.is_outermost or facts.node.kept.is_root:
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
    for asked in facts.direct.asked:
        for place, new in changed_cells(facts.direct.board, asked.board).items():
            where |= {place, *place}
            if is_number(new) and is_number(old.get(place)):
                where |= {new - old[place], old[place] - new}
    return value in where


def _check_lost_positions(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a node that returns no move where every move loses."""
    nothing = {
        repr(remove_score(simplify_result(kept.result), search.program.score.keys))
        for kept in search.program.calls.kept.calls
        if kept.is_leaf
    }
    known = {search.worst_score(facts)} | {facts.child_score(score) for score in search.program.returned_constants()}
    for good, move in facts.lost:
        is_none = move in (None, -1, (), "", (-1, -1)) or (not facts.node.kept.is_root and repr(move) in nothing)
        if is_none and not any(repr(move) == repr(other) for other in facts.moves):
            yield Suspicion(
                "no-move-when-lost",
                facts.row,
                f"where every move scores {format_number(facts.child_score(good))}, it returns {format_move(move)} for the move",
                certain=good in known,
            )
            return


def _check_ties(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield a root that takes a later one of equal moves, although an equal score may be only a bound."""
    if not facts.node.is_outermost or not facts.windows or len(facts.windows[0]) < 2 or not _can_equal_score_be_bound(search):
        return
    if not takes_later_ties(facts) or not is_close(facts.windows[0][1][0], INSIDE * facts.span):
        return
    chosen = check_chosen_move(search, facts)
    proved = chosen is not None and not chosen.is_best
    yield Suspicion(
        "tie-takes-bound",
        facts.row,
        "among moves of the same score it takes a later one, but that score is only a bound: "
        + (
            f"the move {format_move(chosen.move)} searched alone scores {format_number(chosen.score)}, and "
            f"another one {format_number(chosen.best)}"
            if chosen is not None and proved
            else "the move may be worse"
        ),
        certain=proved,
    )


def takes_later_ties(facts: NodeFacts) -> bool:
    """Return True if a node takes a later one of equal moves."""
    return any(repr(move) != repr(facts.moves[0]) for move in facts.ties)


def _can_equal_score_be_bound(search: SearchContext) -> bool:
    return any(
        facts.asked_at < facts.children or (facts.returned_below is not None and is_close(facts.returned_below, LOW * facts.span))
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
                yield Suspicion("move-overwritten", writer.row, f"{name} is set by this call too, not only by the outermost one")


def _is_set_last(search: SearchContext, facts: NodeFacts, name: str) -> bool:
    """Return True if the outermost call sets it after the calls below, whatever they have stored there."""
    values = [facts.child_score(facts.span * (0.5 - 0.05 * child)) for child in range(facts.children)]
    outcome = facts.node.run(
        lambda child: values[min(child, len(values) - 1)], window=search.open_window_for(facts), disturbed=name
    )
    return outcome.world.get(name) != facts.node.MARK
