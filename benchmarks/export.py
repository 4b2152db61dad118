"""How fast exports are, as ratios measured in one run: `python benchmarks/export.py`.

Compiled writers against straightforward Python loops that write the same bytes, small trees against large ones, our SVG against
Graphviz on the same tree, and the layout per million nodes. Each figure is the best of a few repetitions.
"""

import sys
import time
from collections.abc import Callable

from engine import SearchTree, connect, preset, search
from visualizer import View, to_dot
from visualizer.drawing.graphviz_pictures import render_dot
from visualizer.drawing.tidy_layout import lay_out_tree
from visualizer.drawing.view import select_items
from visualizer.exporters import find_exporter


def best(work: Callable[[], object], repetitions: int = 3) -> float:
    """Return the seconds of the fastest run."""
    seconds = []
    for _ in range(repetitions):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def written(extension: str, tree: SearchTree, **style: object) -> bytes:
    return b"".join(find_exporter("x" + extension).chunks(tree, **style))


def pour(extension: str, tree: SearchTree, **style: object) -> int:
    """Consume the whole export piece by piece, as it goes to a file."""
    return sum(len(piece) for piece in find_exporter("x" + extension).chunks(tree, **style))


# ---- straightforward loops


def values_by_loops(tree: SearchTree) -> bytes:
    lines = []
    value, end = tree.value.tolist(), tree.end.tolist()
    stack = [(0, "", "")]
    while stack:
        row, padding, pointer = stack.pop()
        lines.append(f"{padding}{pointer}({value[row]:.0f})\n")
        below = "" if not pointer else padding + ("    " if pointer == " └──" else " │  ")
        children = []
        child = row + 1
        while child < end[row]:
            children.append(child)
            child = end[child]
        for child in reversed(children):
            stack.append((child, below, " └──" if child == children[-1] else " ├──"))
    return "".join(lines).encode()


def text_by_loops(tree: SearchTree, head: str) -> bytes:
    """Write a tree without pruning."""
    lines = [head]
    value, end, depth, move = tree.value.tolist(), tree.end.tolist(), tree.depth.tolist(), tree.move.tolist()
    maximizing, status = tree.maximizing.tolist(), tree.status.tolist()
    stack = [(0, "", "")]
    while stack:
        row, padding, pointer = stack.pop()
        name = f"{move[row]}  " if row else ""
        side = "MAX" if maximizing[row] else "MIN"
        tail = "  terminal" if status[row] == 1 else ""
        lines.append(f"{padding}{pointer}{name}{side}  depth {depth[row]}  = {value[row]:.0f}{tail}\n")
        below = "" if not pointer else padding + ("    " if pointer == "└── " else "│   ")
        children = []
        child = row + 1
        while child < end[row]:
            children.append(child)
            child = end[child]
        for child in reversed(children):
            stack.append((child, below, "└── " if child == children[-1] else "├── "))
    return "".join(lines).encode()


def dot_by_loops(tree: SearchTree, head: str) -> bytes:
    """Write a tree without pruning."""
    principal = {int(node) for node in tree.principal_nodes}
    lines = [head]
    value, parent, move = tree.value.tolist(), tree.parent.tolist(), tree.move.tolist()
    maximizing, status = tree.maximizing.tolist(), tree.status.tolist()
    for row in range(len(tree)):
        style = "" if maximizing[row] else ' shape=invtriangle color="#D55E00" fillcolor="#FBE5D6"'
        if status[row] == 1:
            style += " peripheries=2"
        if row in principal:
            style += " penwidth=3"
        lines.append(f'  n{row} [label="{value[row]:.0f}"{style}];\n')
        if row:
            bold = ' penwidth=3 color="#1A1A1A"' if row in principal else ""
            lines.append(f'  n{parent[row]} -> n{row} [label="  {move[row]}  "{bold}];\n')
    lines.append("}\n")
    return "".join(lines).encode()


def report(what: str, figure: str, wanted: str, holds: bool) -> None:
    print(f"{what:<78} {figure:>16}   {wanted:<12} {'yes' if holds else 'NO'}")


def compare_with_loops(tree: SearchTree) -> None:
    dot_head = to_dot(tree).partition("  n0 [")[0]
    text_head = written(".txt", tree).decode().partition("MAX  depth 0")[0].partition("MIN  depth 0")[0]
    cases = {
        "DOT": (lambda: pour(".dot", tree), lambda: dot_by_loops(tree, dot_head), written(".dot", tree)),
        "text, values": (
            lambda: pour(".txt", tree, style="values"),
            lambda: values_by_loops(tree),
            written(".txt", tree, style="values"),
        ),
        "text, full": (lambda: pour(".txt", tree), lambda: text_by_loops(tree, text_head), written(".txt", tree)),
    }
    for name, (ours, loops, expected) in cases.items():
        assert loops() == expected, f"the loops write other bytes than {name}"
        fast, slow = best(ours, 5), best(loops, 3)
        rate = len(tree) / fast / 1e6
        report(
            f"{name} of {len(tree):,} nodes against Python loops ({rate:.1f} M nodes/s)",
            f"{slow / fast:.1f} x",
            ">= 8",
            slow >= 8 * fast,
        )


def compare_sizes(small: SearchTree, large: SearchTree) -> None:
    for name, extension, style in (
        ("DOT", ".dot", {}),
        ("text, values", ".txt", {"style": "values"}),
        ("text, full", ".txt", {}),
    ):
        few, many = (per_node(tree, extension, style) for tree in (small, large))
        what = f"{name}: {len(large):,} nodes, time per node against {len(small):,} ({many * 1e9:.0f} ns)"
        report(what, f"{many / few:.2f} x", "<= 1.5", many <= 1.5 * few)


def per_node(tree: SearchTree, extension: str, style: dict[str, object]) -> float:
    return best(lambda: pour(extension, tree, **style)) / len(tree)


def compare_with_graphviz(tree: SearchTree) -> None:
    ours = best(lambda: pour(".svg", tree))
    graph = to_dot(tree).encode()
    theirs = best(lambda: render_dot(graph, "svg", seconds=300), 1)
    report(
        f"SVG of {len(tree):,} nodes against Graphviz ({ours * 1000:.0f} ms, {theirs:.1f} s)",
        f"{theirs / ours:.0f} x",
        ">= 20",
        theirs >= 20 * ours,
    )


def measure_layout(tree: SearchTree) -> None:
    depth = select_items(tree, View(stubs=False)).depth
    each = best(lambda: lay_out_tree(depth), 5) / len(depth) * 1e9
    report(f"Layout of {len(depth):,} nodes", f"{each:.0f} ms per M", "<= 50", each <= 50)


def main() -> None:
    full = search(connect(), depth=6, algorithm="minimax")
    small, large = search(connect(), depth=8), search(connect(), depth=10)
    print(f"{'':<78} {'measured':>16}   {'target':<12} holds")
    compare_with_loops(full)
    compare_sizes(small, large)
    depth = 5 if "--slow" in sys.argv else 4
    compare_with_graphviz(search(preset("k-tables"), "3", depth=depth, algorithm="minimax"))
    measure_layout(full)
    measure_layout(large)


if __name__ == "__main__":
    main()
