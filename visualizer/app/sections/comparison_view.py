"""The tables, charts and sentences of a comparison, made once for all visitors."""

from functools import cached_property
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.analysis.alignment import Saving
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.rung_savings import RungStep, rung_steps_by_depth
from visualizer.app.sections.comparison_charts import PageChart, make_charts
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence
from visualizer.pool.pool import current_pool
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.report import content, tables
from visualizer.report.blocks import Table
from visualizer.viewer.cutoff_list import CutoffText

MAX_CACHED_NODES = 20_000_000  # in the trees of all cached comparisons
MAX_CACHED_COMPARISONS = 100  # at most this many comparisons, even if they are small
NODE_BYTES = 20
MAX_VISIBLE_ROWS, ROW_HEIGHT = 21, 35  # visible rows of a table; the others scroll


class PageTable:
    """A table as Streamlit takes it."""

    def __init__(self, table: Table):
        columns = [[row[column] for row in table.rows] for column in range(len(table.head))]
        self.rows = pa.table(dict(zip(table.head, columns, strict=True)))
        numbers = [name for column, name in enumerate(table.head) if column not in table.left]
        right = {part: value for part, value in st.column_config.TextColumn(alignment="right").items() if value is not None}
        self._config: Any = dict.fromkeys(numbers, right)  # Streamlit copies the table in every run of the page

    def show(self) -> None:
        if self.rows.num_rows:
            height: Any = "content" if self.rows.num_rows <= MAX_VISIBLE_ROWS else ROW_HEIGHT * MAX_VISIBLE_ROWS
            st.dataframe(self.rows, hide_index=True, column_config=self._config, height=height)


class ComparisonView:
    """The tables, charts and sentences of a comparison."""

    def __init__(self, comparison: Comparison):
        self.comparison = comparison

    @property
    def nodes(self) -> int:
        """Return the number of nodes that it keeps in memory."""
        held = [*self.comparison.trees.values(), *(saving.node.tree for level in self.levels for saving in level.savings)]
        return sum(len(tree) for tree in {id(tree): tree for tree in held}.values())

    @cached_property
    def results_table(self) -> PageTable:
        return PageTable(tables.results_table(self.comparison).drop_columns("note"))

    @cached_property
    def calls_table(self) -> PageTable:
        return PageTable(tables.calls_table(self.comparison))

    @cached_property
    def climbs_by_depth(self) -> dict[int | None, list[RungStep]]:
        """Return the climbs of the ladder by depth."""
        return rung_steps_by_depth(self.comparison)

    @cached_property
    def climbs_table(self) -> PageTable:
        return PageTable(tables.ladder_table(self.comparison))

    @cached_property
    def best_case_table(self) -> PageTable:
        return PageTable(tables.minimal_tree_table(self.comparison))

    @cached_property
    def cutoffs_table(self) -> PageTable:
        return PageTable(tables.cutoffs_table(self.comparison))

    @cached_property
    def times_table(self) -> PageTable:
        return PageTable(tables.times_table(self.comparison))

    @cached_property
    def charts(self) -> list[PageChart]:
        return make_charts(self.comparison)

    @cached_property
    def findings(self) -> list[str]:
        return [escape_page_markdown(finding.text) for finding in content.list_problems(self.comparison)]

    @cached_property
    def may_differ(self) -> str:
        return content.explain_differences(self.comparison)

    @cached_property
    def levels(self) -> list[Level]:
        """Return the depths at which both algorithms were run."""
        return [level for level in self.comparison.levels if level.saved is not None]

    @cached_property
    def savings(self) -> dict[int | None, tuple[str, list[CutoffText]]]:
        """Return by depth what its most valuable cutoffs saved together, and a text about each."""
        return {
            level.depth: (_summarize_savings(level), [_describe_saving(level, saving) for saving in level.savings])
            for level in self.levels
        }


def _summarize_savings(level: Level) -> str:
    these, count = sum(saving.saved for saving in level.savings), len(level.savings)
    where = "to the end" if level.depth is None else f"at K={level.depth}"
    return f"The most valuable cutoffs {where}. " + (
        f"Together they save {format_count(these, 'node')}."
        if these == level.saved
        else f"{'This one saves' if count == 1 else f'These {count} save'} {these:,} of the "
        f"{format_count(level.saved or 0, 'node')} that all cutoffs save."
    )


def _describe_saving(level: Level, saving: Saving) -> CutoffText:
    return CutoffText(content.describe_saving(saving, level.saved or 0), sentence(saving.node.tree.timeline[saving.step]))


@st.cache_resource(show_spinner=False)
def comparison_cache() -> WeightedLRU[ComparisonView]:
    """Return the cache of complete comparisons, shared by all visitors."""
    max_nodes = min(MAX_CACHED_NODES, current_pool().limits.comparison_cache_bytes // NODE_BYTES)
    return WeightedLRU(max_nodes, MAX_CACHED_COMPARISONS, weigh=lambda view: view.nodes)
