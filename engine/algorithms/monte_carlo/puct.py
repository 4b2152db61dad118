"""Monte-Carlo tree search with PUCT (Rosin 2011, as in AlphaZero): each move has a prior, which guides the selection."""

from collections.abc import Mapping
from math import sqrt
from typing import Any

from engine.algorithms.monte_carlo.options import ITERATIONS, OUTCOME_LINES, PLAYOUT, PUCT_C, SCALE, SEED
from engine.algorithms.monte_carlo.outcomes import simulate
from engine.algorithms.spec import ITERATIVE_KERNEL, WEIGHT, Algorithm
from engine.algorithms.templates import CodeLine, Pseudocode
from engine.core.random_numbers import RandomNumbers, starting_state
from engine.games.capabilities import move_priors
from engine.games.protocol import Game
from engine.record.columns import CHANCE
from engine.record.iteration_record import IterationRecord, SearchNode

PSEUDOCODE: Pseudocode = [
    CodeLine("puct(root, iterations, c)"),
    CodeLine("  repeat iterations times:"),
    CodeLine("    path ← [root]"),
    CodeLine("    while the last node has children:"),
    CodeLine("      append its child with the largest sum, mean + c · prior · √N / (1 + n)", {"step": "select"}, "{sum}"),
    CodeLine("      (where chance moves, an outcome drawn by its probability)", {"step": "draw"}, option=("has_chance", True)),
    CodeLine("    if the last node is not over:"),
    CodeLine("      add a child after each of its moves", {"step": "expand"}, "{move}"),
    *OUTCOME_LINES,
    CodeLine("    for each node of the path:"),
    CodeLine("      n ← n + 1; total ← total + outcome", {"step": "backup"}, "{visits}, {mean}"),
    CodeLine("  return the most visited move"),
]


def puct_sum(parent: SearchNode, child: SearchNode, c: float) -> float:
    """Return mean + bonus of a child for the side to move at its parent. A child without visits has its parent's mean."""
    mean = (child if child.visits else parent).mean_for(parent.turn)
    return mean + c * child.prior * sqrt(parent.visits) / (1 + child.visits)


def puct(game: Game, record: IterationRecord, state: Any, options: Mapping[str, Any]) -> None:
    """Grow the tree below `state`: each iteration adds all children of one node."""
    root = record.add_root(state)
    for iteration in range(record.iteration, options["iterations"] + 1):
        numbers = RandomNumbers(starting_state(options["seed"], iteration))
        path = [root]
        while path[-1].children:  # select
            parent = path[-1]
            if parent.turn == CHANCE:
                path.append(record.draw_outcome(parent, numbers)[0])
            else:
                path.append(max(parent.children, key=lambda child: puct_sum(parent, child, options["c"])))
        if path[-1].untried:  # expand
            outcomes = path[-1].probabilities.values()
            for prior in list(outcomes) or move_priors(game, path[-1].state, len(path[-1].untried)):
                record.add_child(path[-1], 0, prior)
        seed = numbers.state
        outcome, plies = simulate(game, path[-1].state, numbers, options)
        for node in path:  # back up
            node.visits += 1
            node.total += outcome
        record.log(path[-1], outcome, plies, seed)


PUCT = Algorithm(
    name="puct",
    title="PUCT",
    line="MCTS that adds all children of a node at once and is guided by priors",
    iterate=puct,
    backup="visits",
    code=PSEUDOCODE,
    columns=("visits", "born", "prior"),
    chance_columns=(WEIGHT,),
    options=(ITERATIONS, PUCT_C, SEED, PLAYOUT, SCALE),
    laws=("iterations", "largest sum"),
    kernel=ITERATIVE_KERNEL,
)
