"""The tables of a comparison, with text in their cells. They are the same for the terminal and for every report."""

from engine.algorithms.variants import variant_title
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM
from engine.analysis.comparison_result import Comparison, Row, Seconds
from engine.analysis.rung_savings import RUNG_MEASURES, rung_steps_by_depth
from engine.core.parsing import depth_text
from engine.tree.counting import EXTRA_COUNTS
from visualizer.drawing.comparison_chart import (
    Unit,
    choose_unit,
    format_duration,
    format_range,
    format_three_digits,
    published_label,
)
from visualizer.narration.numbers import format_number
from visualizer.narration.text_width import shorten_name
from visualizer.report.blocks import Table

NO_FIGURE = "–"
MAX_RANK_COLUMNS = 8  # moves that have a column of their own in the table of cutoffs


def results_table(comparison: Comparison) -> Table:
    """Return the main table: nodes, value, best move and time of every row, the published count beside ours, then the other
    counts.
    """
    others = ("leaves", "terminals", "cutoffs", "skipped")
    rows = []
    for row in comparison.rows:
        plain = comparison.row(row.depth, FULL_ALGORITHM)
        rows.append(
            [
                depth_text(row.depth),
                variant_title(row.algorithm),
                format_count(row.expanded),
                _format_published(row),
                _format_share(row.expanded, plain.expanded) if plain and row.algorithm != FULL_ALGORITHM else NO_FIGURE,
                NO_FIGURE if row.value is None else format_number(row.value),
                shorten_name(row.best_move_name) or NO_FIGURE,
                format_duration(row.alone.median) if row.alone else NO_FIGURE,
                *(format_count(getattr(row, name)) for name in others),
                row.note,
            ]
        )
    head = [
        "K",
        "algorithm",
        "expanded",
        published_label(comparison),
        "of minimax",
        "value",
        "best move",
        "time alone",
        *others[:-1],
        "moves skipped",
        "note",
    ]
    caption = "Nodes, value, best move and time of the search alone, without recording, by depth K."
    return Table(caption, head, rows, (1, len(head) - 1)).drop_empty_columns()


def calls_table(comparison: Comparison) -> Table:
    """Return the table of calls, for searches that call a path again or ask a table. It has no rows if no search has extra
    counts.
    """
    rows = [
        [depth_text(row.depth), variant_title(row.algorithm), format_count(row.expanded), *map(format_count, _extra_counts(row))]
        for row in comparison.rows
        if row.expanded is not None and any(row.extra for row in comparison.rows)
    ]
    caption = "Calls of the search, the number of different paths of moves, and other counts, by depth K."
    head = ["K", "algorithm", "calls", "distinct", "evaluations", "table hits", "re-searches", "passes"]
    return Table(caption, head, rows, (1,)).drop_empty_columns()


def _extra_counts(row: Row) -> list[int | None]:
    """Return the counts of EXTRA. A count that says nothing is None: no hits, no re-searches, a single pass."""
    nothing = {"table_hits": 0, "researches": 0, "passes": 1}
    return [None if (number := getattr(row, name)) == nothing.get(name) else number for name in EXTRA_COUNTS]


def times_table(comparison: Comparison, narrow: bool = False) -> Table:
    """Return the three times of every row, with ratios. `narrow` shortens the spread."""
    rows = []
    for row in comparison.rows:
        if row.recorded is None:
            continue
        plain = comparison.row(row.depth, FULL_ALGORITHM)
        figures = (row.alone, row.recorded, row.written)
        unit = choose_unit(max(figure.median for figure in figures if figure))  # one unit for the whole row
        cells = [format_seconds(figure, unit, narrow) for figure in figures]
        costs = [_format_time_ratio(figure, row.alone) for figure in (row.recorded, row.written)]
        against = _format_time_ratio(row.alone, plain.alone) if plain and row.algorithm != FULL_ALGORITHM else NO_FIGURE
        rows.append([depth_text(row.depth), variant_title(row.algorithm), *cells, *costs, against])
    head = ["K", "algorithm", "search alone", "with recording", "recorded and written"]
    head += ["recording costs", "writing costs", "against minimax"]
    spread = "half the distance from minimum to maximum" if narrow else "minimum to maximum"
    caption = f"Times by depth K: the median, and {spread}. Ratios are relative to the search alone."
    return Table(caption, head, rows, (1,)).drop_empty_columns()


