"""The trees of exercises: small, fresh, harder by difficulty."""

from collections.abc import Callable
from typing import Any

from engine.games.registry import read_game
from engine.learning.model import Exercise
from engine.learning.seeded_random import Lots
from engine.question import Question
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree

SHAPES = {  # by difficulty: options of a random tree, and the most nodes
    1: ({"branching": 3, "depth": 2, "low": 0, "high": 9}, 13),
    2: ({"branching": 2, "depth": 3, "low": -9, "high": 9}, 15),
    3: ({"branching": 3, "depth": 3, "low": -9, "high": 9, "ties": 20, "uneven": 30}, 26),
    4: ({"branching": 3, "depth": 3, "low": -20, "high": 20, "ties": 25, "uneven": 10}, 40),
    5: ({"branching": 3, "depth": 4, "low": -20, "high": 20, "ties": 25, "uneven": 35}, 45),
}
LEAST_NODES = {1: 13, 2: 15, 3: 14, 4: 26, 5: 28}
UNIFORM = {  # every node of a depth with as many children, and no value twice
    1: {"branching": 2, "depth": 2},
    2: {"branching": 3, "depth": 2},
    3: {"branching": 2, "depth": 3},
    4: {"branching": 2, "depth": 4},
    5: {"branching": 3, "depth": 3},
}
BOTH_RULES_FROM = 3  # difficulty: from here on the rule for cutoffs is drawn, too, and MIN may begin


def random_question(lots: Lots, difficulty: int, algorithm: str = "alphabeta") -> Question | None:
    """A fresh tree and how it is searched; None if it came out too small or too large."""
    shape, most = SHAPES[difficulty]
    first = "min" if difficulty >= BOTH_RULES_FROM and lots.chance(40) else "max"
    strict = difficulty >= BOTH_RULES_FROM and lots.chance(50)
    game = _game(lots, shape, first)
    question = Question(game, cut_on_equal=not strict).replace(algorithm=algorithm)
    chooses = len(game.moves(game.start())) > 1
    return question if chooses and LEAST_NODES[difficulty] <= _size(game) <= most else None


def uniform_question(lots: Lots, difficulty: int) -> Question:
    """A tree with the same number of children everywhere and no value twice, so that the cut rule makes no difference."""
    return Question(
        _game(lots, {**UNIFORM[difficulty], "low": 0, "high": 99}, lots.one_of(("max", "min")[: 1 + (difficulty > 2)]))
    )


def _game(lots: Lots, shape: dict[str, int], first: str) -> Any:
    options = {**shape, "seed": lots.below(1_000_000_000), "first": first}
    return read_game("random-tree:" + ",".join(f"{name}={value}" for name, value in options.items()))


def _size(game: Any) -> int:
    nodes, level = 0, [game.start()]
    while level:
        nodes += len(level)
        level = [game.play(state, move) for state in level for move in game.moves(state)]
    return nodes


def step_about(exercise: Exercise, row: int, entering: bool = False) -> int:
    """The step of the right search that settles a node of the whole tree: it enters it, it leaves it, or a cutoff skips it."""
    visited = exercise.visited
    trace = Trace(exercise.searched)
    if row in visited:
        return trace.enter(visited[row]) if entering else trace.leave(visited[row])
    return trace.leave(next(visited[above] for above in reversed(exercise.whole.path(row)) if above in visited))


def folded(exercise: Exercise, rule: Callable[[bool, list[float]], float]) -> dict[int, float]:
    """A value for every node: a leaf's own, and of others what the rule makes of who moves and of the values below."""
    whole = exercise.whole
    values: dict[int, float] = {}
    for row in reversed(range(len(whole))):
        node = whole[row]
        below = [values[child] for child in whole.child_rows(row)]
        values[row] = rule(node.maximizing, below) if below else node.value
    return values


def best(maximizing: bool, values: list[float]) -> float:
    """What minimax makes of the values below."""
    return max(values) if maximizing else min(values)


def inner_rows(tree: SearchTree) -> list[int]:
    """The rows that have others below."""
    return [row for row in range(len(tree)) if tree.child_rows(row)]
