"""Check for moves that are wrongly skipped, and moves that should be."""

from collections.abc import Iterator

from engine.checker.diagnosis.black_box import answer_always
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import MOVER_SUFFIX, PROBE_PREFIX, Suspicion, format_number
from engine.checker.diagnosis.node_facts import BELOW, HIGH, INSIDE, LOW, NodeFacts
from engine.checker.experiments.root_move_check import find_missed_score

LOSING_SHARES, WINNING_SHARES = (-0.3, -0.01), (0.01, 0.2)  # of the span, as scores of all moves


def check_cutoffs(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield cutoffs of a node that come too early, too late or never."""
    moves = facts.children
    high = format_number(HIGH * facts.span)
    early = min(facts.tried_inside, facts.tried_below, facts.tried_just_below_high) < moves
    if early:
        at_low = facts.tried_just_above_low < moves and facts.tried_below == moves
        wrong = facts.tried_above == moves or at_low or facts.tried_below < moves
        stops_at = BELOW if facts.tried_below < moves else INSIDE if facts.tried_inside < moves else HIGH - 0.06
        yield Suspicion(
            "wrong-bound-compared" if wrong else "cut-too-early",
            facts.row,
            f"{PROBE_PREFIX}in the window ({format_number(LOW * facts.span)}, {high}) it stops after a move that scores "
            f"{format_number(stops_at * facts.span)}, and skips moves {MOVER_SUFFIX}",
            (_stops_at_real_scores(search, facts) or facts.span * 0.06 > 1) and not _stops_at_wins_only(search, facts),
        )
    elif facts.tried_above == moves:
        yield Suspicion(
            "no-cutoff",
            facts.row,
            f"{PROBE_PREFIX}it still tries all {moves} moves after one that scores {format_number(0.7 * facts.span)}, "
            f"beyond the bound {high} {MOVER_SUFFIX}",
        )
    elif facts.tried_above > 1:
        yield Suspicion(
            "inner-break",
            facts.row,
            f"after a move beyond the bound it tries {facts.tried_above - 1} more of its {moves} moves before it stops",
        )


def check_early_stops(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that skip children although their window is open."""
    number = facts.node.snapshot.number
    rows = [row for row, below in enumerate(search.program.children) if below and search.program.calls.function[row] == number]
    one_each = all(len(search.program.children[row]) == 1 for row in rows)
    if facts.stops_early and facts.children > 1:
        name = "wrong-bound-compared" if facts.window_decides else "returns-too-soon" if one_each else "cut-too-early"
        yield Suspicion(
            name,
            facts.row,
            f"for some scores it tries only {min(facts.rising.children, facts.falling.children)} of its {facts.children} "
            "moves, although the window is open",
            (bool(proof := find_missed_score(search, facts)) or one_each) and not _stops_at_wins_only(search, facts),
            proof=proof,
        )


def _stops_at_wins_only(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the node stops at every positive score and at no other: it may look for any win, not for the best."""
    window = search.open_window_for(facts)
    tried = {
        share: facts.node.run(answer_always(facts.child_score(share * facts.span)), window=window).children
        for share in (*LOSING_SHARES, *WINNING_SHARES)
    }
    return all(tried[share] == facts.children for share in LOSING_SHARES) and all(tried[share] == 1 for share in WINNING_SHARES)


def _stops_at_real_scores(search: SearchContext, facts: NodeFacts) -> bool:
    """Return True if the node also stops at a real score that is neither the best nor the worst."""
    between = [score for score in sorted(set(search.program.leaf_values))[1:-1] if abs(score) < 0.9 * search.program.span]
    return any(
        facts.node.run(answer_always(score), window=search.open_window_for(facts)).children < facts.children
        for score in between[:: max(1, len(between) // 12)]
    )


def check_repeated_calls(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that search the same move again. At a single node two moves may lead to the same position by chance."""
    if repeats_calls(facts):
        same = [other for other in search.facts if other.node.name == facts.node.name and other.children > 1]
        yield Suspicion(
            "searched-twice",
            facts.row,
            f"it has {facts.children} moves and makes {_count_most_calls(facts)} calls: the same move is searched again",
            certain=all(map(repeats_calls, same)) and (len(same) > 1 or not search.later),
            function=facts.node.name,
        )


def repeats_calls(facts: NodeFacts) -> bool:
    """Return True if a node makes every call twice, or a call again that depends on the scores."""
    if facts.children < 2:
        return False
    again = {}
    for outcome in (facts.direct, facts.rising, facts.falling):
        made = [(call.function, call.child, call.window, call.depth, call.side) for call in outcome.child_calls]
        again[len(made)] = len(made) - len(set(made))
    return all(times * 2 == calls for calls, times in again.items()) or (any(again.values()) and len(again) > 1)


def _count_most_calls(facts: NodeFacts) -> int:
    return max(len(outcome.child_calls) for outcome in (facts.direct, facts.rising, facts.falling))
