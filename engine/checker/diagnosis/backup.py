"""Check the score that a node returns: the best of the calls below, or something else."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from engine.checker.diagnosis.black_box import answer_always
from engine.checker.diagnosis.context import MAX_COMPARED_ROWS, SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_number
from engine.checker.diagnosis.node_facts import LAST_CHILD, MAX, MIN, MIXED_FOLD, NodeFacts
from engine.checker.discovery import source_analysis

MIN_AGREEING_SHARE = 0.7  # of the compared calls
MIN_PATTERN_CALLS = 3  # calls that make a pattern
UNCOMPARABLE_WINDOWS = ((math.nan, math.nan), (-math.inf, math.inf), (math.inf, -math.inf))  # one lets a wrong test pass


def check_returned_score(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that do not return the best score."""
    if facts.fold == LAST_CHILD and facts.children > 1:
        yield Suspicion(
            "returns-last-child",
            facts.row,
            "tested with other scores for its moves, it returned the last score every time, not the best one",
            proof=facts.describe_tests(),
        )
    if facts.fold == MIXED_FOLD:
        return
    if not facts.known:
        yield from _check_ignored_scores(search, facts)
    elif facts.start is not None and not _is_win_without_call(search, facts, facts.start):
        yield Suspicion(
            "starts-at-zero",
            facts.row,
            f"if every move scores {format_number(facts.start_below)}, it returns "
            f"{format_number(facts.start)}, which is better than any of them",
            proof=f"with the score {format_number(facts.start_below)} for every move it returns {format_number(facts.start)}, "
            f"and with {format_number(0.98 * (facts.start_below or 0.0))} too",
        )


def _is_win_without_call(search: SearchContext, facts: NodeFacts, score: float) -> bool:
    """Return True if the loop over the moves returns this number itself: a move that wins at once needs no call."""
    function = search.program.functions.get(facts.node.name)
    world = facts.node.snapshot.world
    return function is not None and score in source_analysis.find_returned_constants(function, world, in_loops=True)


def _check_ignored_scores(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield nodes that return the same number regardless of the scores of their moves."""
    values = {facts.rising.value, facts.falling.value, facts.direct.value}
    if values & set(search.program.leaf_values):
        return  # it may have seen a win
    if facts.children > 1 and len(values) == 1 and None not in values and not facts.stops_early:
        yield Suspicion(
            "sides-swapped",
            facts.row,
            f"it returns {format_number(values.pop())} whatever its moves score: no score is better than its starting value",
            certain=False,
        )


def check_recorded_scores(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that return the score of their last move although an earlier one was better: the loop was left there."""
    folds = {} if search.negamax else search.known_folds()
    program = search.program
    rows = [row for row in range(min(len(program.calls), MAX_COMPARED_ROWS)) if len(program.children[row]) > 1]
    agreeing, odd = 0, []
    for row in rows:
        fold, value = folds.get(search.key(row)), program.values[row]
        scores = [program.values[child] for child in program.children[row]]
        if fold is None or value is None or None in scores:
            continue
        best, worst = (max(scores), min(scores)) if fold == MAX else (min(scores), max(scores))
        agreeing += value == best
        is_side_known = search.has_explicit_sides or value != worst  # else the other side may be to move
        if value == scores[-1] != best and is_side_known and value not in (program.window(row) or ()):
            odd.append((row, scores[-1], best))
    if agreeing >= MIN_AGREEING_SHARE * (agreeing + len(odd)):
        for row, value, best in odd:
            yield Suspicion(
                "cut-too-early",
                row,
                f"it returns {format_number(value)}, the score of the last move it tried, although an earlier move "
                f"scored {format_number(best)}",
            )


def check_recorded_sides(search: SearchContext) -> Iterator[Suspicion]:
    """Yield calls that took the worst score for their side, although tests of the same function and side take the best one.

    Then the function chooses differently for some scores, or as soon as it is tested.
    """
    if not search.has_explicit_sides or search.negamax:
        return
    program, folds = search.program, search.known_folds()
    best_taken: Counter[Any] = Counter()
    worst_taken: dict[Any, list[Suspicion]] = defaultdict(list)
    for row in range(min(len(program.calls), MAX_COMPARED_ROWS)):
        key, value = search.key(row), program.values[row]
        scores = [program.values[child] for child in program.children[row]]
        if len(set(scores)) < 2 or None in scores or folds.get(key) not in (MAX, MIN) or value in (program.window(row) or ()):
            continue
        best, worst, word = (max(scores), min(scores), "largest") if folds[key] == MAX else (min(scores), max(scores), "smallest")
        best_taken[key] += value == best
        if value == worst:
            numbers = f"it returns {format_number(worst)}, although a move scored {format_number(best)}"
            sentence = f"{numbers}; tested with other scores it takes the {word} one"
            worst_taken[key].append(Suspicion("sides-swapped", row, sentence, certain=False))
    for key, found in worst_taken.items():
        if len(found) >= MIN_PATTERN_CALLS and len(found) > best_taken[key]:
            yield from found


def check_single_children(search: SearchContext) -> Iterator[Suspicion]:
    """Yield functions that try only their first move, in every call, or in every call of one side or every other level."""
    program = search.program
    inner = [row for row, below in enumerate(program.children) if below and program.values[row] is not None]  # not broken off
    plain = [watched.name.rpartition(".")[2] for watched in search.program.calls.functions]
    for key in dict.fromkeys(search.key(row) for row in inner):
        rows = [row for row in inner if search.key(row) == key]
        name = search.program.row_function(rows[0])
        tested = [facts for facts in search.nodes if search.key(facts.row) == key]
        tried = [*(facts.children for facts in tested), *(len(search.program.children[row]) for row in rows)]
        if not tested or max(tried) > 1:
            continue
        function = search.program.functions.get(name)
        at_once = function is not None and source_analysis.leaves_loop_after_call(function, plain)
        if at_once or (len(rows) >= MIN_PATTERN_CALLS and any(map(_has_more_moves, tested))):
            side = search.program.roles[key[0]].side
            words = "every call of this kind tries" if key[1] is None else f"every call with {side} = {key[1]!r} tries"
            mistake = "returns-too-soon" if at_once or not search.program.has_windows else "cut-too-early"
            yield Suspicion(mistake, tested[0].row, f"{words} only its first move", certain=at_once, function=name)


def _has_more_moves(facts: NodeFacts) -> bool:
    """Return True if a call that tries one move has more: no comparison with NaN is true, so none of them ends its loop."""
    answers = answer_always(math.nan)
    return any(facts.node.run(answers, window=window).children > 1 for window in (None, *UNCOMPARABLE_WINDOWS))
