"""Search the moves of the outermost call one by one with an open window: is the chosen move the best?"""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from engine.checker.diagnosis.black_box import ProbeResult, answer_always, remove_score
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import format_number
from engine.checker.diagnosis.node_facts import NodeFacts
from engine.checker.recording.call_recorder import NO_ROW
from engine.checker.recording.later_positions import search_call_value

MAX_MOVES = 40
MAX_ROWS = 20_000  # of all moves together


class RootChoice(NamedTuple):
    """The move of the outermost call, its full score and the best one."""

    move: Any
    score: float
    best: float
    is_best: bool


def check_chosen_move(search: SearchContext, facts: NodeFacts) -> RootChoice | None:
    """Compare the chosen move with the best one. Return None if the move or a score is not known.

    The answer rests on the program's own search below the first moves.
    """
    if not facts.known or not facts.node.is_outermost or len(facts.moves) != facts.children or facts.children > MAX_MOVES:
        return None
    moves = list(map(repr, facts.moves))
    move = _played_move(search, facts)
    if len(set(moves)) < len(moves) or repr(move) not in moves:
        return None
    scores = search_full_scores(search, facts)
    if scores is None:
        return None
    liked = [facts.sign * (-score if facts.negated else score) for score in scores]
    place = moves.index(repr(move))
    best = max(range(len(liked)), key=liked.__getitem__)
    return RootChoice(move, scores[place], scores[best], liked[place] >= liked[best] - 1e-9 * max(1.0, abs(liked[best])))


def _played_move(search: SearchContext, facts: NodeFacts) -> Any:
    """Return the move that the program returned when it was run."""
    calls = search.program.calls
    if not facts.node.snapshot.is_root:
        return remove_score(calls.results[facts.row], search.program.score.keys)
    run = calls.runs[facts.node.snapshot.number]
    return None if run.end == NO_ROW else facts.move_in_result(ProbeResult(result=run.result))


def find_missed_score(search: SearchContext, facts: NodeFacts) -> str:
    """Search a node and its moves one by one, with open windows. Return a sentence if the node misses the best, else ""."""
    if not facts.known or facts.node.snapshot.is_root or facts.children > MAX_MOVES:
        return ""
    scores = search_full_scores(search, facts)
    value = search_call_value(search.program, facts.node.snapshot, search.open_window(), MAX_ROWS)
    if scores is None or value is None:
        return ""
    liked = [facts.sign * (-score if facts.negated else score) for score in scores]
    if facts.sign * value >= max(liked) - 1e-9 * max(1.0, abs(max(liked))):
        return ""
    best = scores[liked.index(max(liked))]
    return f"searched one by one, the best of its moves scores {format_number(best)}, but the call returns {format_number(value)}"


def search_full_scores(search: SearchContext, facts: NodeFacts) -> Sequence[float] | None:
    """Return the score of each move, or None if one cannot be found."""
    window = search.open_window_for(facts)
    scores = []
    for child in range(facts.children):
        snapshot = facts.node.run(answer_always(0.0), window=window, should_copy=partial(int.__eq__, child)).snapshot
        if snapshot is None:
            return None
        score = search_call_value(search.program, snapshot, search.open_window(), MAX_ROWS // facts.children)
        if score is None:
            return None
        scores.append(score)
    return scores
