"""Check for moves that are wrongly skipped, and moves that should be."""

from collections.abc import Iterator

from engine.checker.diagnosis.black_box import answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import PROBE_PREFIX, Suspicion, format_number
from engine.checker.diagnosis.node_facts import BELOW, HIGH, INSIDE, LOW, NodeFacts


def check_cutoffs(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield cutoffs of a node that come too early, too late or never."""
    moves = facts.children
    high = format_number(HIGH * facts.span)
    early = min(facts.asked_inside, facts.asked_below, facts.asked_just_below_high) < moves
    if early:
        at_low = facts.asked_just_above_low < moves and facts.asked_below == moves
        wrong = facts.asked_above == moves or at_low or facts.asked_below < moves
        stops_at = BELOW if facts.asked_below < moves else INSIDE if facts.asked_inside < moves else HIGH - 0.06
        yield Suspicion(
            "wrong-bound-compared" if wrong else "cut-too-early",
            facts.row,
            f"{PROBE_PREFIX}in the window ({format_number(LOW * facts.span)}, {high}) it stops after a move of "
            f"{format_number(stops_at * facts.span)} and skips moves (from the side of the mover)",
            _stops_at_real_scores(search, facts) or facts.span * 0.06 > 1,
        )
    elif facts.asked_above == moves:
        yield Suspicion(
            "no-cutoff",
            facts.row,
            f"{PROBE_PREFIX}after a move of {format_number(0.7 * facts.span)}, beyond the bound {high}, it still "
            f"tries all {moves}",
        )
    elif facts.asked_above > 1:
        yield Suspicion(
            "inner-break",
            facts.row,
            f"after a move beyond the bound it tries {facts.asked_above - 1} more of its {moves} moves before it stops",
        )


def check_early_stops(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that skip children although their window is open."""
    number_ = facts.node.kept.number
    rows = [row for row, below in enumerate(search.program.children) if below and search.program.calls.function[row] == number_]
    one_each = all(len(search.program.children[row]) == 1 for row in rows)
    if facts.stops_early and facts.children > 1:
        name = "wrong-bound-compared" if facts.window_decides else "returns-too-soon" if one_each else "cut-too-early"
        yield Suspicion(
            name,
            facts.row,
            f"of its {facts.children} moves it tries only {min(facts.rising.children, facts.falling.children)} "
            "for some scores, though the window is open",
            _stops_at_real_scores(search, facts),
        )


def _stops_at_real_scores(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if it also stops at a score of the program that is neither its best nor its worst."""
    between = [score for score in sorted(set(search.program.leaf_values))[1:-1] if abs(score) < 0.9 * search.program.span]
    return any(
        facts.node.run(answer_always(score), window=search.open_window_for(facts)).children < facts.children
        for score in between[:: max(1, len(between) // 12)]
    )


def check_repeated_calls(facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that search the same move again."""
    if facts.children < 2:
        return
    again = {}
    for outcome in (facts.direct, facts.rising, facts.falling):
        asked = [(call.function, call.child, call.window, call.depth, call.side) for call in outcome.asked]
        again[len(asked)] = len(asked) - len(set(asked))
    doubled = all(times * 2 == calls for calls, times in again.items())
    if doubled or (any(again.values()) and len(again) > 1):
        yield Suspicion(
            "searched-twice",
            facts.row,
            f"it has {facts.children} moves and makes {max(again)} calls: the same move is searched again",
        )
