"""The move that comes back beside the score, or is kept outside of the calls."""

from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import without
from engine.checker.diagnosis.context import Examined
from engine.checker.diagnosis.evidence import Suspicion, near, number, shown
from engine.checker.diagnosis.node_facts import INSIDE, LOW, Facts
from engine.checker.diagnosis.program_view import cells, changed
from engine.checker.diagnosis.root_move_check import chosen_move
from engine.checker.recording.state_encoding import is_number, kept_result


def of_node(search: Examined, facts: Facts) -> Iterator[Suspicion]:
    different = len(set(map(repr, facts.moves)))
    if facts.children < 2 or not facts.moves:
        return
    if different == len(facts.moves):
        yield from _lost(search, facts)
        yield from _ties(search, facts)
    elif different == 1 and facts.children > 2 and _carried_up(search, facts):
        if _from_the_leaf(search, facts):
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
                f"whichever of its {facts.children} moves is the best, it returns the move {shown(move)}",
                certain=_is_move(facts, move),
            )


def _carried_up(search: Examined, facts: Facts) -> bool:
    """Whether what is returned for the move comes from the call below: a path, the state at the leaf."""
    again = facts.node.run(lambda child: facts.shown(0.1 * facts.span), window=search.given_open(facts), template=1)
    return repr(facts.move_in(again)) != repr(facts.moves[0])


def _from_the_leaf(search: Examined, facts: Facts) -> bool:
    """Whether the move comes from a leaf that knows only its own last move: leaves below one child return different ones."""
    if not facts.node.is_outermost or facts.node.kept.is_root:
        return False
    for child in search.program.children[facts.row]:
        rows = [row for row in range(child, search.program.calls.end[child]) if search.program.is_leaf(row)]
        moves = [without(search.program.calls.results[row], search.program.score.keys) for row in rows]
        plain = all(isinstance(move, int) or (isinstance(move, tuple) and len(move) == 2) for move in moves)
        levels = {search.program.calls.depth[row] for row in rows}
        if plain and len(levels) > 1 and len(set(map(repr, moves))) > 2:
            return True
    return False


def _is_move(facts: Facts, value: Any) -> bool:
    """Whether a value is the number of a square or a column where one of the moves was made, or the state after it."""
    if isinstance(value, (bytes, tuple)):
        return True
    where: set[Any] = set()
    old = cells(facts.direct.board)
    for asked in facts.direct.asked:
        for place, new in changed(facts.direct.board, asked.board).items():
            where |= {place, *place}
            if is_number(new) and is_number(old.get(place)):
                where |= {new - old[place], old[place] - new}
    return value in where


def _lost(search: Examined, facts: Facts) -> Iterator[Suspicion]:
    nothing = {
        repr(without(kept_result(kept.result), search.program.score.keys))
        for kept in search.program.calls.kept.calls
        if kept.is_leaf
    }
    known = {search.worst(facts)} | {facts.shown(score) for score in search.program.constants_returned()}
    for good, move in facts.lost:
        is_none = move in (None, -1, (), "", (-1, -1)) or (not facts.node.kept.is_root and repr(move) in nothing)
        if is_none and not any(repr(move) == repr(other) for other in facts.moves):
            yield Suspicion(
                "no-move-when-lost",
                facts.row,
                f"where every move scores {number(facts.shown(good))}, it returns {shown(move)} for the move",
                certain=good in known,
            )
            return


def _ties(search: Examined, facts: Facts) -> Iterator[Suspicion]:
    """A root that takes a later one of equal moves, where equal may mean worse."""
    if not facts.node.is_outermost or not facts.windows or len(facts.windows[0]) < 2 or not _equal_may_be_bound(search):
        return
    if not later_ties(facts) or not near(facts.windows[0][1][0], INSIDE * facts.span):
        return
    chosen = chosen_move(search, facts)
    proved = chosen is not None and not chosen.is_best
    yield Suspicion(
        "tie-takes-bound",
        facts.row,
        "among moves of the same score it takes a later one, but that score is only a bound: "
        + (
            f"the move {shown(chosen.move)} searched alone scores {number(chosen.score)}, and another one {number(chosen.best)}"
            if chosen is not None and proved
            else "the move may be worse"
        ),
        certain=proved,
    )


def later_ties(facts: Facts) -> bool:
    return any(repr(move) != repr(facts.moves[0]) for move in facts.ties)


def _equal_may_be_bound(search: Examined) -> bool:
    return any(
        facts.asked_at < facts.children or (facts.returned_below is not None and near(facts.returned_below, LOW * facts.span))
        for facts in search.nodes
        if facts.windows
    )


def kept_outside(search: Examined) -> Iterator[Suspicion]:
    """A move in a global or an attribute that deeper calls set as well."""
    top = [facts for facts in search.nodes if search.program.calls.parent[facts.row] < 0]
    deeper = [facts for facts in search.nodes if search.program.calls.parent[facts.row] >= 0]
    for facts in top:
        for name, values in facts.noted.items():
            if len(set(map(repr, values))) < len(values) or facts.children < 2:
                continue
            writer = next((other for other in deeper if len(set(map(repr, other.noted.get(name, [])))) > 1), None)
            if writer is not None and not _written_last(search, facts, name):
                yield Suspicion("move-overwritten", writer.row, f"{name} is set by this call too, not only by the outermost one")


def _written_last(search: Examined, facts: Facts, name: str) -> bool:
    """Whether the outermost call sets it after the calls below, whatever they have put there."""
    values = [facts.shown(facts.span * (0.5 - 0.05 * child)) for child in range(facts.children)]
    outcome = facts.node.run(lambda child: values[min(child, len(values) - 1)], window=search.given_open(facts), disturbed=name)
    return outcome.world.get(name) != facts.node.MARK
