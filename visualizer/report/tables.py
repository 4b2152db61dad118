"""The tables of a comparison, as text in cells: the same for the terminal and for every report."""

from engine.algorithms.variants import title_of
from engine.analysis.alignment import FULL, PRUNED
from engine.analysis.comparison_result import Comparison, Row, Seconds
from engine.analysis.rung_savings import MEASURES, ladder
from engine.core.parsing import plies
from engine.tree.counting import EXTRA
from visualizer.drawing.comparison_chart import Unit, duration, span, three_digits, unit_of
from visualizer.narration.numbers import number
from visualizer.narration.text_width import short
from visualizer.report.blocks import Table

NOTHING = "–"
MOST_RANKS = 8  # moves that have a column of their own in the table of cutoffs


def results(comparison: Comparison) -> Table:
    """What matters of every row first: nodes, value, best move, time; the published count beside ours, then the other counts."""
    others = ("leaves", "terminals", "cutoffs", "skipped")
    rows = []
    for row in comparison.rows:
        plain = comparison.row(row.depth, FULL)
        rows.append(
            [
                plies(row.depth),
                title_of(row.algorithm),
                count(row.expanded),
                _published(row),
                _share(row.expanded, plain.expanded) if plain and row.algorithm != FULL else NOTHING,
                NOTHING if row.value is None else number(row.value),
                short(row.best_move_name) or NOTHING,
                duration(row.alone.median) if row.alone else NOTHING,
                *(count(getattr(row, name)) for name in others),
                row.note,
            ]
        )
    head = [
        "K",
        "algorithm",
        "expanded",
        "published",
        "of minimax",
        "value",
        "best move",
        "time",
        *others,
        "note",
    ]
    caption = "Nodes, value, best move and time of the search alone, per depth K."
    return Table(caption, head, rows, (1, len(head) - 1)).without_empty_columns()


def calls(comparison: Comparison) -> Table:
    """What a call was: of searches that call a path again or ask a table. Without rows where all count the same in every row."""
    rows = [
        [plies(row.depth), title_of(row.algorithm), count(row.expanded), *map(count, _extra(row))]
        for row in comparison.rows
        if row.expanded is not None and any(row.extra for row in comparison.rows)
    ]
    caption = "Calls of the search, how many different paths of moves they are, and what else was counted, per depth K."
    head = ["K", "algorithm", "calls", "distinct", "evaluations", "table hits", "re-searches", "passes"]
    return Table(caption, head, rows, (1,)).without_empty_columns()


def _extra(row: Row) -> list[int | None]:
    """The counts of EXTRA; not those that say nothing: no hits, no re-searches, a single pass."""
    nothing = {"table_hits": 0, "researches": 0, "passes": 1}
    return [None if (number := getattr(row, name)) == nothing.get(name) else number for name in EXTRA]


def times(comparison: Comparison, narrow: bool = False) -> Table:
    """The three times of every row, with ratios; `narrow` shortens the spread."""
    rows = []
    for row in comparison.rows:
        if row.recorded is None:
            continue
        plain = comparison.row(row.depth, FULL)
        figures = (row.alone, row.recorded, row.written)
        unit = unit_of(max(figure.median for figure in figures if figure))  # one for the whole row
        cells = [seconds(figure, unit, narrow) for figure in figures]
        costs = [_ratio(figure, row.alone) for figure in (row.recorded, row.written)]
        against = _ratio(row.alone, plain.alone) if plain and row.algorithm != FULL else NOTHING
        rows.append([plies(row.depth), title_of(row.algorithm), *cells, *costs, against])
    head = ["K", "algorithm", "search alone", "with recording", "recorded and written"]
    head += ["recording costs", "writing costs", "against minimax"]
    spread = "half the way from the least to the greatest" if narrow else "the least to the greatest"
    caption = f"Times per depth K: the median, and {spread}. Ratios are to the search alone."
    return Table(caption, head, rows, (1,)).without_empty_columns()


