"""Sentences about what is true of a position, beside what was believed."""

from typing import Any

from engine import SearchTree
from engine.games.declarations import move_name, spoken_move
from engine.matches.match import Match
from engine.matches.true_line import TruthAfter
from engine.solver.solving import Solution
from visualizer.text.numbers import number

NOTHING_BETTER = "and nothing is better"
HOW_SOON = "but how soon is not known"


def chosen_words(truth: str) -> str:
    """What is true of the best move of a solved position, from what it brings.

    >>> chosen_words("wins in 7"), chosen_words("draws"), chosen_words("wins")
    ('wins in 7, and nothing is better', 'draws, and nothing is better', 'wins, but how soon is not known')
    """
    return f"{truth}, {NOTHING_BETTER if ' in ' in truth or truth == 'draws' else HOW_SOON}"


def mistake_words(match: Match, after: TruthAfter) -> str:
    """
    >>> from engine import connect
    >>> from engine.matches.true_line import true_line
    >>> match = Match.read(connect(), "14602630260022134322040")
    >>> mistake_words(match, next(true_line(match, seconds=60)))
    'Move 23: MAX plays column 0, which loses in 6; column 6 wins in 9.'
    """
    played = spoken_move(match.game, move_name(match.game, after.move))
    better = _columns(match.game, after.best)
    verb = after.best_words if len(after.best) == 1 else _plural(after.best_words)
    return f"Move {after.ply + 1}: {after.side.upper()} plays {played}, which {after.words}; {better} {verb}."


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
