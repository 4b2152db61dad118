"""Output of `plyscope search`, `reproduce` and `list`: tables and boards."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.columns import Columns
from rich.table import Table
from rich.text import Text

from engine import Question, SearchTree
from engine.algorithms.spec import UNLIMITED_ENTRIES
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_name, evaluation_name
from engine.games.registry import game_text
from engine.tree.counting import INTERPRETED_ROWS, Counts
from visualizer.cli.output.console import PlainConsole, make_panel
from visualizer.narration.captions import EXPANDED_NOTE, describe_limit, describe_other_options, list_tree_notes
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import json_number

MAX_SHOWN_BOARDS = 12
MAX_SHOWN_MOVES = 20
ITERATION_NOTE = (
    "Means are average results from 0 (lost) to 1 (won), for the side that makes the move. The best move is the most visited one."
)
NOT_COUNTED_NOTE = "To stop quickly after Ctrl-C, distinct paths and re-searches were left out."


def search_summary(tree: SearchTree) -> dict[str, Any]:
    """Return the result of a search as the JSON of `plyscope search`."""
    best = tree.root.best_child
    return (
        {
            "game": game_text(tree.game) or declared_name(tree.game),
            "position": tree.question.position_text or "",
            "algorithm": tree.algorithm,
            "evaluation": evaluation_name(tree.game),
            "depth": tree.K,
            "value": json_number(tree.root.value),
            "best_move": None if best is None else best.move,
            "principal_variation": tree.principal_variation,
            "expanded": tree.expanded,
            "leaves": tree.leaves,
            "terminals": tree.terminals,
            "cutoffs": tree.cutoffs,
            "skipped": tree.skipped,
            "per_depth": [
                {name: row[name] for name in ("depth", "expanded", "leaves", "cutoffs", "skipped")} for row in tree.per_depth
            ],
            "seconds": tree.seconds,
            "complete": tree.complete,
            "stopped": tree.stopped or None,
        }
        | (iteration_summary(tree) if tree.has_iterations else _count_statistics(tree).extra_counts)
        | ({"notes": notes} if (notes := _list_notes(tree)) else {})
    )


def iteration_summary(tree: SearchTree) -> dict[str, Any]:
    """Return what a search in iterations adds to the JSON: its options and the moves of the root."""
    moves = [
        {
            "move": child.move,
            "name": child.move_name,
            "visits": child.visits,
            "mean": json_number(child.mean if child.visits else None),
        }
        for child in tree.root.children
    ]
    return {"iterations": tree.iterations, "options": tree.question.options, "moves": moves}


def _count_statistics(tree: SearchTree) -> Counts:
    """Count everything. After Ctrl-C in a large tree leave out the slow counts."""
    return tree.statistics(with_repetition=tree.stopped != StopReason.INTERRUPTED or tree.expanded <= INTERPRETED_ROWS)


def _list_notes(tree: SearchTree) -> list[str]:
    return [*list_tree_notes(tree), *([NOT_COUNTED_NOTE] if _count_statistics(tree).distinct is None else [])]


def describe_table_memory(question: Question) -> str:
    """Return a sentence about the memory of this search's transposition table, or an empty text if it has none."""
    from engine.algorithms import find_algorithm
    from engine.record.recorder import ENTRY_BYTES
    from engine.searcher import MAX_NODES, check_question

    algorithm = find_algorithm(question.algorithm)
    entries = algorithm.max_table_entries(question.options)
    if entries == 0:
        return ""
    if not check_question(question, MAX_NODES, None).compiled:
        limit = f", at most {entries * ENTRY_BYTES / 1e6:,.0f} MB" if entries < UNLIMITED_ENTRIES else ""
        return f"the table takes about {ENTRY_BYTES} bytes for each entry{limit}"
    from engine.compiled.ladder_driver import SLOT_BYTES

    if entries == UNLIMITED_ENTRIES:
        return f"the table stores every position: it takes {3 * SLOT_BYTES // 2} to {3 * SLOT_BYTES} bytes for each"
    return f"the table has {entries:,} slots and takes {entries * SLOT_BYTES / 1e6:,.1f} MB"