def ladder_table(comparison: Comparison) -> Table:
    """Return the share of each rung of the one before it, by every measure."""
    rows = []
    for depth, steps in rung_steps_by_depth(comparison).items():
        rows.append([depth_text(depth), variant_title(steps[0].before.algorithm), *[NO_FIGURE] * len(RUNG_MEASURES)])
        for step in steps:
            shares = [NO_FIGURE if (share := step.share(name)) is None else f"× {share:.3g}" for name in RUNG_MEASURES]
            rows.append([depth_text(depth), variant_title(step.row.algorithm), *shares])
    caption = (
        "Each rung relative to the one before it, in the row above: below 1 it needs less, above 1 more. Time: the search alone."
    )
    return Table(caption, ["K", "rung", *RUNG_MEASURES], rows, (1,)).drop_empty_columns()


def minimal_tree_table(comparison: Comparison) -> Table:
    """Return the counts of alpha-beta and of the minimal tree."""
    rows = []
    for level in comparison.levels:
        plain, pruned = (comparison.row(level.depth, algorithm) for algorithm in (FULL_ALGORITHM, PRUNED_ALGORITHM))
        of_plain, of_pruned = (row.expanded if row else None for row in (plain, pruned))
        ordered, minimal = level.best_first, level.minimal
        rows.append(
            [
                depth_text(level.depth),
                format_count(of_plain),
                format_count(of_pruned),
                _format_share(of_pruned, of_plain),
                format_count(ordered.nodes if ordered else None),
                format_count(minimal.nodes if minimal else None),
                format_count(minimal.leaves if minimal else None),
                _format_ratio(of_pruned, minimal.nodes if minimal else None),
                *(
                    NO_FIGURE if not row or row.effective_branching is None else f"{row.effective_branching:.2f}"
                    for row in (plain, pruned)
                ),
            ]
        )
    head = ["K", "minimax", "alpha-beta", "share", "best child first", "minimal tree", "its leaves", "alpha-beta to minimal"]
    head += ["branching in minimax", "branching in alpha-beta"]
    return Table("How good alpha-beta was, and how good it could have been, in expanded nodes.", head, rows).drop_empty_columns()


def cutoffs_table(comparison: Comparison) -> Table:
    """Return the cutoffs by the rank of the move that caused them, and the counts of PV, CUT and ALL nodes."""
    rows = []
    named = len({row.algorithm for row in comparison.rows if row.node_types is not None}) > 1
    ranks = max((len(row.cutoffs_by_rank) for row in comparison.rows), default=0)
    shown = min(ranks, MAX_RANK_COLUMNS)
    for row in comparison.rows:
        if row.node_types is None:
            continue
        by_rank = [*row.cutoffs_by_rank, *[0] * (ranks - len(row.cutoffs_by_rank))]
        later = [format_count(sum(by_rank[shown:]))] if ranks > shown else []
        rows.append(
            [
                depth_text(row.depth),
                *([variant_title(row.algorithm)] if named else []),
                format_count(row.cutoffs),
                *map(format_count, by_rank[:shown]),
                *later,
                *(format_count(kind) for kind in row.node_types),
            ]
        )
    head = ["K", *(["algorithm"] if named else []), "cutoffs", *(f"by move {rank}" for rank in range(1, shown + 1))]
    head += [*(["by later ones"] if ranks > shown else []), "PV nodes", "CUT nodes", "ALL nodes"]
    whose, its = ("", "") if named else (" of alpha-beta", "its ")
    caption = f"Cutoffs{whose} by the rank of the move that caused them, and {its}PV, CUT and ALL nodes."
    return Table(caption, head, rows, (1,) if named else ())


def format_count(figure: int | None) -> str:
    return NO_FIGURE if figure is None else f"{figure:,}"


def format_seconds(figure: Seconds | None, unit: Unit, narrow: bool = False) -> str:
    """Return the median, and the spread where there is one."""
    if figure is None:
        return NO_FIGURE
    if figure.minimum == figure.maximum:
        return format_duration(figure.median, unit)
    if narrow and figure.median > 0:
        half = round(50 * (figure.maximum - figure.minimum) / figure.median)
        return f"{format_duration(figure.median, unit)} ±{half if half <= 100 else '>100'}%"
    return f"{format_three_digits(figure.median, unit)} ({format_range(figure.minimum, figure.maximum, unit)}) {unit.name}"


def _format_published(row: Row) -> str:
    if row.published is None:
        return NO_FIGURE
    return f"{'=' if row.published.expanded == row.expanded else '≠'} {row.published.expanded:,}"


def _format_time_ratio(figure: Seconds | None, to: Seconds | None) -> str:
    return NO_FIGURE if figure is None or to is None or to.median <= 0 else f"× {figure.median / to.median:.2f}"


def _format_share(part: int | None, whole: int | None) -> str:
    return NO_FIGURE if part is None or not whole else f"{100 * part / whole:.3g}%"


def _format_ratio(one: int | None, other: int | None) -> str:
    return NO_FIGURE if one is None or not other else f"× {one / other:.2f}"
