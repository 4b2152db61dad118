"""Large trees: the index, one view of the overview, the picture, steps, tree files, counting, Ctrl-C and a class beside one.

python -m benchmarks.huge                   Connect 4, K = 12, alpha-beta: 52 million nodes, 2 GB
python -m benchmarks.huge --depth 10        3.6 million nodes
python -m benchmarks.huge files             saves and loads the tree
python -m benchmarks.huge counting          `tree.statistics()` of every rung, relative to its search
python -m benchmarks.huge interrupts        Ctrl-C after 1, 3 and 6 seconds, every algorithm, up to 250 million nodes
python -m benchmarks.huge visitors          100 visitors beside one tree
python -m benchmarks.huge all               all of it
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.classroom import beside_large_tree
from benchmarks.counting import print_counting, print_interrupts
from engine import connect, load, save, search
from engine.core.memory_budget import NODE_BYTES
from engine.tree.tree import SearchTree
from visualizer import export
from visualizer.drawing.overview.colourings import COLOURINGS
from visualizer.viewer.large_trees.tree_delivery import compress_quickly
from visualizer.viewer.large_trees.tree_queries import answer_query, prepare_bounds, prepare_overview, prepare_sums


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("part", nargs="?", default="tree", choices=[*PARTS, "all"])
    arguments.add_argument("--depth", type=int, default=12)
    arguments.add_argument("--queries", type=int, default=200)
    arguments.add_argument("--visitors", type=int, default=100)
    arguments.add_argument("--seconds", type=float, default=120, help="of the visitors")
    options = arguments.parse_args()
    for part in PARTS if options.part == "all" else (options.part,):
        PARTS[part](options)
        print()


def measure_tree(options: argparse.Namespace) -> None:
    """Print the time of the search, of what the overview needs, of pictures and of queries."""
    tree, searching = search_timed(options.depth)
    nodes = len(tree)
    print(f"| connect4, alpha-beta, K={options.depth}, {nodes:,} nodes | CPU time | relative to the search |\n|---|--:|--:|")
    print(f"| search | {searching:.2f} s | x 1 |")
    measure_preparation(tree, searching)
    measure_pictures(tree, searching)
    print(f"\nindex: {tree.depth_index.bytes / nodes:.1f} bytes a node beside the columns ({NODE_BYTES} bytes a node)")
    print("\n| query, CPU time with compression | p50, ms | p95, ms | largest answer, kB |\n|---|--:|--:|--:|")
    for words, name, parameters in list_queries(tree):
        measure_query(tree, words, name, parameters, options.queries)
    print(f"\nmost memory: {peak_bytes() / 1e9:.2f} GB")


def search_timed(depth: int) -> tuple[SearchTree, float]:
    """Return the tree and the CPU seconds of its search, with all compiled code loaded before."""
    rehearse()
    with timed() as searching:
        tree = search(connect(), depth=depth, max_nodes=100_000_000)
    return tree, searching[0]


@contextmanager
def timed() -> Iterator[list[float]]:
    """Yield a list that holds the CPU seconds of the block after it."""
    found: list[float] = []
    began = time.process_time()
    yield found
    found.append(time.process_time() - began)


def rehearse() -> None:
    """Load all compiled code."""
    tree = search(connect(), depth=7)
    tree.statistics()
    for prepare in (prepare_overview, prepare_bounds, prepare_sums):
        prepare(tree)
    for colour in COLOURINGS:
        answer_query(tree, "overview", {"pixels": "9", "colour": colour})


def measure_preparation(tree: SearchTree, searching: float) -> None:
    """Print the time of counting, of the index and of the bounds."""
    with timed() as counting:
        tree.statistics()
    with timed() as indexing:
        tree.depth_index.statuses  # noqa: B018 - made at its first use
    with timed() as bounding:
        tree.bound  # noqa: B018
    for words, (seconds,) in (("statistics()", counting), ("index", indexing), ("bounds", bounding)):
        per_million = f" ({seconds / len(tree) * 1e9:.0f} ms per million nodes)" if words == "index" else ""
        print(f"| {words}{per_million} | {seconds:.2f} s | x {seconds / searching:.2f} |")


def measure_pictures(tree: SearchTree, searching: float) -> None:
    """Print the time of a picture in each format."""
    with tempfile.TemporaryDirectory() as folder:
        for extension in (".svg", ".png", ".pdf"):
            with timed() as drawing:
                size = export(tree, Path(folder) / f"overview{extension}", overview=True)
            print(f"| {extension}, {size / 1000:,.0f} kB | {drawing[0]:.2f} s | x {drawing[0] / searching:.2f} |")


def list_queries(tree: SearchTree) -> list[tuple[str, str, Callable[[], dict[str, str]]]]:
    """Return the queries that a browser makes: words, name, and a function that makes parameters."""
    chance, nodes = random.Random(1), len(tree)

    def part() -> dict[str, str]:
        width = max(1, int(nodes ** chance.random()))
        first = chance.randrange(nodes - width + 1)
        return {"pixels": "2000", "first": str(first), "last": str(first + width)}

    def step() -> dict[str, str]:
        return {"step": str(chance.randrange(2 * nodes))}

    return [
        *((f"overview of all rows, {colour}", "overview", _whole_view(colour)) for colour in COLOURINGS),
        ("overview of a random part", "overview", part),
        ("4,000 rows around a step", "block", lambda: step() | {"before": "1000", "after": "3000"}),
        ("the card of a node", "block", lambda: {"row": str(chance.randrange(nodes))}),
        ("jump to a step", "step", step),
        ("next cutoff", "step", lambda: step() | {"direction": "next", "kind": "cutoff"}),
        ("previous cutoff", "step", lambda: step() | {"direction": "previous", "kind": "cutoff"}),
        ("next breakpoint at a depth", "stops", lambda: step() | {"kind": "depth", "at": "6"}),
        ("next breakpoint at a value", "stops", lambda: step() | {"kind": "value", "at": "30"}),
    ]


def _whole_view(colour: str) -> Callable[[], dict[str, str]]:
    return lambda: {"pixels": "2000", "colour": colour}


def measure_query(tree: SearchTree, words: str, name: str, parameters: Callable[[], dict[str, str]], count: int) -> None:
    """Print the time of a query, computed and compressed, in a table row."""
    answer_query(tree, name, parameters())  # the first one of a colouring counts its classes
    taken, largest = [], 0
    for _ in range(count):
        asked = parameters()
        with timed() as answering:
            packed = compress_quickly(answer_query(tree, name, asked).data)
        taken.append(answering[0])
        largest = max(largest, len(packed))
    taken.sort()
    print(
        f"| {words} | {taken[count // 2] * 1e3:.1f} | {taken[count * 95 // 100] * 1e3:.1f} | {largest / 1000:,.0f} |", flush=True
    )


def measure_files(options: argparse.Namespace) -> None:
    """Print the time and the additional memory of saving and loading."""
    tree, _ = search_timed(options.depth)
    print("| tree file | CPU time | more memory |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "run.parquet"
        before = peak_bytes()
        with timed() as saving:
            save(tree, target)
        print(f"| save, {target.stat().st_size / 1e6:,.0f} MB | {saving[0]:.1f} s | {(peak_bytes() - before) / 1e6:,.0f} MB |")
        before = peak_bytes()
        with timed() as loading:
            load(target)
        print(f"| load (searches again and compares) | {loading[0]:.1f} s | {(peak_bytes() - before) / 1e6:,.0f} MB |")


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


PARTS: dict[str, Callable[[argparse.Namespace], object]] = {
    "tree": measure_tree,
    "files": measure_files,
    "counting": lambda options: print_counting(((9, 50_000_000), (30, 3_000_000)), repeat=3),
    "interrupts": lambda options: print_interrupts((1, 3, 6), max_nodes=250_000_000),
    "visitors": lambda options: asyncio.run(beside_large_tree(options.visitors, options.seconds, options.depth)),
}


if __name__ == "__main__":
    main()
