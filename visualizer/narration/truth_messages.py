"""Sentences about what is true of a position, beside what was believed."""

from collections.abc import Sequence
from typing import Any

from engine import SearchTree
from engine.games.capabilities import move_name, spoken_move
from engine.matches.game_review import TruthAfter
from engine.matches.match import Match, PositionTruth
from engine.solver.solver import Solution
from visualizer.narration.numbers import counted, number

NOTHING_BETTER = "and nothing is better"
HOW_SOON = "but how soon is not known"


def chosen_words(truth: str) -> str:
    """What is true of the best move of a solved position, from what it brings.

    >>> chosen_words("wins in 7"), chosen_words("draws"), chosen_words("wins")
    ('wins in 7, and nothing is better', 'draws, and nothing is better', 'wins, but how soon is not known')
    """
    return f"{truth}, {NOTHING_BETTER if ' in ' in truth or truth == 'draws' else HOW_SOON}"


def mistake_words(match: Match, after: TruthAfter) -> str:
    """Name a mistake, what it gave away, and the move that was right.

    >>> from engine import connect
    >>> from engine.matches.game_review import true_line
    >>> match = Match.read(connect(), "14602630260022134322040")
    >>> mistake_words(match, next(true_line(match, seconds=60)))
    '23. column 0? wins → loses; column 6 was right: MAX wins in 9, now loses in 6.'
    """
    played = spoken_move(match.game, move_name(match.game, after.move))
    better = _columns(match.game, after.best)
    was = "was" if len(after.best) == 1 else "were"
    given = f"{after.best_words.split()[0]} → {after.words.split()[0]}"
    side = after.side.upper()
    return f"{after.ply + 1}. {played}? {given}; {better} {was} right: {side} {after.best_words}, now {after.words}."


def review_words(played: int, line: Sequence[TruthAfter]) -> str:
    """Say how many of the judged moves of a game gave something away, and which moves were not judged.

    >>> review_words(14, [])
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


def position_words(truth: PositionTruth) -> str:
    """Say what a position comes to.

    >>> [position_words(PositionTruth(*truth)) for truth in ((3, 9, 12), (-1, None, 12), (0, None, 0), (-1, 0, 1))]
    ['MAX wins in 9 moves', 'MIN wins', 'a draw', 'MIN has won']
    """
    if not truth.winner:
        return "a draw"
    side = truth.winner.upper()
    if truth.moves == 0:
        return f"{side} has won"
    return f"{side} wins" if truth.moves is None else f"{side} wins in {counted(truth.moves, 'move')}"


def belief_words(tree: SearchTree, solution: Solution) -> str:
    """What a search believed, and what is true.

    >>> from engine import connect, search, solve
    >>> moves = "1460263026002213432204"
    >>> belief_words(search(connect(), moves, depth=2), solve(connect(), moves))
    'K=2 believes −1260 for column 3; in truth column 3 draws and only column 6 wins in 9.'
    """
    best = tree.root.best_child
    return "" if best is None else believed_words(tree.game, tree.K, tree.root.value, best.move, solution)


def believed_words(game: Any, K: int | None, value: float, move: int, solution: Solution) -> str:
    """The same of a search to K plies that gave a value and a move."""
    if move not in solution.columns or not solution.best_moves:
        return ""
    searcher = "A search to the end" if K is None else f"K={K}"
    verb = "finds" if K is None or solution.stand.cells - solution.stand.discs <= K else "believes"
    played = spoken_move(game, move_name(game, move))
    believed = f"{searcher} {verb} {'+' * (value > 0)}{number(value)} for {played}"
    true = f"in truth {played} {solution.column_words(move)}"
    if move in solution.best_moves:
        return f"{believed}; {true}, {HOW_SOON if solution.weak and solution.score else NOTHING_BETTER}."
    return f"{believed}; {true} and {_better_words(game, solution)}."


def _better_words(game: Any, solution: Solution) -> str:
    """What the best moves bring, beside a worse one. Only: no other move comes to the same end. Soonest or latest: others do."""
    best = solution.best_moves
    words = solution.column_words(best[0]) if len(best) == 1 else _plural(solution.column_words(best[0]))
    same_end = [move for move, score in solution.columns.items() if _outcome(score) == _outcome(solution.columns[best[0]])]
    if same_end != best:
        verb, _, moves = words.partition(" ")
        words = f"{verb} {'soonest' if solution.columns[best[0]] > 0 else 'latest'}, {moves}"
    return f"{'only ' if len(same_end) == 1 else ''}{_columns(game, best)} {words}"


def _outcome(score: int) -> int:
    """1: a win, 0: a draw, -1: a loss."""
    return (score > 0) - (score < 0)


def _columns(game: Any, moves: list[int]) -> str:
    names = [spoken_move(game, move_name(game, move)) for move in moves]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _plural(words: str) -> str:
    """
    >>> _plural("wins in 7"), _plural("draws"), _plural("loses in 2")
    ('win in 7', 'draw', 'lose in 2')
    """
    verb, _, rest = words.partition(" ")
    return f"{verb[:-1]} {rest}".strip()
