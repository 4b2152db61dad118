"""The content of a report, block by block."""

import shlex
from collections.abc import Iterator
from importlib.metadata import version

from engine.algorithms.variants import variant_title
from engine.analysis.alignment import PRUNED_ALGORITHM, Saving
from engine.analysis.comparison import MAX_WRITTEN_NODES, WARM_UP_NODES, default_comparison
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.rung_savings import RungStep, find_most_complete_depth, rung_steps_by_depth
from engine.core.parsing import depth_text, depths_text
from engine.games.boards import format_state
from engine.games.capabilities import evaluation_name, game_preset
from engine.games.registry import game_text
from engine.searcher import MAX_NODES
from visualizer.drawing import comparison_chart, ladder_chart
from visualizer.narration.captions import EXPANDED_NOTE, ROUNDED_NOTE, describe_game, describe_path, position_parts
from visualizer.narration.ladder_messages import capitalize_first, describe_climb, join_titles
from visualizer.narration.move_reasons import MAX_GAME_TEXT_CHARS, command_options
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import distinct_formatter, format_count
from visualizer.narration.sentences import sentence
from visualizer.narration.text_width import shorten_name
from visualizer.report import MAX_FIGURE_NODES, tables
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim

MAX_LISTED_CUTOFFS = 3
SHORT_SECONDS = 0.001
SHORT_TIMES_NOTE = (
    f"Times below about {1000 * SHORT_SECONDS:g} ms say little about the search: starting it takes a large part of them, however "
    "few nodes it visits."
)
CUTOFF_RULES = {True: "when the value reaches the bound", False: "only when the value is beyond the bound"}  # by cut_on_equal
MAX_BOARD_LINES = 40  # lines
TEXT_TREE_NOTE = "The tree is shown as text: a picture would be wider than a page."
MINIMAL_TREE_NOTE = (
    "Minimal tree: the fewest nodes of this tree that prove its value, and the fewest leaves. No search that proves the value "
    "needs fewer, unless a table recognises repeated positions. If all nodes have b children and the sides take turns, the "
    "minimal tree of depth K has b^ceil(K/2) + b^floor(K/2) − 1 leaves (Knuth and Moore). Best child first: the nodes that "
    "alpha-beta would expand if it tried the child with the best minimax value (the first of equals) first at every node. On "
    "uneven trees that can be more than the minimal tree."
)
CALLS_NOTE = (
    "Expanded counts calls. The same path of moves may be called again: after a probe with a null window, in another pass, or "
    "to ask the table. Distinct counts every path once. Evaluations counts static evaluations."
)
LADDER_NOTE = (
    "The box is the cost of the rung before. The empty part of the box is saved; a bar beyond the box costs more. A rung can "
    "cost more in one position and save in another."
)
NODE_TYPES_NOTE = (
    "A PV node has a value inside its window. At a CUT node the value reached the other side's bound, so one good move was "
    "enough. At an ALL node no move reached the value that the side to move is sure of elsewhere, so every move was searched."
)


def report_title(comparison: Comparison) -> str:
    names = capitalize_first(" against ".join(map(variant_title, comparison.algorithms)))
    if len(comparison.algorithms) > 2:
        names = f"{capitalize_first(join_titles(comparison.algorithms))} compared"
    return f"{names}: {', '.join(position_parts(comparison.game, comparison.position, comparison.first))}"