def climbs(comparison: Comparison) -> Table:
    """What each rung needs of the one before it, by every measure."""
    rows = []
    for depth, steps in ladder(comparison).items():
        rows.append([plies(depth), title_of(steps[0].before.algorithm), *[NOTHING] * len(MEASURES)])
        for step in steps:
            shares = [NOTHING if (share := step.share(name)) is None else f"× {share:.3g}" for name in MEASURES]
            rows.append([plies(depth), title_of(step.row.algorithm), *shares])
    caption = "Each rung to the one before it, in the row above: below 1 it needs less, above 1 more. Time: the search alone."
    return Table(caption, ["K", "rung", *MEASURES], rows, (1,)).without_empty_columns()


def possible(comparison: Comparison) -> Table:
    """Alpha-beta beside the least that it could have expanded."""
    rows = []
    for level in comparison.levels:
        plain, pruned = (comparison.row(level.depth, algorithm) for algorithm in (FULL, PRUNED))
        of_plain, of_pruned = (row.expanded if row else None for row in (plain, pruned))
        ordered, least = level.best_first, level.minimal
        rows.append(
            [
                plies(level.depth),
                count(of_plain),
                count(of_pruned),
                _share(of_pruned, of_plain),
                count(ordered.nodes if ordered else None),
                count(least.nodes if least else None),
                count(least.leaves if least else None),
                _times(of_pruned, least.nodes if least else None),
                *(
                    NOTHING if not row or row.effective_branching is None else f"{row.effective_branching:.2f}"
                    for row in (plain, pruned)
                ),
            ]
        )
    head = ["K", "minimax", "alpha-beta", "share", "best child first", "minimal tree", "its leaves", "alpha-beta to minimal"]
    head += ["branching in minimax", "branching in alpha-beta"]
    return Table("How good alpha-beta was, and how good it could be, in expanded nodes.", head, rows).without_empty_columns()


def cutoffs(comparison: Comparison) -> Table:
    """Which move tried caused the cutoffs, and what kinds of nodes there were."""
    rows = []
    named = len({row.algorithm for row in comparison.rows if row.node_types is not None}) > 1
    ranks = max((len(row.cutoffs_by_rank) for row in comparison.rows), default=0)
    shown = min(ranks, MOST_RANKS)
    for row in comparison.rows:
        if row.node_types is None:
            continue
        by_rank = [*row.cutoffs_by_rank, *[0] * (ranks - len(row.cutoffs_by_rank))]
        later = [count(sum(by_rank[shown:]))] if ranks > shown else []
        rows.append(
            [
                plies(row.depth),
                *([title_of(row.algorithm)] if named else []),
                count(row.cutoffs),
                *map(count, by_rank[:shown]),
                *later,
                *(count(kind) for kind in row.node_types),
            ]
        )
    head = ["K", *(["algorithm"] if named else []), "cutoffs", *(f"by move {rank}" for rank in range(1, shown + 1))]
    head += [*(["by later ones"] if ranks > shown else []), "PV nodes", "CUT nodes", "ALL nodes"]
    whose, its = ("", "") if named else (" of alpha-beta", "its ")
    caption = f"Cutoffs{whose} by the move that caused them, in the order of trying, and {its}PV, CUT and ALL nodes."
    return Table(caption, head, rows, (1,) if named else ())


def count(figure: int | None) -> str:
    return NOTHING if figure is None else f"{figure:,}"


def seconds(figure: Seconds | None, unit: Unit, narrow: bool = False) -> str:
    """The median, and the spread where there is one."""
    if figure is None:
        return NOTHING
    if figure.least == figure.most:
        return duration(figure.median, unit)
    if narrow and figure.median > 0:
        half = round(50 * (figure.most - figure.least) / figure.median)
        return f"{duration(figure.median, unit)} ±{half if half <= 100 else '>100'}%"
    return f"{three_digits(figure.median, unit)} ({span(figure.least, figure.most, unit)}) {unit.name}"


def _published(row: Row) -> str:
    if row.published is None:
        return NOTHING
    return f"{'=' if row.published.expanded == row.expanded else '≠'} {row.published.expanded:,}"


def _ratio(figure: Seconds | None, to: Seconds | None) -> str:
    return NOTHING if figure is None or to is None or to.median <= 0 else f"× {figure.median / to.median:.2f}"


def _share(part: int | None, whole: int | None) -> str:
    return NOTHING if part is None or not whole else f"{100 * part / whole:.3g}%"


def _times(one: int | None, other: int | None) -> str:
    return NOTHING if one is None or not other else f"× {one / other:.2f}"
