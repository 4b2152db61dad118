"""The trees in sample_trees/. `python -m visualizer.samples [FOLDER]` writes them all."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from engine import SearchTree, connect, literal, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM
from engine.core.atomic_files import write_chunks
from visualizer.api import export
from visualizer.drawing.view import View
from visualizer.narration.captions import search_title
from visualizer.narration.numbers import format_count

SAMPLE_FOLDER = Path(__file__).parents[1] / "sample_trees"
TOUR = "tour.ipynb"  # a notebook, written by hand and run by tests/visualizer/exporters/test_tour.py
LADDER_POSITION, LADDER_DEPTH = "40263", 4  # of tic-tac-toe: every rung has work there, and its tree fits a page
K_TABLE_POSITIONS = ("3", "334", "33443")  # the published positions for K = 3
REPORT_FILES = {
    "K = 3": (3, FULL_ALGORITHM),
    "k = 3 alpha": (3, PRUNED_ALGORITHM),
    "K = 5": (5, FULL_ALGORITHM),
    "k = 5 alpha": (5, PRUNED_ALGORITHM),
}  # the names that the report gives its files


class Sample(NamedTuple):
    """Files made from one tree."""

    name: str
    tree: SearchTree
    files: tuple[str, ...]  # extensions; "values.txt" is the text in style `values`
    see: str = ""  # caption of the picture
    view: View | None = None
    boards: bool = False  # in the .dot and the .svg


def make_samples() -> Iterator[Sample]:
    """Yield every sample, most with a picture."""
    textbook = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    yield Sample(
        "textbook-alphabeta",
        search(textbook),
        (".svg", ".dot", ".txt", ".values.txt", ".json", ".csv", ".graphml", ".yaml", ".tex", ".html"),
        "The first reply to the middle move is worth 2, and MAX is already sure of 3, so the other two replies are skipped.",
    )
    yield Sample(
        "textbook-minimax",
        search(textbook, algorithm="minimax"),
        (".svg", ".dot", ".txt", ".values.txt"),
        "The same tree without pruning: all nine leaves are visited, and the answer is the same.",
    )
    yield from _k_table_samples()
    yield from _preset_samples()
    yield Sample(
        "tictactoe-endgame",
        search(tictactoe(), "40263"),
        (".svg", ".dot", ".txt"),
        "Four empty squares, MIN to move: the doubled triangles are finished games.",
        boards=True,
    )
    yield _pruning_sample()
    yield from _rung_samples()
    yield Sample(
        "quiescence",
        search(connect(), "41634065", depth=1, quiescence=4),
        (".svg", ".txt"),
        "K=1, and noisy moves beyond it: after most moves of MAX, MIN completes a line in column 2. K=1 alone cannot see that.",
    )


def _rung_samples() -> Iterator[Sample]:
    """Yield one picture for each algorithm that is not drawn above, on the same small position."""
    for name, algorithm in ALGORITHMS.items():
        if name in (FULL_ALGORITHM, PRUNED_ALGORITHM) or algorithm.chance_columns:  # the game has no chance
            continue
        tree = search(tictactoe(), LADDER_POSITION, depth=LADDER_DEPTH, algorithm=name)
        counts = tree.statistics()
        numbers = [
            format_count(counts.expanded, "call"),
            format_count(counts.evaluations, "evaluation"),
            *([format_count(counts.table_hits, "table hit")] if counts.table_hits else []),
            *([format_count(counts.researches, "re-search", "re-searches")] if counts.researches else []),
            *([format_count(counts.passes, "pass", "passes")] if counts.passes > 1 else []),
        ]
        idea = algorithm.line[:1].upper() + algorithm.line[1:]
        yield Sample(f"rung-{name}", tree, (".svg", ".txt"), f"{idea}: {', '.join(numbers)}.")


def _pruning_sample() -> Sample:
    game = connect(rows=4, cols=4, evaluation="lines", order="centre")
    tree = search(game, "1122", depth=6)
    all_nodes = search(game, "1122", depth=6, algorithm="minimax").expanded
    return Sample(
        "pruning-rich",
        tree,
        (".svg", ".txt"),
        f"The middle columns first: {tree.cutoffs} cutoffs, {tree.expanded:,} nodes instead of {all_nodes:,}. "
        "Drawn down to depth 3. Counts of hidden nodes stand below their node.",
        View(max_depth=3),
    )


def _k_table_samples() -> Iterator[Sample]:
    game = preset("k-tables")
    for position in K_TABLE_POSITIONS:
        for algorithm in (FULL_ALGORITHM, PRUNED_ALGORITHM):  # of the report; others have no place in it
            tree, shown_as = search(game, position, depth=3, algorithm=algorithm), ALGORITHMS[algorithm].title
            seen = (
                f"Position {position}, K = 3, all {tree.expanded} nodes: seven replies everywhere."
                if algorithm == FULL_ALGORITHM
                else f"The same by {shown_as}: {tree.expanded} nodes, {tree.cutoffs} cutoffs, {tree.skipped} moves crossed out."
            )
            yield Sample(f"k-tables-{position}-K3-{algorithm}", tree, (".svg", ".dot", ".txt", ".values.txt"), seen)
    for name, (depth, algorithm) in REPORT_FILES.items():
        yield Sample(name, search(game, "3", depth=depth, algorithm=algorithm), (".values.txt",))


def _preset_samples() -> Iterator[Sample]:
    chosen = {
        "full-depth": ("0123", "Values are sums over lines of four: two discs in an open line count 4 or -4."),
        "connect-m": ("03", "A 4 x 4 board, four in a row. Values are multiples of ten because `linear` counts discs."),
        "long-state": ("33", "Values are fractions, and MAX tries the middle column first, MIN the edges."),
        "threats": (
            "3342",
            "In the published program every root move gets the full window, so there are no cutoffs between root moves.",
        ),
        "k-tables": ("3", "The computer is MIN and moves at the root."),
    }
    for name, (position, seen) in chosen.items():
        tree = search(preset(name), position, depth=2, as_published=name == "threats")
        yield Sample(f"preset-{name}", tree, (".svg", ".txt"), seen)


def write_samples(folder: Path) -> list[Path]:
    """Write all samples and the page that shows them. Return the paths of the files."""
    folder.mkdir(exist_ok=True)
    paths = []
    page = [
        "# Sample trees\n",
        "\nWritten by `python -m visualizer.samples`. Blue triangles pointing up are MAX, vermilion ones pointing down are MIN.\n"
        "The number inside is the value for MAX; ≥ and ≤ mark bounds. The move is above the node, the window on entry below it.\n"
        "Bold: principal variation. Dashed: cutoff. Crossed out: skipped move.\n",
        f"\n{', '.join(f'`{name}.txt`' for name in REPORT_FILES)}: values only,\nin the format of the `k-tables` report.\n"
        "Open wide pictures on their own.\n",
        f"\n[{TOUR}]({TOUR}) is a tour for notebooks: the textbook tree, a Connect-4 search, a game of your own, a comparison\n"
        "and a checked program.\n",
    ]
    for sample in make_samples():
        tree = SearchTree(
            sample.tree.search, sample.tree.columns, 0.0, notes=sample.tree.notes
        )  # without the time that the search took
        for ending in sample.files:
            path = folder / _file_name(sample, ending)
            export(tree, path, sample.view, **_export_style(sample, ending))
            paths.append(path)
        if sample.see:
            others = " ".join(f"[{ending[1:]}]({_file_name(sample, ending)})" for ending in sample.files if ending != ".svg")
            page.append(
                f"\n## {search_title(tree)}\n\n{sample.see}\n\n![{sample.name}]({sample.name}.svg)\n\nAlso as {others}.\n"
            )
    paths.append(folder / "README.md")
    write_chunks(paths[-1], [part.encode() for part in page])
    return paths


def _file_name(sample: Sample, ending: str) -> str:
    return sample.name + (".txt" if not sample.see else ending)


def _export_style(sample: Sample, ending: str) -> dict[str, Any]:
    if ending == ".values.txt":
        return {"style": "values"}
    return {"boards": True} if sample.boards and ending in (".dot", ".svg") else {}


def main() -> None:
    """Write the samples into the given folder, or into the default one."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE_FOLDER if SAMPLE_FOLDER.is_dir() else Path(SAMPLE_FOLDER.name)
    paths = write_samples(folder)
    size = sum(path.stat().st_size for path in paths)
    sys.stdout.write(f"{len(paths)} files, {size / 1e6:.1f} MB, in {folder}\n")


if __name__ == "__main__":
    main()
