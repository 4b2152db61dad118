"""The time per node of expectiminimax beside that of minimax, both readable, without and with chance in the game.

python benchmarks/chance.py [--repeat 7]

The first game has no chance: both visit the same nodes. In the second half of the plies are drawn (against-random): the rules
take longer there, too. In the two trees they take the same time: one has chance nodes where the other has MIN.
"""

import argparse
import statistics
import time
from fractions import Fraction

from engine import chance, literal, nim, search
from engine.games.registry import read_game

GAME = [2, 3, 2]
BRANCHING, PLIES = 4, 6  # of the trees


def seconds_per_node(game: object, algorithm: str) -> float:
    """Return the processor time of one search, divided by its nodes."""
    start = time.process_time()
    tree = search(game, algorithm=algorithm, compiled=False)
    return (time.process_time() - start) / len(tree)


def make_tree(plies: int, with_chance: bool, is_max: bool = True) -> object:
    """Return a uniform tree as nested lists, with chance nodes in the place of MIN if they are wanted."""
    if plies == 0:
        return 0
    children = [make_tree(plies - 1, with_chance, not is_max) for _ in range(BRANCHING)]
    return children if is_max or not with_chance else chance(*((Fraction(1, BRANCHING), child) for child in children))


def main() -> None:
    """Print the medians and their ratio to minimax."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=7)
    repeat = arguments.parse_args().repeat
    heaps = ",".join(map(str, GAME))
    runs = {
        "minimax": (nim(GAME), "minimax"),
        "expectiminimax, no chance": (nim(GAME), "expectiminimax"),
        "expectiminimax, against-random": (read_game(f"against-random:nim:{heaps}"), "expectiminimax"),
        "minimax, tree": (literal(make_tree(PLIES, False)), "minimax"),
        "expectiminimax, tree with chance": (literal(make_tree(PLIES, True)), "expectiminimax"),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(repeat):  # in turn, so that the machine's load meets all of them
        for name, (game, algorithm) in runs.items():
            times[name].append(seconds_per_node(game, algorithm))
    base = 0.0
    for name, measured in times.items():
        middle = statistics.median(measured)
        base = middle if name.startswith("minimax") else base
        print(f"{name:32} {middle * 1e6:6.2f} µs a node, {middle / base:.2f} x minimax")


if __name__ == "__main__":
    main()
