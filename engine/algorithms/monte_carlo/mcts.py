"""Monte-Carlo tree search with UCT (Kocsis and Szepesvári 2006), for any game."""

from collections.abc import Mapping
from functools import partial
from math import log, sqrt
from typing import Any

from engine.algorithms.monte_carlo.options import ITERATIONS, OUTCOME_LINES, PLAYOUT, SCALE, SEED, C
from engine.algorithms.monte_carlo.outcomes import simulate
from engine.algorithms.spec import ITERATIVE_KERNEL, WEIGHT, Algorithm
from engine.algorithms.templates import CodeLine, Pseudocode
from engine.core.random_numbers import RandomNumbers, starting_state
from engine.games.protocol import Game
from engine.record.columns import CHANCE
from engine.record.iteration_record import IterationRecord, SearchNode

PSEUDOCODE: Pseudocode = [
    CodeLine("mcts(root, iterations, c)"),
    CodeLine("  repeat iterations times:"),
    CodeLine("    path ← [root]"),
    CodeLine("    while every move of the last node has a child:"),
    CodeLine("      append its child with the largest sum, mean + c · √(ln N / n)", {"step": "select"}, "{sum}"),
    CodeLine("      (where chance moves, an outcome drawn by its probability)", {"step": "draw"}, option=("has_chance", True)),
    CodeLine("    if the last node is not over:"),
    CodeLine("      append a child after a random untried move", {"step": "expand"}, "{move}"),
    *OUTCOME_LINES,
    CodeLine("    for each node of the path:"),
    CodeLine("      n ← n + 1; total ← total + outcome", {"step": "backup"}, "{visits}, {mean}"),
    CodeLine("  return the most visited move"),
]


def ucb(parent: SearchNode, child: SearchNode, c: float) -> float:
    """Return mean + bonus of a child for the side to move at its parent (UCB1)."""
    return child.mean_for(parent.turn) + c * sqrt(log(parent.visits) / child.visits)


def mcts(game: Game, record: IterationRecord, state: Any, options: Mapping[str, Any]) -> None:
    """Grow the tree below `state`, one node per iteration."""
    root = record.add_root(state)
    for iteration in range(record.iteration, options["iterations"] + 1):
        numbers = RandomNumbers(starting_state(options["seed"], iteration))
        path, is_new = [root], False
        while not path[-1].is_over and not is_new:
            parent = path[-1]
            if parent.turn == CHANCE:  # select, or expand
                child, is_new = record.draw_outcome(parent, numbers)
            elif parent.untried:  # expand
                child, is_new = record.add_child(parent, numbers.draw(len(parent.untried))), True
            else:  # select
                child = max(parent.children, key=partial(ucb, parent, c=options["c"]))
            path.append(child)
        seed = numbers.state
        outcome, plies = simulate(game, path[-1].state, numbers, options)
        for node in path:  # back up
            node.visits += 1
            node.total += outcome
        record.log(path[-1], outcome, plies, seed)


MCTS = Algorithm(
    name="mcts",
    title="MCTS",
    line="grow a tree towards promising moves, by random playouts",
    iterate=mcts,
    backup="visits",
    code=PSEUDOCODE,
    columns=("visits", "born"),
    chance_columns=(WEIGHT,),
    options=(ITERATIONS, C, SEED, PLAYOUT, SCALE),
    laws=("iterations", "largest sum"),
    kernel=ITERATIVE_KERNEL,
)
