"""Sentences that compare the exact result of a position with the estimate of a search."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine import SearchTree
from engine.games.capabilities import move_name, move_phrase, winning_length
from engine.matches.game_review import ReviewedMove
from engine.matches.match import Match, PositionTruth
from engine.matches.move_effects import find_effects
from engine.matches.move_marks import BLUNDER, MISTAKE, ONLY_MOVE
from engine.solver.solver import Solution
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.move_reasons import describe_effects, join_moves
from visualizer.narration.numbers import format_count, format_number

NOTHING_BETTER = "and no move is better"
UNKNOWN_DISTANCE = "but the number of moves is not known"


def describe_best_move(truth: str) -> str:
    """Describe the best move of a solved position, given its result.

    >>> describe_best_move("wins in 7"), describe_best_move("draws"), describe_best_move("wins")
    ('wins in 7, and no move is better', 'draws, and no move is better', 'wins, but the number of moves is not known')
    """
    return f"{truth}, {NOTHING_BETTER if ' in ' in truth or truth == 'draws' else UNKNOWN_DISTANCE}"


def describe_mistake(match: Match, after: ReviewedMove) -> str:
    """Describe a mistake: the move, its cost, and the right move.

    >>> from engine import connect, tictactoe
    >>> from engine.matches.game_review import review_moves
    >>> match = Match.read(connect(), "14602630260022134322040")
    >>> describe_mistake(match, next(review_moves(match, seconds=60)))
    '23. column 0?? wins → loses; column 6 was right: MAX wins in 9, now loses in 6.'
    >>> match = Match.read(tictactoe(), "01")
    >>> describe_mistake(match, next(review_moves(match, seconds=60)))
    '2. square 1?? draws → loses for MIN; square 4 was right.'
    """
    played = move_phrase(match.game, move_name(match.game, after.move))
    better = join_moves(match.game, after.best)
    was = "was" if len(after.best) == 1 else "were"
    change = f"{after.best_words.split()[0]} → {after.words.split()[0]}"
    side = after.side.upper()
    if " in " not in after.best_words + after.words:  # only the winner is known
        return f"{after.ply + 1}. {played}?? {change} for {side}; {better} {was} right."
    return f"{after.ply + 1}. {played}?? {change}; {better} {was} right: {side} {after.best_words}, now {after.words}."


def describe_reviewed_move(match: Match, after: ReviewedMove) -> str:
    """Describe a move of a reviewed game: its result, its mark, and the better move.

    >>> from engine import connect
    >>> from engine.matches.game_review import review_moves
    >>> match = Match.read(connect(rows=4, cols=4, connect=3), "31301332")
    >>> for after in sorted(review_moves(match))[-3:]:
    ...     print(describe_reviewed_move(match, after))
    6. column 3: MIN wins in 2; column 2 wins sooner, in 1.
    7. column 3: MAX loses in 1, and no move is better.
    8. column 2: MIN wins in 1, and no move is better.
    """
    if after.mistake:
        return describe_mistake(match, after)
    played = f"{after.ply + 1}. {move_phrase(match.game, move_name(match.game, after.move))}{after.mark}"
    side = after.side.upper()
    if not (after.words and after.best_words):
        return f"{played}: {_describe_open_move(match, after)}."
    if after.mark == ONLY_MOVE:
        return f"{played} {side} {after.words}: no other move {'wins' if after.words.startswith('wins') else 'draws'}."
    if after.move in after.best:
        return f"{played}: {side} {after.words}, and no move is better."
    sooner = "sooner" if after.words.startswith("wins") else "later"
    verb, _, moves = after.best_words.partition(" ")
    verb = verb if len(after.best) == 1 else verb[:-1]
    return f"{played}: {side} {after.words}; {join_moves(match.game, after.best)} {verb} {sooner}, {moves}."


def _describe_open_move(match: Match, after: ReviewedMove) -> str:
    """Describe a move if its result is open, or that of the best move is."""
    side, soon = after.side.upper(), f"in {format_count(after.moves_ahead, 'move')} or fewer"
    if after.words:
        return f"{side} {after.words}; with {join_moves(match.game, after.best)} it does not lose {soon}"
    if after.best_words:
        verb, _, moves = after.best_words.partition(" ")
        verb = verb if len(after.best) == 1 else verb[:-1]
        return f"{side} cannot force a win {soon}; {join_moves(match.game, after.best)} {verb} {moves}"
    return f"nobody can force a win {soon}"


def explain_reviewed_move(match: Match, after: ReviewedMove, following: ReviewedMove | None, you: str = "") -> list[str]:
    """Return the reasons for a move's result: the effects of the move, of the best answer, and of the better move.

    `following` is the review of the next move: its best moves are the best answers.
    """
    before = replace(match, moves=match.moves[: after.ply])
    reasons = _say_effects(before, after.move, after.side, you)
    seen = after.words in ("wins in 1", "loses in 1")
    has_answer = following is not None and following.ply == after.ply + 1 and following.best_words != ""
    if following is not None and has_answer and after.mark in (BLUNDER, MISTAKE) and not seen:
        then = before.play(after.move)
        if answers := _say_effects(then, following.best[0], following.side, you):
            played = move_phrase(match.game, move_name(match.game, following.best[0]))
            reasons.append(f"The best answer is {played}. {' '.join(answers)}")
    has_better = after.move not in after.best and (after.best_words or len(after.best) == 1)
    if has_better and (better := _say_effects(before, after.best[0], after.side, you)):
        reasons.append(f"The better move is {join_moves(match.game, after.best[:1])}. {' '.join(better)}")
    if reasons or not after.words:
        return reasons
    result = f"with best play {after.side.upper()} {after.words}."
    return [capitalize_first(result) if winning_length(match.game) is None else f"No line decides it soon: {result}"]


def _say_effects(match: Match, move: int, side: str, you: str) -> list[str]:
    effects = find_effects(match.game, match.state, move)
    return [] if effects is None else describe_effects(match.game, effects, side, you)


def summarize_review(played: int, reviewed: Sequence[ReviewedMove]) -> str:
    """Summarize the review of a game: how many moves were mistakes, how the first moves were judged, and which were not.

    >>> summarize_review(14, [])
    'No move was judged: no position of this game was solved in time.'
    """
    exact, early = [after for after in reviewed if not after.moves_ahead], [after for after in reviewed if after.moves_ahead]
    if not reviewed:
        return "No move was judged: no position of this game was solved in time."
    missing = played - len(reviewed)
    return " ".join(filter(None, (_summarize_exact(exact), _summarize_early(early), _summarize_missing(missing))))


def _summarize_exact(exact: Sequence[ReviewedMove]) -> str:
    if not exact:
        return ""
    mistakes, slow = sum(after.mistake for after in exact), sum(after.mark == MISTAKE for after in exact)
    count = format_count(len(exact), "judged move")
    verdict = f"Of {count}, {mistakes or 'none'} gave away a win or a draw"
    if len(exact) == 1:
        verdict = f"The only judged move gave {'a win or a draw' if mistakes else 'nothing'} away"
    return f"{verdict}, {slow} made a win come later or a loss sooner." if slow else f"{verdict}."


def _summarize_early(early: Sequence[ReviewedMove]) -> str:
    if not early:
        return ""
    first, last = early[0].ply + 1, early[-1].ply + 1
    wrong = sum(after.mark in (BLUNDER, MISTAKE) for after in early)
    which = f"Move {first} takes" if first == last else f"Moves {first} to {last} take"
    found = f"{wrong or 'no'} missed or allowed win{'' if wrong == 1 else 's'}"
    return f"{which} too long to solve: a search with K={2 * early[0].moves_ahead} finds {found}."


def _summarize_missing(missing: int) -> str:
    if not missing:
        return ""
    if missing == 1:
        return "Move 1 was not judged: its position was not solved in time."
    return f"Moves 1 to {missing} were not judged: their positions were not solved in time."


def describe_outcome(truth: PositionTruth) -> str:
    """Describe the outcome of a position.

    >>> [describe_outcome(PositionTruth(*truth)) for truth in ((3, 9, 12), (-1, None, 12), (0, None, 0), (-1, 0, 1))]
    ['MAX wins in 9 moves', 'MIN wins', 'a draw', 'MIN has won']
    """
    if not truth.winner:
        return "a draw"
    side = truth.winner.upper()
    if truth.moves == 0:
        return f"{side} has won"
    return f"{side} wins" if truth.moves is None else f"{side} wins in {format_count(truth.moves, 'move')}"


def describe_belief(tree: SearchTree, solution: Solution) -> str:
    """Compare the estimate of a search with the exact result.

    >>> from engine import connect, search, solve
    >>> moves = "1460263026002213432204"
    >>> describe_belief(search(connect(), moves, depth=2), solve(connect(), moves))
    'K=2 estimates −1260 for column 3; in fact column 3 draws and only column 6 wins in 9.'
    """
    best = tree.root.best_child
    return "" if best is None else describe_believed_move(tree.game, tree.K, tree.root.value, best.move, solution)


def describe_believed_move(game: Any, K: int | None, value: float, move: int, solution: Solution) -> str:
    """Compare the value and move of a search to K plies with the exact result."""
    if move not in solution.columns or not solution.best_moves:
        return ""
    searcher = "A search to the end" if K is None else f"K={K}"
    verb = "finds" if K is None or solution.disc_count.cells - solution.disc_count.discs <= K else "estimates"
    played = move_phrase(game, move_name(game, move))
    believed = f"{searcher} {verb} {'+' * (value > 0)}{format_number(value)} for {played}"
    true = f"in fact {played} {solution.column_words(move)}"
    if move in solution.best_moves:
        return f"{believed}; {true}, {UNKNOWN_DISTANCE if solution.weak and solution.score else NOTHING_BETTER}."
    return f"{believed}; {true} and {_describe_better_moves(game, solution)}."


def _describe_better_moves(game: Any, solution: Solution) -> str:
    """Describe the best moves, next to a worse one.

    "only": no other move has the same outcome. "soonest" or "latest": others have.
    """
    best = solution.best_moves
    words = solution.column_words(best[0]) if len(best) == 1 else _plural_verb(solution.column_words(best[0]))
    same_end = [
        move for move, score in solution.columns.items() if _outcome_sign(score) == _outcome_sign(solution.columns[best[0]])
    ]
    if same_end != best:
        verb, _, moves = words.partition(" ")
        words = f"{verb} {'soonest' if solution.columns[best[0]] > 0 else 'latest'}, {moves}"
    return f"{'only ' if len(same_end) == 1 else ''}{join_moves(game, best)} {words}"


def _outcome_sign(score: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def _plural_verb(words: str) -> str:
    """Put the verb into the plural.

    >>> _plural_verb("wins in 7"), _plural_verb("draws"), _plural_verb("loses in 2")
    ('win in 7', 'draw', 'lose in 2')
    """
    verb, _, rest = words.partition(" ")
    return f"{verb[:-1]} {rest}".strip()