def show_search(tree: SearchTree) -> None:
    """Show the result, the counts per depth, and the principal variation with boards."""
    console = PlainConsole()
    console.print(_format_headline(tree))
    tables = [_result_table(tree), _root_moves_table(tree) if tree.has_iterations else _counts_table(tree)]
    console.print(Columns(tables, padding=(0, 4)))
    for note in (ITERATION_NOTE if tree.has_iterations else EXPANDED_NOTE, *_list_notes(tree)):
        console.print(Text(note, style="dim"))
    _show_principal_variation(console, tree)


def _format_headline(tree: SearchTree) -> Text:
    question = tree.question
    moves = describe_moves(tree.game, question.position_text or "")
    position = {None: "a given position", "": "the start"}.get(question.position_text, f"after {moves}")
    parts = [declared_name(tree.game), position, question.algorithm, describe_limit(question)]
    if evaluation := evaluation_name(tree.game):
        parts.append(f"evaluation {evaluation}")
    if question.first:
        parts.append(f"{question.first.upper()} moved first")
    return Text(" · ".join([*parts, *describe_other_options(question)]), style="bold")


def _result_table(tree: SearchTree) -> Table:
    from engine.analysis.statistics import effective_branching
    from visualizer.narration.numbers import format_number

    root = tree.root
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column(justify="right")
    side = "MAX" if root.maximizing else "MIN"
    so_far = "" if tree.complete else " so far"
    best = root.best_child
    value = ("mean for MAX", f"{root.value:.3f}") if tree.has_iterations else (f"value{so_far}", format_number(root.value))
    table.add_row(value[0], Text(value[1], style="bold"))
    table.add_row(f"best move of {side}{so_far}", Text(best.move_name if best is not None else "none", style="bold"))
    if tree.has_iterations:
        counts = {"iterations": tree.iterations, "nodes": len(tree), "terminals": tree.terminals, "depth": tree.height}
        for name, number in counts.items():
            table.add_row(name, f"{number:,}")
        table.add_row("time", f"{tree.seconds:.3f} s ({'compiled' if tree.compiled else 'not compiled'})")
        return table
    for name in ("expanded", "leaves", "terminals", "cutoffs", "skipped"):
        table.add_row("moves skipped" if name == "skipped" else name, f"{getattr(tree, name):,}")
    for name, count in _count_statistics(tree).extra_counts.items():
        table.add_row(name.replace("_", " "), "not counted" if count is None else f"{count:,}")
    if tree.complete and tree.expanded > 1:
        table.add_row("effective branching", f"{effective_branching(tree):.2f}")
    table.add_row("time", _format_time(tree))
    return table


def _format_time(tree: SearchTree) -> str:
    speed = tree.expanded / max(tree.seconds, 1e-9)
    code = "compiled" if tree.compiled else "not compiled"
    return f"{tree.seconds:.3f} s, {speed / 1e6:.1f} M nodes/s ({code})" if tree.expanded > 1000 else f"{tree.seconds:.3f} s"


def _counts_table(tree: SearchTree) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    names = ("depth", "expanded", "leaves", "cutoffs", "skipped")
    for name in names:
        table.add_column(name, justify="right")
    for row in tree.per_depth:
        table.add_row(*(f"{row[name]:,}" for name in names))
    return table


