"""The moves of the outermost call searched one by one with an open window: whether the one that was chosen is the best."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from engine.checker.diagnosis.black_box import Reaction, always, without
from engine.checker.diagnosis.context import Examined
from engine.checker.diagnosis.node_facts import Facts
from engine.checker.recording.call_recorder import NOTHING
from engine.checker.recording.later_positions import aside, value_of_call

MOST_MOVES = 40
MOST_ROWS = 20_000  # of all moves together


class Chosen(NamedTuple):
    """The move of the outermost call, its full score and the best one."""

    move: Any
    score: float
    best: float
    is_best: bool


def chosen_move(search: Examined, facts: Facts) -> Chosen | None:
    """None where the move, or a score, is not known. The answer rests on the program's own search below the first moves."""
    if not facts.known or not facts.node.is_outermost or len(facts.moves) != facts.children or facts.children > MOST_MOVES:
        return None
    moves = list(map(repr, facts.moves))
    move = _played(search, facts)
    if len(set(moves)) < len(moves) or repr(move) not in moves:
        return None
    scores = _full_scores(search, facts)
    if scores is None:
        return None
    liked = [facts.sign * (-score if facts.negated else score) for score in scores]
    place = moves.index(repr(move))
    best = max(range(len(liked)), key=liked.__getitem__)
    return Chosen(move, scores[place], scores[best], liked[place] >= liked[best] - 1e-9 * max(1.0, abs(liked[best])))


def _played(search: Examined, facts: Facts) -> Any:
    """What the program returned for the move when it was run."""
    calls = search.program.calls
    if not facts.node.kept.is_root:
        return without(calls.results[facts.row], search.program.score.keys)
    run = calls.runs[facts.node.kept.number]
    return None if run.end == NOTHING else facts.move_in(Reaction(result=run.result))


def _full_scores(search: Examined, facts: Facts) -> Sequence[float] | None:
    """The score of each move; None where one cannot be found."""
    window = search.given_open(facts)
    scores = []
    for child in range(facts.children):
        kept = facts.node.run(always(0.0), window=window, keeps=partial(int.__eq__, child)).kept
        if kept is None:
            return None
        with aside(search.program.calls, MOST_ROWS // facts.children):
            score = value_of_call(search.program, kept, search.open_window())
        if score is None:
            return None
        scores.append(score)
    return scores