def build_report(comparison: Comparison) -> Iterator[Block]:
    """Yield the blocks of the whole report."""
    yield Heading(report_title(comparison), 1)
    yield from list_problems(comparison)
    if note := explain_differences(comparison):
        yield Paragraph(note)
    yield Heading("Set-up")
    yield from _setup_blocks(comparison)
    yield Heading("Counts")
    yield Paragraph(
        f"{EXPANDED_NOTE} Leaves are the nodes where the game is over (terminals) or the depth limit K is reached. A cutoff "
        "leaves a node while legal moves are untried; those are the skipped moves. Values are seen from MAX's side."
    )
    if any(row.rounded for row in comparison.rows):
        yield Paragraph(ROUNDED_NOTE)
    yield Heading("Results")
    yield tables.results_table(comparison)
    if (calls := tables.calls_table(comparison)).rows:
        yield calls
        yield Paragraph(CALLS_NOTE)
    yield from _published_blocks(comparison)
    yield from _chart_blocks(comparison)
    yield from _ladder_blocks(comparison)
    yield from _minimal_tree_blocks(comparison)
    if any(row.recorded for row in comparison.rows):
        yield Heading("Times")
        yield tables.times_table(comparison)
        yield Paragraph(
            " ".join(
                filter(
                    None, [describe_timing(comparison), explain_short_times(comparison), explain_overlapping_times(comparison)]
                )
            )
        )
    yield from _cutoff_blocks(comparison)
    yield from _tree_blocks(comparison)
    yield Heading("How to reproduce")
    yield from _reproduction_blocks(comparison)


QUIESCENCE_NOTE = (
    "A quiescence search goes beyond K, so its value can differ from minimax to K. "
    "Only searches that go equally far beyond K must agree."
)


def explain_differences(comparison: Comparison) -> str:
    """Return the reason why values may differ without an error. Empty if they must agree."""
    plies_beyond = {question.options.get("quiescence", 0) for question in comparison.questions.values()}
    return QUIESCENCE_NOTE if len(plies_beyond) > 1 else ""


def list_problems(comparison: Comparison) -> Iterator[Paragraph]:
    """Yield the paragraphs that come first: values that differ, and rows that are missing."""
    for level in comparison.disagreements:
        rows = [row for row in comparison.rows if row.depth == level.depth and row.value is not None]
        written = distinct_formatter(*(row.value for row in rows))
        answers = "; ".join(
            f"{variant_title(row.algorithm)} says {written(row.value or 0.0)}, "
            f"best move {shorten_name(row.best_move_name) or 'none'}"
            for row in rows
        )
        yield Paragraph(
            f"At K={depth_text(level.depth)} the algorithms do not agree: {answers}. {level.note}".strip(), strong=True
        )
    if comparison.stopped:
        done = ", ".join(depth_text(level.depth) for level in comparison.levels) or "none"
        yield Paragraph(f"The comparison was stopped ({comparison.stopped}). Finished depths: {done}.", strong=True)


def explain_held_back(comparison: Comparison) -> str:
    """Return the reason why no search ran compiled although some could. Empty if all did, or none could."""
    if not comparison.held_back:
        return ""
    slow, fast = comparison.readable, comparison.held_back
    has, run = "has" if len(slow) == 1 else "have", "runs" if len(fast) == 1 else "run"
    return (
        f"{capitalize_first(join_titles(slow))} {has} no compiled version for this game, so {join_titles(fast)} {run} uncompiled "
        "too: times of compiled and uncompiled searches cannot be compared."
    )


def describe_timing(comparison: Comparison) -> str:
    """Describe how the times were measured."""
    rounds = "one run" if comparison.repeat == 1 else f"the median of {comparison.repeat} runs, with minimum and maximum"
    text = (
        f"Each time is {rounds}, in wall-clock time. Before the first run, every algorithm ran once at the first depth without "
        f"being measured, up to {WARM_UP_NODES:,} nodes. In each round the algorithms take turns: the search with recording, "
    )
    if comparison.writes:
        text += f"its tree written as text (values only) to a temporary file (trees of up to {MAX_WRITTEN_NODES:,} nodes), "
    text += "then the search alone, without recording."
    text += f" {'Compiled kernel' if comparison.compiled else 'Readable Python code of the algorithms, not compiled'}."
    return " ".join(filter(None, [text, explain_held_back(comparison)]))


def explain_short_times(comparison: Comparison) -> str:
    """Return SHORT_TIMES_NOTE if a time is shorter than SHORT_SECONDS, else ""."""
    times = [figure.median for row in comparison.rows for figure in (row.alone, row.recorded) if figure is not None]
    return SHORT_TIMES_NOTE if min(times, default=SHORT_SECONDS) < SHORT_SECONDS else ""