def _root_moves_table(tree: SearchTree) -> Table:
    """Return the moves of the root, the most visited first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("move", "visits", "share", "mean"):
        table.add_column(name, justify="right")
    for child in sorted(tree.root.children, key=lambda child: -child.visits)[:MAX_SHOWN_MOVES]:
        mean = f"{child.mean:.3f}" if child.visits else "–"
        table.add_row(child.move_name, f"{child.visits:,}", f"{child.visits / tree.iterations:.1%}", mean)
    return table


def _show_principal_variation(console: PlainConsole, tree: SearchTree) -> None:
    nodes = tree.principal_nodes
    if len(nodes) == 1:
        console.print(make_panel(Text(nodes[0].board), "position"))
        return
    console.print(Text("Most visited line" if tree.has_iterations else "Principal variation", style="bold"))
    boards = []
    for node in nodes[: MAX_SHOWN_BOARDS + 1]:
        title = "position" if node.depth == 0 else f"{'MAX' if node.parent.maximizing else 'MIN'} {node.move_name}"
        boards.append(make_panel(Text(node.board), title))
    console.print(Columns(boards))
    if len(nodes) > MAX_SHOWN_BOARDS + 1:
        rest = ", ".join(node.move_name for node in nodes[MAX_SHOWN_BOARDS + 1 :])
        console.print(f"… then {rest}")


def show_failure_rates(rates: list[Any], notes: Iterable[str]) -> None:
    """Show how often searches chose a wrong move, with 95 % intervals, then notes."""
    console = PlainConsole()
    for experiment in dict.fromkeys(rate.experiment for rate in rates):
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(experiment)
        for name in ("failed", "of", "share", "95 % interval"):
            table.add_column(name, justify="right")
        for rate in (rate for rate in rates if rate.experiment == experiment):
            low, high = rate.interval
            share = f"{rate.share:.1%}" if rate.trials else "–"
            table.add_row(rate.setting, f"{rate.failures}", f"{rate.trials}", share, f"{low:.1%} to {high:.1%}")
        console.print(table)
    for note in notes:
        console.print(Text(note, style="dim"))


def show_saved_leaves(measured: list[Any], notes: Iterable[str]) -> None:
    """Show the leaves that Star1 and Star2 saved, with 95 % intervals, beside the published figures; then notes."""
    from engine.analysis.ballard_experiment import LEAF_MODELS

    console = PlainConsole()
    for model, title in LEAF_MODELS.items():
        console.print(Text(title, style="bold"))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("search")
        for name in ("b", "saved", "95 % interval", "published", "interval is"):
            table.add_column(name, justify="right")
        for saved in (saved for saved in measured if saved.leaf_model == model):
            low, high = saved.interval
            share, interval = f"{saved.mean:.1%}", f"{low:.1%} to {high:.1%}"
            table.add_row(saved.algorithm, f"{saved.branching}", share, interval, saved.published, saved.deviation)
        console.print(table)
    for note in notes:
        console.print(Text(note, style="dim"))


def show_figures(figures: list[Any], only: str | None) -> None:
    """Show published and measured figures side by side, then notes."""
    from engine.analysis.published_figures import NOTES, preset_notes

    console = PlainConsole()
    for name in NOTES if only is None else (only,):
        console.print(Text(name, style="bold"))
        rows = [figure for figure in figures if figure.preset == name]
        if rows:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
            table.add_column("figure")
            table.add_column("published", justify="right")
            table.add_column("measured", justify="right")
            table.add_column("")
            for figure in rows:
                mark = Text("equal", style="dim") if figure.equal else Text("DIFFERENT", style="bold red")
                table.add_row(figure.figure, str(figure.published), str(figure.measured), mark)
            console.print(table)
        for note in preset_notes(name):
            console.print(Text(f"  {note}", style="dim"))
        console.print()
    equal = sum(figure.equal for figure in figures)
    if figures:
        console.print(Text(f"{equal} of {len(figures)} published figures reproduced.", style="bold"))


def show_choices() -> None:
    """Show the games, evaluations and algorithms that can be chosen."""
    from engine.algorithms import all_algorithms
    from visualizer.narration.glossary import PRESET_LINES, game_lines, list_explained_choices

    console = PlainConsole()
    sections: dict[str, dict[str, str]] = {
        "Presets (GAME): published student programs": PRESET_LINES,
        "Other games (GAME)": game_lines(),
        **{field.list_title: dict(field.lines or {}) for field in list_explained_choices()},
        "Algorithms (--algorithm)": {name: algorithm.line for name, algorithm in all_algorithms().items()},
    }
    for title, rows in sections.items():
        console.print(Text(title, style="bold"))
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(no_wrap=True, min_width=16)
        for name, meaning in rows.items():
            table.add_row(Text(name, style="cyan"), Text(meaning))
        console.print(table)


def summarize_choices() -> dict[str, Any]:
    """Return the choices as data: presets, games, the explained options of games, and algorithms with their options."""
    from engine.algorithms import all_algorithms
    from visualizer.narration.glossary import PRESET_LINES, game_lines, list_explained_choices

    def list_lines(lines: Mapping[str, str]) -> list[dict[str, str]]:
        return [{"name": name, "description": line} for name, line in lines.items()]

    return {
        "presets": list_lines(PRESET_LINES),
        "games": list_lines(game_lines()),
        "options": {field.name: list_lines(dict(field.lines or {})) for field in list_explained_choices()},
        "algorithms": [
            {
                "name": algorithm.name,
                "title": algorithm.title,
                "description": algorithm.line,
                "options": [
                    {"name": option.name, "default": option.default, "flag": option.command_line_name, "description": option.line}
                    for option in algorithm.options
                ],
            }
            for algorithm in all_algorithms().values()
        ],
    }
