"""The page "Compare": minimax against alpha-beta, per depth."""

from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError, Question, search
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import FULL, PRUNED, Alignment, NotAligned, Saving
from engine.analysis.comparison_result import Comparison, Level, Row
from engine.text_lists import plies
from engine.tree.trace import Trace
from visualizer import report
from visualizer.app_pages.address_memory import come_back, fall_back, keep_address, offer_game, share_search
from visualizer.app_pages.addresses import Comparing, parameters_of, read_comparing
from visualizer.app_pages.awaiting import SEARCHED_MOST, awaited
from visualizer.app_pages.comparison_charts import show_charts
from visualizer.app_pages.downloads import download
from visualizer.app_pages.jobs import ComparisonJob
from visualizer.app_pages.opened import behind
from visualizer.app_pages.search_form import ask_for_comparison
from visualizer.report import content, tables
from visualizer.report.blocks import Table
from visualizer.text.captions import COUNTING
from visualizer.text.escapes import page_markdown
from visualizer.text.numbers import counted, number
from visualizer.text.sentences import sentence
from visualizer.viewer.page_jump import leap_to_step
from visualizer.viewer.tree_pair import duo
from visualizer.viewer.visible_part import SHOWN_MOST, too_many_skipped

TIME = "The time is that of the search alone, the median of its runs; more below."
KEPT = 5  # comparisons of a visitor


def page() -> None:
    come_back("compare")
    comparing, wrong = read_comparing(st.query_params.to_dict())
    keep_address("compare")
    fall_back("compare", wrong, comparing.parameters())
    share_search(comparing.search.replace(algorithm=PRUNED, depth=None))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{page_markdown(comparing.words())}** · minimax against alpha-beta")
        behind("Change", ":material/tune:", f"change {comparing.key}", ask_for_comparison, comparing, open_comparison)
        downloads = st.empty()
        offer_game("compare")
    comparison = compared(comparing)
    if comparison is None:
        return
    with downloads:
        behind("Download", ":material/download:", f"download {comparing.key}", _offer_reports, comparison)
    for finding in content.findings(comparison):
        st.error(page_markdown(finding.text), icon=":material/error:")
    show(comparing, comparison)


def open_comparison(comparing: Comparing) -> None:
    """Show another comparison: the address says which."""
    st.query_params.from_dict(comparing.parameters())
    st.rerun()


def show(comparing: Comparing, comparison: Comparison) -> None:
    """Table and charts, the trees, the cutoffs, the times."""
    _table(tables.results(comparison).without("note"))
    for row in comparison.rows:
        if row.note:
            st.caption(f":material/info: K={plies(row.depth)}, {ALGORITHMS[row.algorithm].title}: {page_markdown(row.note)}")
    st.caption(f"{COUNTING} {TIME}")
    show_charts(comparison)
    levels = [level for level in comparison.levels if level.saved is not None]
    if levels:
        _show_trees(comparing, comparison, levels)
    with st.expander("How good could it be?", icon=":material/trending_down:"):
        _table(tables.possible(comparison))
        st.caption(content.POSSIBLE)
        _table(tables.cutoffs(comparison))
        st.caption(content.NODE_TYPES)
    with st.expander("Times", icon=":material/timer:"):
        _table(tables.times(comparison))
        st.caption(content.protocol(comparison))


def _table(table: Table) -> None:
    if table.rows:
        rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
        numbers = [name for column, name in enumerate(table.head) if column not in table.left]
        config = {name: st.column_config.TextColumn(alignment="right") for name in numbers}
        st.dataframe(rows, hide_index=True, column_config=config, height="content")


def _show_trees(comparing: Comparing, comparison: Comparison, levels: list[Level]) -> None:
    """Both trees of one depth, and its most valuable cutoffs."""
    st.subheader("What alpha-beta skipped")
    small = [level for level in levels if (comparison.row(level.depth, FULL) or Row(None, "")).expanded in range(SHOWN_MOST + 1)]
    names = {plies(level.depth): level for level in small}
    usual = next((name for name, level in reversed(names.items()) if (level.saved or 0) <= 1000), next(iter(names), None))
    chosen = st.segmented_control("K", list(names), default=usual, key=f"trees of {comparing.key}") if names else None
    if chosen is None:
        st.caption(f"Trees of up to {SHOWN_MOST:,} nodes are drawn here: compare at a smaller K." if not names else "Choose K.")
        return
    level = names[chosen]
    alignment = aligned(comparing, level.depth)
    if alignment is None:
        return
    if too_many := too_many_skipped(alignment.alphabeta):
        st.caption(too_many)
        return
    step = duo(alignment, key=f"{comparing.key} {chosen}")
    if step is not None:
        open_step(comparing.at(level.depth, PRUNED), step)
    _list_cutoffs(comparing, level)