def explain_overlapping_times(comparison: Comparison) -> str:
    """Name the depths at which the runs of one search differ more than the searches do, so that no time is the shorter one.

    Empty if there are none, or if nothing was repeated.
    """
    depths = []
    for level in comparison.levels:
        times = [row.alone for row in comparison.rows if row.depth == level.depth and row.alone is not None]
        medians = [time.median for time in times]
        spread = max((time.maximum - time.minimum for time in times), default=0.0)
        if len(times) > 1 and spread > max(medians) - min(medians):
            depths.append(level.depth)
    if not depths or comparison.repeat == 1:
        return ""
    return (
        f"At K={depths_text(tuple(depths))} the runs of one search differ by more than the searches do, so these times do not "
        "show which search is faster. Other work of the computer disturbs short runs."
    )


def format_command(comparison: Comparison) -> str:
    """Return the command that makes the same comparison again. Empty for games that the command line does not know."""
    game = game_text(comparison.game)
    if not game or comparison.position is None or len(game) > MAX_GAME_TEXT_CHARS:
        return ""
    words = ["plyscope", "compare", game]
    words += ["--moves", comparison.position] if comparison.position else []
    words += ["--first", comparison.first] if comparison.first else []
    words += ["--depths", depths_text(comparison.depths)]
    words += (
        ["--algorithms", ",".join(comparison.algorithms)] if comparison.algorithms != default_comparison(comparison.game) else []
    )
    words += ["--repeat", str(comparison.repeat)]
    words += command_options(comparison.chosen)
    words += ["--max-nodes", str(comparison.max_nodes)] if comparison.max_nodes != MAX_NODES else []
    return shlex.join(words)


def _setup_blocks(comparison: Comparison) -> Iterator[Block]:
    game = comparison.game
    moves = describe_moves(game, comparison.position or "")
    after = {None: "given as a state", "": "the start"}.get(comparison.position, f"after the moves {moves}")
    has_missing_rows = any(row.expanded is None for row in comparison.rows)
    facts = [
        ["game", describe_game(game)],
        ["position", after],
        ["moved first", comparison.first.upper() if comparison.first else ""],
        ["to move", "MAX" if game.maximizing(comparison.root) else "MIN"],
        ["evaluation", evaluation_name(game) or ""],
        ["depths K", depths_text(comparison.depths)],
        ["algorithms", ", ".join(variant_title(name) for name in comparison.algorithms)],
        ["cutoffs", CUTOFF_RULES[comparison.options["cut_on_equal"]] if "cut_on_equal" in comparison.options else ""],
        ["as published", "yes, with the quirks of the original program" if comparison.options.get("as_published") else ""],
        *([option.label, str(value)] for option, value in comparison.chosen if not option.is_switch),
        ["limit", f"{comparison.max_nodes:,} nodes per search" if has_missing_rows else ""],
    ]
    yield Table("", ["", ""], [fact for fact in facts if fact[1]], (0, 1))
    yield Verbatim(_shorten_board(format_state(game, comparison.root)))


def _shorten_board(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines[:MAX_BOARD_LINES] + ["…"] * (len(lines) > MAX_BOARD_LINES))


def _published_blocks(comparison: Comparison) -> Iterator[Block]:
    rows = [row for row in comparison.rows if row.published is not None]
    if rows:
        equal = sum(row.published is not None and row.published.expanded == row.expanded for row in rows)
        report = f"the student report behind the preset {game_preset(comparison.game)}"
        yield Paragraph(f"{equal} of {len(rows)} node counts published in {report} are reproduced.")


def _chart_blocks(comparison: Comparison) -> Iterator[Block]:
    panels = comparison_chart.build_plots(comparison)
    if panels:
        yield Heading("Charts")
        caption = "By depth K, on logarithmic scales. The thin bars reach from the shortest to the longest time."
        yield Chart(caption, comparison_chart.draw_chart(comparison, report_title(comparison)), panels)


