"""Measure the sizes of interactive pages: `python benchmarks/interactive_pages.py`. Sizes do not depend on the machine."""

from engine import SearchTree, connect, literal, preset, search
from visualizer.viewer.interactive import tree_page

TREES = {
    "textbook tree": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
    "k-tables, K=3": lambda: search(preset("k-tables"), "3", depth=3),
    "connect4, K=4": lambda: search(connect(), depth=4),
    "connect4, K=7": lambda: search(connect(), depth=7),
    "connect4, K=6, minimax": lambda: search(connect(), depth=6, algorithm="minimax"),
    "connect4, K=8": lambda: search(connect(), depth=8),
}


def page_size(tree: SearchTree) -> int:
    """Return the bytes of the page."""
    return sum(map(len, tree_page.chunks(tree)))


if __name__ == "__main__":
    print(f"{'tree':<26}{'nodes':>10}{'kB':>8}")
    for name, make in TREES.items():
        tree = make()
        print(f"{name:<26}{tree.expanded:>10,}{page_size(tree) / 1000:>8,.0f}")