@st.cache_resource(
    max_entries=10, hash_funcs={Comparing: lambda comparing: comparing.key}, show_spinner="Laying the trees over each other …"
)
def aligned(comparing: Comparing, depth: int | None) -> Alignment | None:
    """The trees of both algorithms, laid over each other; None if they are not of one game."""
    minimax, alphabeta = (search(comparing.at(depth, name), max_nodes=SHOWN_MOST) for name in (FULL, PRUNED))
    try:
        return Alignment(minimax, alphabeta)
    except NotAligned:
        return None


def _list_cutoffs(comparing: Comparing, level: Level) -> None:
    all_saved = level.saved or 0
    these = sum(saving.saved for saving in level.savings)
    st.markdown(
        f"**The most valuable cutoffs at K={plies(level.depth)}.** These {len(level.savings)} save {these:,} of the "
        f"{counted(all_saved, 'node')} that all cutoffs save."
    )
    for rank, saving in enumerate(level.savings, start=1):
        opens, says = st.columns([1, 11], vertical_alignment="center")
        opens.button(
            "Open",
            icon=":material/footprint:",
            key=f"open {comparing.key} {level.depth} {rank}",
            on_click=_remember_step,
            args=(comparing.at(level.depth, PRUNED), saving.step),
            type="tertiary",
        )
        says.markdown(f"{rank}. **{page_markdown(content.saving_text(saving, all_saved))}**  \n{page_markdown(_why(saving))}")
    if wanted := st.session_state.pop("open_step", None):
        open_step(*wanted)


def _why(saving: Saving) -> str:
    return sentence(Trace(saving.node.tree)[saving.step])


def _remember_step(question: Question, step: int) -> None:
    st.session_state["open_step"] = (question, step)


def open_step(question: Question, step: int) -> None:
    """The page Step at this very step."""
    leap_to_step({**parameters_of(question), "step": str(step)})


# ---- running


def compared(comparing: Comparing) -> Comparison | None:
    """The comparison; None while it runs, with what is done so far, or after saying why there is none."""
    kept: dict[Comparing, Comparison] = st.session_state.setdefault("comparisons", {})
    if comparing not in kept:
        try:
            job = awaited(comparing, lambda: _job(comparing), _told)
        except PlyscopeError as error:
            st.error(page_markdown(str(error)), icon=":material/error:")
            return None
        if job is None or job.comparison is None:
            _rows_so_far()
            return None
        kept[comparing] = job.comparison
        while len(kept) > KEPT:
            del kept[next(iter(kept))]
    comparison = kept[comparing]
    if not comparison.complete:
        st.button("Run it again", icon=":material/replay:", on_click=_forget, args=(comparing,))
    return comparison


def _forget(comparing: Comparing) -> None:
    st.session_state["comparisons"].pop(comparing, None)


def _job(comparing: Comparing) -> ComparisonJob:
    limits = {"max_nodes": SEARCHED_MOST, "keep_nodes": report.FIGURE_NODES}
    return ComparisonJob(comparing.search, depths=comparing.depths, repeat=comparing.repeat, **limits)


def _told(job: ComparisonJob) -> tuple[float, str]:
    if job.progress is None:
        return 0.0, "Warming up"
    depth, algorithm, run, runs, nodes = job.progress
    return run / max(runs, 1), f"K={plies(depth)} {ALGORITHMS[algorithm].title}: {nodes:,} nodes"


@st.fragment(run_every=0.5)
def _rows_so_far() -> None:
    """Rows as they come."""
    running = st.session_state.get("job")
    if running is not None and isinstance(running[1], ComparisonJob):
        rows = [_brief(row) for row in running[1].rows]
        if rows:
            st.dataframe(rows, hide_index=True, height="content")


def _brief(row: Row) -> dict[str, Any]:
    return {
        "K": plies(row.depth),
        "algorithm": ALGORITHMS[row.algorithm].title,
        "expanded": tables.count(row.expanded),
        "value": tables.NOTHING if row.value is None else number(row.value),
        "note": row.note,
    }


def _offer_reports(comparison: Comparison) -> None:
    st.caption("The report with everything in it, the charts, or the figures.")
    with st.container(horizontal=True):
        for extension, (_, _, description) in report.FORMATS.items():
            download("comparison", extension, partial(report.render, comparison, extension), description, f"report {extension}")
