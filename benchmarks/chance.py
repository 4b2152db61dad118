"""The time per node of expectiminimax, Star1 and Star2 beside minimax and alpha-beta, all of them readable.

python benchmarks/chance.py [--repeat 15]

In each group all searches visit the same nodes, except Star2, which also has rows of probes. Nim: without chance, and with half
of the plies drawn (against-random), which takes its rules from Nim. Tree: each move is better than the one before it, and the
range of values is wide, so that nothing is cut; "with chance" has chance nodes in every other ply.
"""

import argparse
import gc
import time
from fractions import Fraction

from engine import chance, literal, search
from engine.games.registry import read_game

NIM = "nim:2,3,2"
BRANCHING, PLIES = 4, 6  # of the trees
WIDE_RANGE = (-1e6, 1e6)


def seconds_per_node(game: object, algorithm: str) -> float:
    """Return the processor time of one search, divided by its nodes."""
    gc.collect()
    start = time.process_time()
    tree = search(game, algorithm=algorithm, compiled=False)
    return (time.process_time() - start) / len(tree)


def make_tree(plies: int, with_chance: bool, is_max: bool = True, value: int = 0) -> object:
    """Return a uniform tree in which each move of a side is better for it than all moves before it."""
    if plies == 0:
        return value
    if with_chance and plies % 2:
        outcome = make_tree(plies - 1, with_chance, is_max, value)
        return chance(*[(Fraction(1, BRANCHING), outcome)] * BRANCHING)
    step = (BRANCHING + 1) ** plies * (1 if is_max else -1)
    return [make_tree(plies - 1, with_chance, not is_max, value + step * move) for move in range(BRANCHING)]


def main() -> None:
    """Print the shortest time per node of each search, beside minimax and alpha-beta in the same run."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--repeat", type=int, default=15)
    repeat = arguments.parse_args().repeat
    nim, against_random = read_game(NIM), read_game(f"against-random:{NIM}")
    plain = literal(make_tree(PLIES, False))
    drawn = literal(make_tree(PLIES, True), value_range=WIDE_RANGE)
    groups = {
        NIM: [
            ("minimax", nim, ""),
            ("expectiminimax", nim, ""),
            ("expectiminimax", against_random, ", against-random"),
        ],
        f"tree, {BRANCHING} moves, {PLIES} plies": [
            ("minimax", plain, ""),
            ("alphabeta", plain, ""),
            *((name, plain, "") for name in ("expectiminimax", "star1", "star2")),
            *((name, drawn, ", with chance") for name in ("expectiminimax", "star1", "star2")),
        ],
    }
    for title, runs in groups.items():
        times: list[list[float]] = [[] for _ in runs]
        for _ in range(repeat):  # in turn, so that the machine's load meets all of them
            for measured, (algorithm, game, _) in zip(times, runs, strict=True):
                measured.append(seconds_per_node(game, algorithm))
        shortest = {algorithm + note: min(measured) for measured, (algorithm, _, note) in zip(times, runs, strict=True)}
        print(title)
        for name, seconds in shortest.items():
            beside = [f"{seconds / shortest[base]:.2f} x {base}" for base in ("minimax", "alphabeta") if base in shortest]
            print(f"  {name:32} {seconds * 1e6:5.2f} µs a node   {'   '.join(beside)}")


if __name__ == "__main__":
    main()