def _ladder_blocks(comparison: Comparison) -> Iterator[Block]:
    drawn = ladder_chart.draw_chart(comparison, report_title(comparison))
    climbed = rung_steps_by_depth(comparison)
    if drawn is not None:
        depth = find_most_complete_depth(climbed)
        yield Heading("The ladder: savings of each rung over the one before")
        yield Chart(f"{ladder_chart.chart_heading(depth)}. {LADDER_NOTE}", drawn, [], ladder_chart.draw_text_chart(comparison))
        yield Paragraph(" ".join(describe_ladder(climbed[depth])))
        yield tables.ladder_table(comparison)


def describe_ladder(steps: list[RungStep]) -> list[str]:
    """Return a sentence for each rung."""
    return [capitalize_first(describe_climb(step)) for step in steps]


def _minimal_tree_blocks(comparison: Comparison) -> Iterator[Block]:
    if any(level.best_first for level in comparison.levels):
        yield Heading("How close to the minimal tree?")
        yield tables.minimal_tree_table(comparison)
        yield Paragraph(MINIMAL_TREE_NOTE)
    if any(row.node_types for row in comparison.rows):
        yield tables.cutoffs_table(comparison)
        yield Paragraph(NODE_TYPES_NOTE)


def find_savings_level(comparison: Comparison) -> Level | None:
    """Return the deepest level for which the savings of the cutoffs are known."""
    return next((level for level in reversed(comparison.levels) if level.savings), None)


def _cutoff_blocks(comparison: Comparison) -> Iterator[Block]:
    level = find_savings_level(comparison)
    if level is None or level.saved is None:
        return
    yield Heading("The most valuable cutoffs")
    row = comparison.row(level.depth, PRUNED_ALGORITHM)
    made = format_count(row.cutoffs or 0 if row else 0, "cutoff")
    yield Paragraph(
        f"At K={depth_text(level.depth)} alpha-beta made {made}, which saved {format_count(level.saved, 'node')}: the nodes that "
        f"minimax visits and alpha-beta does not.{' These cutoffs saved the most.' if len(level.savings) > 1 else ''}"
    )
    for rank, saving in enumerate(level.savings[:MAX_LISTED_CUTOFFS], start=1):
        yield Heading(f"{rank}. {describe_saving(saving, level.saved)}", 3)
        yield Paragraph(sentence(saving.node.tree.timeline[saving.step]))
        yield Verbatim(_shorten_board(saving.node.board))


def describe_saving(saving: Saving, all_saved: int) -> str:
    """Describe how many nodes a cutoff saved, and where."""
    share = f"{100 * saving.saved / all_saved:.3g}%"
    path = describe_path(saving.node)
    return f"{format_count(saving.saved, 'node')} saved ({share}), {path}: node {int(saving.node):,}, step {saving.step:,}"


def _tree_blocks(comparison: Comparison) -> Iterator[Block]:
    """Yield the largest trees that can still be read, all of one depth."""
    small = {key: tree for key, tree in comparison.trees.items() if len(tree) <= MAX_FIGURE_NODES}
    for level in reversed(comparison.levels):
        trees = {name: small[level.depth, name] for name in comparison.algorithms if (level.depth, name) in small}
        if len(trees) == len(comparison.algorithms):
            yield Heading("Small trees")
            for name, tree in trees.items():
                yield Figure(f"All {len(tree)} nodes of {variant_title(name)}, K={depth_text(level.depth)}.", tree)
            return


def _reproduction_blocks(comparison: Comparison) -> Iterator[Block]:
    again = format_command(comparison)
    yield Paragraph(f"Made with Plyscope {version('plyscope')}.")
    if again:
        yield Command(again)
    else:
        yield Paragraph("This game or position cannot be written on the command line. In Python:")
        depths = depths_text(comparison.depths)
        yield Command(
            f'from engine import compare\ncompare(game, position, "{depths}", {comparison.algorithms}, {comparison.repeat})'
        )
