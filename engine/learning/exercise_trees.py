"""The random trees of exercises: small, and harder by difficulty."""

from collections.abc import Callable
from typing import Any

from engine.games.registry import read_game
from engine.learning.model import Exercise
from engine.learning.seeded_random import SeededRandom
from engine.question import Question
from engine.tree.tree import SearchTree

TREE_SHAPES = {  # by difficulty: options of a random tree, and the maximum number of nodes
    1: ({"branching": 3, "depth": 2, "low": 0, "high": 9}, 13),
    2: ({"branching": 2, "depth": 3, "low": -9, "high": 9}, 15),
    3: ({"branching": 3, "depth": 3, "low": -9, "high": 9, "ties": 20, "uneven": 30}, 26),
    4: ({"branching": 3, "depth": 3, "low": -20, "high": 20, "ties": 25, "uneven": 10}, 40),
    5: ({"branching": 3, "depth": 4, "low": -20, "high": 20, "ties": 25, "uneven": 35}, 45),
}
MIN_NODES = {1: 13, 2: 15, 3: 14, 4: 26, 5: 28}
UNIFORM_SHAPES = {  # all nodes at a depth have the same number of children, and no value occurs twice
    1: {"branching": 2, "depth": 2},
    2: {"branching": 3, "depth": 2},
    3: {"branching": 2, "depth": 3},
    4: {"branching": 2, "depth": 4},
    5: {"branching": 3, "depth": 3},
}
MIN_VARIED_RULES_DIFFICULTY = 3  # from here on the rule for cutoffs and the side to move are drawn, too


def draw_question(rng: SeededRandom, difficulty: int, algorithm: str = "alphabeta") -> Question | None:
    """Draw a random tree and how it is searched. Return None if it came out too small or too large."""
    shape, max_nodes = TREE_SHAPES[difficulty]
    first = "min" if difficulty >= MIN_VARIED_RULES_DIFFICULTY and rng.draw_chance(40) else "max"
    strict = difficulty >= MIN_VARIED_RULES_DIFFICULTY and rng.draw_chance(50)
    game = _draw_game(rng, shape, first)
    question = Question(game, cut_on_equal=not strict).replace(algorithm=algorithm)
    has_choice = len(game.moves(game.start())) > 1
    return question if has_choice and MIN_NODES[difficulty] <= _count_nodes(game) <= max_nodes else None


def draw_uniform_question(rng: SeededRandom, difficulty: int) -> Question:
    """Draw a tree with the same number of children everywhere and no value twice.

    The rule for cutoffs at equal values does not matter in such a tree.
    """
    first = rng.choose_one(("max", "min") if difficulty > 2 else ("max",))
    return Question(_draw_game(rng, {**UNIFORM_SHAPES[difficulty], "low": 0, "high": 99}, first))


def _draw_game(rng: SeededRandom, shape: dict[str, int], first: str) -> Any:
    options = {**shape, "seed": rng.draw_below(1_000_000_000), "first": first}
    return read_game("random-tree:" + ",".join(f"{name}={value}" for name, value in options.items()))


def _count_nodes(game: Any) -> int:
    nodes, level = 0, [game.start()]
    while level:
        nodes += len(level)
        level = [game.play(state, move) for state in level for move in game.moves(state)]
    return nodes


def find_deciding_step(exercise: Exercise, row: int, entering: bool = False) -> int:
    """Return the step of the right search that decides about a node of the full tree.

    The step enters the node (or leaves it), or it is the cutoff that skips the node.
    """
    visited = exercise.visited_rows
    trace = exercise.search_tree.timeline
    if row in visited:
        return trace.enter(visited[row]) if entering else trace.leave(visited[row])
    return trace.leave(next(visited[above] for above in reversed(exercise.full_tree.path(row)) if above in visited))


def back_up_values(exercise: Exercise, rule: Callable[[bool, list[float]], float]) -> dict[int, float]:
    """Return a value for every row: leaves have their own, and `rule(maximizing, child_values)` gives the others."""
    tree = exercise.full_tree
    values: dict[int, float] = {}
    for row in reversed(range(len(tree))):
        child_values = [values[child] for child in tree.child_rows(row)]
        values[row] = rule(tree[row].maximizing, child_values) if child_values else tree[row].value
    return values


def minimax_value(maximizing: bool, values: list[float]) -> float:
    """Return the minimax value of a node with these child values."""
    return max(values) if maximizing else min(values)


def inner_rows(tree: SearchTree) -> list[int]:
    """Return the rows that have children."""
    return [row for row in range(len(tree)) if tree.child_rows(row)]
