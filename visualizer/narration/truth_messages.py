"""Sentences on the true value of a position, beside the value that a search believed."""

from collections.abc import Sequence
from typing import Any

from engine import SearchTree
from engine.games.capabilities import move_name, move_phrase
from engine.matches.game_review import ReviewedMove
from engine.matches.match import Match, PositionTruth
from engine.solver.solver import Solution
from visualizer.narration.numbers import format_count, format_number

NOTHING_BETTER = "and nothing is better"
UNKNOWN_DISTANCE = "but how soon is not known"


def describe_best_move(truth: str) -> str:
    """Describe the best move of a solved position, given its result.

    >>> describe_best_move("wins in 7"), describe_best_move("draws"), describe_best_move("wins")
    ('wins in 7, and nothing is better', 'draws, and nothing is better', 'wins, but how soon is not known')
    """
    return f"{truth}, {NOTHING_BETTER if ' in ' in truth or truth == 'draws' else UNKNOWN_DISTANCE}"


def describe_mistake(match: Match, after: ReviewedMove) -> str:
    """Describe a mistake: the move, its cost, and the right move.

    >>> from engine import connect
    >>> from engine.matches.game_review import review_moves
    >>> match = Match.read(connect(), "14602630260022134322040")
    >>> describe_mistake(match, next(review_moves(match, seconds=60)))
    '23. column 0? wins → loses; column 6 was right: MAX wins in 9, now loses in 6.'
    """
    played = move_phrase(match.game, move_name(match.game, after.move))
    better = _join_columns(match.game, after.best)
    was = "was" if len(after.best) == 1 else "were"
    given = f"{after.best_words.split()[0]} → {after.words.split()[0]}"
    side = after.side.upper()
    return f"{after.ply + 1}. {played}? {given}; {better} {was} right: {side} {after.best_words}, now {after.words}."


def summarize_review(played: int, line: Sequence[ReviewedMove]) -> str:
    """Summarize the review of a game: how many judged moves were mistakes, and which moves were not judged.

    >>> summarize_review(14, [])
    'No move was judged: no position of this game was solved in time.'
    """
    if not line:
        return "No move was judged: no position of this game was solved in time."
    mistakes = sum(after.mistake for after in line)
    judged = f"of the {len(line)} moves that were judged gave"
    said = f"{mistakes} {judged} something away." if mistakes else f"None {judged} anything away."
    if len(line) == 1:
        said = f"The only move that was judged gave {'something' if mistakes else 'nothing'} away."
    first = played - len(line)
    if first == 0:
        return said
    early = "Move 1 was" if first == 1 else f"Moves 1 to {first} were"
    return f"{said} {early} not judged: their positions were not solved in time."


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
    """Describe the belief of a search, and the truth.

    >>> from engine import connect, search, solve
    >>> moves = "1460263026002213432204"
    >>> describe_belief(search(connect(), moves, depth=2), solve(connect(), moves))
    'K=2 believes −1260 for column 3; in truth column 3 draws and only column 6 wins in 9.'
    """
    best = tree.root.best_child
    return "" if best is None else describe_believed_move(tree.game, tree.K, tree.root.value, best.move, solution)


def describe_believed_move(game: Any, K: int | None, value: float, move: int, solution: Solution) -> str:
    """Describe the belief of a search to K plies that gave a value and a move, and the truth."""
    if move not in solution.columns or not solution.best_moves:
        return ""
    searcher = "A search to the end" if K is None else f"K={K}"
    verb = "finds" if K is None or solution.stand.cells - solution.stand.discs <= K else "believes"
    played = move_phrase(game, move_name(game, move))
    believed = f"{searcher} {verb} {'+' * (value > 0)}{format_number(value)} for {played}"
    true = f"in truth {played} {solution.column_words(move)}"
    if move in solution.best_moves:
        return f"{believed}; {true}, {UNKNOWN_DISTANCE if solution.weak and solution.score else NOTHING_BETTER}."
    return f"{believed}; {true} and {_describe_better_moves(game, solution)}."


def _describe_better_moves(game: Any, solution: Solution) -> str:
    """Describe the best moves, beside a worse one.

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
    return f"{'only ' if len(same_end) == 1 else ''}{_join_columns(game, best)} {words}"


def _outcome_sign(score: int) -> int:
    """Return 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def _join_columns(game: Any, moves: list[int]) -> str:
    names = [move_phrase(game, move_name(game, move)) for move in moves]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _plural_verb(words: str) -> str:
    """Put the verb into the plural.

    >>> _plural_verb("wins in 7"), _plural_verb("draws"), _plural_verb("loses in 2")
    ('win in 7', 'draw', 'lose in 2')
    """
    verb, _, rest = words.partition(" ")
    return f"{verb[:-1]} {rest}".strip()
