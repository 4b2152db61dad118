"""MCTS beside OpenSpiel's: iterations per second of CPU time on the same position, with the same number of simulations.

python benchmarks/peers.py            the figures of benchmarks/README.md; needs `pip install "plyscope[openspiel]"`
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as python_mcts

from engine import connect, search
from engine.searcher import search_unrecorded
from visualizer.viewer.iterations.iteration_queries import answer_iteration_query, prepare_iterations

GAME, C = connect(), 1.4
POSITIONS = ("", "333")
PEER_GAME = pyspiel.load_game("connect_four")
PEER_C = 2 * C  # OpenSpiel's results lie between -1 and 1, ours between 0 and 1
SIMULATIONS, SLOW_SIMULATIONS = 100_000, 1_000  # compiled programs, and those in Python
STEPPED_ITERATIONS = 1_000_000
STEP_SAMPLES, SEARCH_ROUNDS = 300, 3
MEMORY_MB = 10_000  # of OpenSpiel's tree: more than it needs


def search_recorded(position: str, simulations: int) -> None:
    search(GAME, position, algorithm="mcts", iterations=simulations, c=C)


def search_alone(position: str, simulations: int) -> None:
    search_unrecorded(GAME, position, algorithm="mcts", iterations=simulations, c=C)


def search_readable(position: str, simulations: int) -> None:
    search(GAME, position, algorithm="mcts", iterations=simulations, c=C, compiled=False)


def peer_state(position: str) -> pyspiel.State:
    """Return the position as OpenSpiel has it: its moves are columns, too."""
    state = PEER_GAME.new_initial_state()
    for column in position:
        state.apply_action(int(column))
    return state


def search_with_cpp(position: str, simulations: int) -> None:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(PEER_GAME, evaluator, PEER_C, simulations, MEMORY_MB, False, 0, False)
    assert bot.mcts_search(peer_state(position)).explore_count == simulations


def search_with_python(position: str, simulations: int) -> None:
    random = np.random.RandomState(0)
    evaluator = python_mcts.RandomRolloutEvaluator(1, random)
    bot = python_mcts.MCTSBot(PEER_GAME, PEER_C, simulations, evaluator, solve=False, random_state=random)
    assert bot.mcts_search(peer_state(position)).explore_count == simulations


PROGRAMS: dict[str, tuple[Callable[[str, int], None], int]] = {
    "Plyscope, recorded": (search_recorded, SIMULATIONS),
    "Plyscope, not recorded": (search_alone, SIMULATIONS),
    "OpenSpiel, C++": (search_with_cpp, SIMULATIONS),
    "Plyscope, readable text, recorded": (search_readable, SLOW_SIMULATIONS),
    "OpenSpiel, Python": (search_with_python, SLOW_SIMULATIONS),
}


def measure_rates(position: str, rounds: int) -> dict[str, float]:
    """Return the most iterations per second of each program. In each round the programs take turns."""
    best = dict.fromkeys(PROGRAMS, 0.0)
    search_recorded(position, 10)  # loads the kernel
    for _ in range(rounds):
        for name, (run, simulations) in PROGRAMS.items():
            began = time.process_time()
            run(position, simulations)
            best[name] = max(best[name], simulations / (time.process_time() - began))
    return best


def show_rates(rounds: int) -> None:
    measured = {position: measure_rates(position, rounds) for position in POSITIONS}
    print(f"| Connect 4, iterations per second | {' | '.join(position or 'start' for position in POSITIONS)} | |")
    print("|---|" + "--:|" * (len(POSITIONS) + 1))
    for name, (_, simulations) in PROGRAMS.items():
        rates = [measured[position][name] for position in POSITIONS]
        print(f"| {name}, {simulations:,} | {' | '.join(f'{rate:,.0f}' for rate in rates)} | {_describe_ratio(measured, name)} |")


def _describe_ratio(measured: dict[str, dict[str, float]], name: str) -> str:
    """Return how much faster our recorded search of the same number of simulations is, at the positions."""
    ours = next(other for other, (_, number) in PROGRAMS.items() if number == PROGRAMS[name][1])
    return "/".join(f"{rates[ours] / rates[name]:.2f}" for rates in measured.values()) if name != ours else ""


def show_record() -> None:
    """Show the size of a record and the time that its steps take."""
    searched = float("inf")
    for _ in range(SEARCH_ROUNDS):
        began = time.process_time()
        tree = search(GAME, algorithm="mcts", iterations=STEPPED_ITERATIONS)
        searched = min(searched, time.process_time() - began)
    log = sum(column.nbytes for column in (tree.log.leaf, tree.log.outcome, tree.log.playout, tree.log.seed))
    columns = sum(np.asarray(column).nbytes for column in tree.columns if column is not None)
    began = time.process_time()
    steps = tree.timeline
    steps[len(steps) // 2]
    first = time.process_time() - began
    times = []
    for number in np.random.default_rng(0).integers(0, len(steps), STEP_SAMPLES).tolist():
        began = time.process_time()
        steps[number]
        times.append(time.process_time() - began)
    prepare_iterations(tree)
    blocks = []
    for number in np.random.default_rng(1).integers(1, STEPPED_ITERATIONS + 1, STEP_SAMPLES).tolist():
        began = time.process_time()
        answer_iteration_query(tree, "block", {"iteration": str(number)})
        blocks.append(time.process_time() - began)
    print(f"\n| {STEPPED_ITERATIONS:,} iterations from the start | measured | target |")
    print("|---|--:|--:|")
    print(f"| recorded iterations per second | {STEPPED_ITERATIONS / searched / 1e6:.2f} million | 0.8 million |")
    print(f"| bytes of the log per iteration | {log / STEPPED_ITERATIONS:.0f} | 16 |")
    print(f"| bytes of the tree per iteration | {columns / STEPPED_ITERATIONS:.0f} | |")
    print(f"| the first step | {1000 * first:.1f} ms | 50 ms |")
    p95, worst = np.percentile(times, 95), max(times)
    print(f"| a step anywhere, 95th percentile, worst of {STEP_SAMPLES} | {1000 * p95:.1f} ms, {1000 * worst:.1f} ms | 50 ms |")
    middle, p95 = np.percentile(blocks, (50, 95))
    print(f"| a block of 4 iterations, median, 95th percentile | {1000 * middle:.1f} ms, {1000 * p95:.1f} ms | 50 ms |")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rounds", type=int, default=5)
    show_rates(arguments.parse_args().rounds)
    show_record()


if __name__ == "__main__":
    main()
