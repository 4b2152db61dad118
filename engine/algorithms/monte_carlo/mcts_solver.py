"""MCTS-Solver (Winands, Björnsson and Saito 2008): MCTS that backs up proven wins and losses."""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.monte_carlo.mcts import ucb
from engine.algorithms.monte_carlo.options import ITERATIONS, OUTCOME_LINES, PLAYOUT, SCALE, SEED, C
from engine.algorithms.monte_carlo.outcomes import simulate
from engine.algorithms.spec import ITERATIVE_KERNEL, Algorithm
from engine.algorithms.templates import CodeLine, Pseudocode
from engine.core.random_numbers import RandomNumbers, starting_state
from engine.games.protocol import Game
from engine.record.iteration_record import MAX_OUTCOME, IterationRecord

PSEUDOCODE: Pseudocode = [
    CodeLine("mcts-solver(root, iterations, c)"),
    CodeLine("  repeat iterations times, until the root is proven:"),
    CodeLine("    path ← [root]"),
    CodeLine("    while every move of the last node has a child:"),
    CodeLine("      append its child not proven with the largest sum, mean + c · √(ln N / n)", {"step": "select"}, "{sum}"),
    CodeLine("    if the last node is not over:"),
    CodeLine("      append a child after a random untried move", {"step": "expand"}, "{move}"),
    *OUTCOME_LINES,
    CodeLine("    for each node of the path, the last one first:"),
    CodeLine("      n ← n + 1; total ← total + outcome", {"step": "backup"}, "{visits}, {mean}"),
    CodeLine("      proven win if a child is one, loss if all moves are", {"step": "proof"}),
    CodeLine("  return a proven win, or the most visited move"),
]


def mcts_solver(game: Game, record: IterationRecord, state: Any, options: Mapping[str, Any]) -> None:
    """Grow the tree below `state` until its winner is proved, or all iterations are done."""
    root = record.add_root(state)
    for iteration in range(record.iteration, options["iterations"] + 1):
        if root.proven:
            return
        numbers = RandomNumbers(starting_state(options["seed"], iteration))
        path = [root]
        while path[-1].children and not path[-1].untried:  # select
            parent = path[-1]
            undecided = [child for child in parent.children if not child.proven]
            path.append(max(undecided, key=lambda child: ucb(parent, child, options["c"])))
        if untried := path[-1].untried:  # expand
            path.append(record.add_child(path[-1], numbers.draw(len(untried))))
        seed = numbers.state
        outcome, plies = simulate(game, path[-1].state, numbers, options)
        for node in reversed(path):  # back up
            node.visits += 1
            node.total += outcome
            if node.is_over:
                node.proven = int(outcome == MAX_OUTCOME) - int(outcome == 0)
            else:
                node.proven = node.prove()
        record.log(path[-1], outcome, plies, seed)


MCTS_SOLVER = Algorithm(
    name="mcts-solver",
    title="MCTS-Solver",
    line="MCTS that backs up proven wins and losses",
    iterate=mcts_solver,
    backup="visits",
    code=PSEUDOCODE,
    columns=("visits", "born", "proven"),
    options=(ITERATIONS, C, SEED, PLAYOUT, SCALE),
    laws=("iterations", "largest sum", "proofs"),
    kernel=ITERATIVE_KERNEL,
)
