"""The marks of a reviewed game, as chess players write them: ?? and ? for mistakes, ! for the only good move.

These are the only rules: pages and commands show `MARK_RULES` and `EARLY_RULE`, and ask `find_mark`.
"""

from collections.abc import Mapping

from engine.matches.move_effects import MoveEffects
from engine.solver.scores import DiscCount, moves_to_end

BLUNDER, MISTAKE, ONLY_MOVE, NO_MARK = "??", "?", "!", ""
SLOW_MOVES = 3  # moves by which a win must come later, or a loss sooner, to earn a ?
MARK_RULES = {
    BLUNDER: "gives away a win, or turns a draw into a loss",
    MISTAKE: f"same result, but the win comes {SLOW_MOVES} or more moves later than needed, or the loss that much sooner",
    ONLY_MOVE: "the only move that keeps the win or the draw, and not an obvious one: it neither completes a line nor stops one",
}
EARLY_RULE = (
    f"The first moves of a game take too long to solve. There, `{MISTAKE}` is a move that misses or allows a win which comes "
    f"{SLOW_MOVES} or more moves sooner than after another move."
)


def find_mark(scores: Mapping[int, int], move: int, disc_count: DiscCount, effects: MoveEffects | None) -> str:
    """Return the mark of a move, given the exact score of every move for the side to move.

    >>> count = DiscCount(42, 11, 11)
    >>> [find_mark({0: 5, 1: 4, 2: 2, 3: 0, 4: -1}, move, count, None) for move in range(5)]
    ['', '', '?', '??', '??']
    >>> find_mark({0: 0, 1: -3}, 0, count, None), find_mark({0: 0}, 0, count, None)
    ('!', '')
    """
    score, best = scores[move], max(scores.values())
    if sign_of(score) < sign_of(best):
        return BLUNDER
    if score and abs(moves_to_end(score, disc_count) - moves_to_end(best, disc_count)) >= SLOW_MOVES:
        return MISTAKE
    return find_result_mark(scores, move, effects)


def find_early_mark(scores: Mapping[int, int], move: int, disc_count: DiscCount, moves_ahead: int) -> str:
    """Return the mark of a move if only wins within `moves_ahead` moves are known, and 0 stands for anything else.

    >>> count = DiscCount(42, 3, 3)
    >>> [find_early_mark({0: 18, 1: 14, 2: 0, 3: -17}, move, count, 5) for move in range(4)]
    ['', '?', '?', '??']
    >>> find_early_mark({0: 0, 1: -18}, 1, count, 5), find_early_mark({0: 0, 1: -15}, 1, count, 5)
    ('?', '')
    """
    score, best = scores[move], max(scores.values())
    if score < 0 < best:
        return BLUNDER
    ends = [moves_to_end(each, disc_count) if each else moves_ahead + 1 for each in (score, best)]
    return MISTAKE if abs(ends[0] - ends[1]) >= SLOW_MOVES else NO_MARK


def find_result_mark(scores: Mapping[int, int], move: int, effects: MoveEffects | None) -> str:
    """Return the mark of a move if only the winner is known: no move is a mistake because it is slow.

    >>> [find_result_mark({0: 0, 1: -1, 2: -1}, move, None) for move in range(3)]
    ['!', '??', '??']
    """
    score, best = scores[move], max(scores.values())
    if sign_of(score) < sign_of(best):
        return BLUNDER
    obvious = effects is not None and (effects.completes or effects.stops)
    others = [other for column, other in scores.items() if column != move]
    if score >= 0 and others and all(sign_of(other) < sign_of(score) for other in others) and not obvious:
        return ONLY_MOVE
    return NO_MARK


def sign_of(score: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)
