"""What each rung of the ladder costs and saves: nodes, time, nodes a second, against alpha-beta in the same run.

python benchmarks/ladder.py               the table of benchmarks/README.md
"""

import argparse
import time

from engine import ALGORITHMS, connect, search
from engine.algorithms.spec import LADDER
from engine.compiled.ladder_driver import SLOT_BYTES
from engine.searcher import search_unrecorded

USUAL = "alphabeta"
ORDERS = ("centre", "killer", "history")


def rungs() -> list[tuple[str, str, dict[str, str]]]:
    """Yield alpha-beta, its move orders, and every algorithm that the ladder kernel runs: name, algorithm and options."""
    ordered = [(f"{USUAL}, order {order}", USUAL, {"order": order}) for order in ORDERS]
    return [(USUAL, USUAL, {}), *ordered, *((name, name, {}) for name in ALGORITHMS if ALGORITHMS[name].kernel == LADDER)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--depth", type=int, default=10)
    arguments.add_argument("--repeat", type=int, default=7)
    options = arguments.parse_args()
    game = connect()
    nodes: dict[str, int] = {}
    seconds: dict[tuple[str, str], list[float]] = {}
    for number in range(options.repeat + 1):
        for name, algorithm, chosen in rungs():
            began = time.process_time()
            tree = search(game, depth=options.depth, algorithm=algorithm, **chosen)
            recorded = time.process_time() - began
            nodes[name] = tree.expanded
            del tree
            began = time.process_time()
            search_unrecorded(game, depth=options.depth, algorithm=algorithm, **chosen)
            if number:  # the first round loads the compiled code
                seconds.setdefault((name, "recorded"), []).append(recorded)
                seconds.setdefault((name, "alone"), []).append(time.process_time() - began)

    def speed(name: str, how: str) -> float:
        return nodes[name] / min(seconds[name, how])

    print(
        f"| connect4 from the start, K={options.depth} | nodes | relative | ms, recorded | relative | ",
        end="",
    )
    print("recorded, M nodes/s | relative | not recorded, M nodes/s |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    usual = min(seconds[USUAL, "recorded"])
    for name, _, _ in rungs():
        taken = min(seconds[name, "recorded"])
        print(
            f"| {name} | {nodes[name]:,} | x {nodes[name] / nodes[USUAL]:.2f} | {taken * 1e3:.0f} | x {taken / usual:.2f} | ",
            end="",
        )
        print(f"{speed(name, 'recorded') / 1e6:.1f} | x {speed(name, 'recorded') / speed(USUAL, 'recorded'):.2f} | ", end="")
        print(f"{speed(name, 'alone') / 1e6:.1f} |")
    slots = ALGORITHMS["table"].option("slots").default
    print(f"\nBy default a table has {slots:,} slots of {SLOT_BYTES} bytes, {slots * SLOT_BYTES / 1e6:.0f} MB.")


if __name__ == "__main__":
    main()
