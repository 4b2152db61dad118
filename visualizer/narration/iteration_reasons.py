"""Reasons for the move of a search in iterations: the visits and the mean of each move, and the rule that chooses one."""

from collections.abc import Iterator

from engine.algorithms import find_algorithm
from engine.algorithms.monte_carlo.options import ITERATIONS
from engine.games.capabilities import move_phrase
from engine.tree.node import Node
from engine.tree.tree import SearchTree
from visualizer.narration.numbers import format_count
from visualizer.narration.player_messages import describe_option

MIN_MEAN_DIGITS, MAX_MEAN_DIGITS = 2, 12  # after the point
PROOFS = {1: "a proven win", -1: "a proven loss"}


def explain_visits(tree: SearchTree) -> Iterator[str]:
    """Yield the size of a search in iterations, each move of the root, the most visited one first, and the rule of the choice.

    >>> from engine import search, tictactoe
    >>> print(*explain_visits(search(tictactoe(), "041852", algorithm="mcts", iterations=60)), sep="\\n")
    It ran 60 iterations of MCTS (c = 1.4).
      square 6: 39 of 60 visits, mean 0.62.
      square 3: 11 of 60 visits, mean 0.18.
      square 7: 10 of 60 visits, mean 0.15.
    It plays square 6, the most visited move. Means are for MAX, from 0 (worst) to 1 (best).
    """
    algorithm = find_algorithm(tree.algorithm)
    settings = dict(tree.question.settings)
    chosen = [
        words
        for option in algorithm.options
        if option.name != ITERATIONS.name and (words := describe_option(option, settings[option.name]))
    ]
    yield f"It ran {format_count(tree.iterations, 'iteration')} of {algorithm.title} ({', '.join(chosen)})."
    moves = sorted(tree.root.children, key=lambda child: -child.visits)
    digits = _find_digits([child.mean for child in moves if child.visits])
    for child in moves:
        yield f"  {describe_visits(child, digits)}"
    yield _describe_rule(tree, moves)


def describe_visits(child: Node, digits: int = MIN_MEAN_DIGITS) -> str:
    """Describe the visits, the mean and the proof of a move of the root, for the side that makes it."""
    tree, name = child.tree, move_phrase(child.tree.game, child.move_name)
    mean = f", mean {child.mean:.{digits}f}" if child.visits else ""
    proof = PROOFS.get(_proof_for_mover(child), "")
    return f"{name}: {child.visits:,} of {tree.iterations:,} visits{mean}{proof and f', {proof}'}."


def _describe_rule(tree: SearchTree, moves: list[Node]) -> str:
    """Describe why the best move of the root is the best."""
    best = next(child for child in moves if child.move == tree.root.best_move)
    side, name = tree.root.turn.upper(), move_phrase(tree.game, best.move_name)
    if _proof_for_mover(best) == 1:
        return f"It plays {name}, which is proved to win for {side}."
    means = f"Means are for {side}, from 0 (worst) to 1 (best)."
    rivals = [child for child in moves if child.visits >= best.visits and child != best]
    if any(_proof_for_mover(child) < _proof_for_mover(best) for child in rivals):
        return f"It plays {name}, the most visited move that is not a proven loss. {means}"
    if rivals:
        return f"It plays {name}: no move has more visits, and it was added first. {means}"
    return f"It plays {name}, the most visited move. {means}"


def _proof_for_mover(child: Node) -> int:
    """Return 1 if a move is proved to win for the side that makes it, -1 if it is proved to lose, 0 if neither is."""
    if not len(child.tree.columns.proven):
        return 0
    return child.proven if child.parent.turn == "max" else -child.proven


def _find_digits(means: list[float]) -> int:
    """Return the number of digits with which means that differ look different."""
    different = len(set(means))
    enough = (
        digits for digits in range(MIN_MEAN_DIGITS, MAX_MEAN_DIGITS) if len({f"{mean:.{digits}f}" for mean in means}) == different
    )
    return next(enough, MAX_MEAN_DIGITS)
