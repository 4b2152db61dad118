"""What a page shows of a comparison, made once for all who look at it."""

from functools import cached_property
from typing import Any

import pyarrow as pa
import streamlit as st

from engine.analysis.alignment import Saving
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.rung_savings import Climb, ladder
from engine.tree.trace import Trace
from visualizer.app.sections.comparison_charts import PageChart, charts
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.narration.sentences import sentence
from visualizer.pool.pool import the_pool
from visualizer.report import content, tables
from visualizer.report.blocks import Table
from visualizer.viewer.cutoff_list import ToldSaving
from visualizer.viewer.weighted_lru import Recent

KEPT_NODES = 20_000_000  # in the trees of all comparisons that are kept
KEPT = 100  # comparisons, however small
NODE_BYTES = 20
MOST_ROWS, ROW_HEIGHT = 21, 35  # of a table that is seen at once; the rest is scrolled


class PageTable:
    """A table as Streamlit takes it."""

    def __init__(self, table: Table):
        columns = [[row[column] for row in table.rows] for column in range(len(table.head))]
        self.rows = pa.table(dict(zip(table.head, columns, strict=True)))
        numbers = [name for column, name in enumerate(table.head) if column not in table.left]
        right = {part: value for part, value in st.column_config.TextColumn(alignment="right").items() if value is not None}
        self._config: Any = dict.fromkeys(numbers, right)  # Streamlit copies all of it for every run of the page

    def show(self) -> None:
        if self.rows.num_rows:
            height: Any = "content" if self.rows.num_rows <= MOST_ROWS else ROW_HEIGHT * MOST_ROWS
            st.dataframe(self.rows, hide_index=True, column_config=self._config, height=height)


class ShownComparison:
    """Its tables, charts and sentences."""

    def __init__(self, comparison: Comparison):
        self.comparison = comparison

    @property
    def nodes(self) -> int:
        """How many it keeps in memory."""
        held = [*self.comparison.trees.values(), *(saving.node.tree for level in self.levels for saving in level.savings)]
        return sum(len(tree) for tree in {id(tree): tree for tree in held}.values())

    @cached_property
    def results(self) -> PageTable:
        return PageTable(tables.results(self.comparison).without("note"))

    @cached_property
    def calls(self) -> PageTable:
        return PageTable(tables.calls(self.comparison))

    @cached_property
    def climbed(self) -> dict[int | None, list[Climb]]:
        """The ladder, by depth."""
        return ladder(self.comparison)

    @cached_property
    def climbs(self) -> PageTable:
        return PageTable(tables.climbs(self.comparison))

    @cached_property
    def possible(self) -> PageTable:
        return PageTable(tables.possible(self.comparison))

    @cached_property
    def cutoffs(self) -> PageTable:
        return PageTable(tables.cutoffs(self.comparison))

    @cached_property
    def times(self) -> PageTable:
        return PageTable(tables.times(self.comparison))

    @cached_property
    def charts(self) -> list[PageChart]:
        return charts(self.comparison)

    @cached_property
    def findings(self) -> list[str]:
        return [page_markdown(finding.text) for finding in content.findings(self.comparison)]

    @cached_property
    def may_differ(self) -> str:
        return content.may_differ(self.comparison)

    @cached_property
    def levels(self) -> list[Level]:
        """The depths where both algorithms were run."""
        return [level for level in self.comparison.levels if level.saved is not None]

    @cached_property
    def savings(self) -> dict[int | None, tuple[str, list[ToldSaving]]]:
        """By depth: what its most valuable cutoffs saved together, and a text about each."""
        return {level.depth: (_together(level), [_told(level, saving) for saving in level.savings]) for level in self.levels}


def _together(level: Level) -> str:
    these, count = sum(saving.saved for saving in level.savings), len(level.savings)
    where = "to the end" if level.depth is None else f"at K={level.depth}"
    return (
        f"The most valuable cutoffs {where}. {'This one saves' if count == 1 else f'These {count} save'} {these:,} of the "
        f"{counted(level.saved or 0, 'node')} that all cutoffs save."
    )


def _told(level: Level, saving: Saving) -> ToldSaving:
    return ToldSaving(content.saving_text(saving, level.saved or 0), sentence(Trace(saving.node.tree)[saving.step]))


@st.cache_resource(show_spinner=False)
def comparisons() -> Recent[ShownComparison]:
    """Those that came to their end, for all visitors."""
    return Recent(min(KEPT_NODES, the_pool().limits.compared // NODE_BYTES), KEPT)
