"""The page "Compare": minimax against alpha-beta, per depth."""

from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms.contenders import title_of
from engine.analysis.alignment import FULL, PRUNED, Alignment
from engine.analysis.comparison_result import Comparison, Level, Row
from engine.text_lists import plies
from visualizer import report
from visualizer.app_pages.address_memory import come_back, fall_back, keep_address, offer_game, share_search
from visualizer.app_pages.addresses import Comparing, parameters_of, read_comparing
from visualizer.app_pages.awaiting import answered, awaited, done_with, searched_most
from visualizer.app_pages.comparison_charts import show_charts
from visualizer.app_pages.downloads import download
from visualizer.app_pages.jobs import ComparisonJob
from visualizer.app_pages.opened import behind, below
from visualizer.app_pages.search_form import ask_for_comparison
from visualizer.app_pages.shown_comparison import ShownComparison, comparisons
from visualizer.app_pages.truth_part import offer_true_comparison
from visualizer.pool.works import LayOver
from visualizer.report import content, tables
from visualizer.text.captions import COUNTING
from visualizer.text.escapes import page_markdown
from visualizer.text.numbers import number
from visualizer.viewer.cutoff_list import cutoff_list
from visualizer.viewer.page_jump import leap_to_step
from visualizer.viewer.tree_pair import duo
from visualizer.viewer.visible_part import SHOWN_MOST, too_many_skipped

TIME = "The time is that of the search alone, the median of its runs; more below."
KEPT = 5  # stopped comparisons of a visitor


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
    shown = compared(comparing)
    if shown is None:
        return
    with downloads:
        behind("Download", ":material/download:", f"download {comparing.key}", _offer_reports, shown.comparison)
    for finding in shown.findings:
        st.error(finding, icon=":material/error:")
    show(comparing, shown)


def open_comparison(comparing: Comparing) -> None:
    """Show another comparison: the address says which."""
    st.query_params.from_dict(comparing.parameters())
    st.rerun()


def show(comparing: Comparing, shown: ShownComparison) -> None:
    """Table and charts, the trees, the cutoffs, the times."""
    shown.results.show()
    for row in shown.comparison.rows:
        if row.note:
            st.caption(f":material/info: K={plies(row.depth)}, {title_of(row.algorithm)}: {page_markdown(row.note)}")
    st.caption(f"{COUNTING} {TIME}")
    show_charts(shown.charts)
    if shown.levels:
        _show_trees(comparing, shown)
    below("How good could it be?", ":material/trending_down:", f"possible {comparing.key}", _show_possible, shown)
    below("Times", ":material/timer:", f"times {comparing.key}", _show_times, shown)
    offer_true_comparison(shown.comparison, comparing.search, comparing.key)


def _show_possible(shown: ShownComparison) -> None:
    shown.possible.show()
    st.caption(content.POSSIBLE)
    shown.cutoffs.show()
    st.caption(content.NODE_TYPES)


def _show_times(shown: ShownComparison) -> None:
    shown.times.show()
    st.caption(content.protocol(shown.comparison))


def _show_trees(comparing: Comparing, shown: ShownComparison) -> None:
    """Both trees of one depth, and its most valuable cutoffs."""
    st.subheader("What alpha-beta skipped")
    small = [level for level in shown.levels if _expanded(shown, level) in range(SHOWN_MOST + 1)]
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
    _list_cutoffs(comparing, level, shown)


def _expanded(shown: ShownComparison, level: Level) -> int | None:
    row = shown.comparison.row(level.depth, FULL)
    return row.expanded if row else None


@st.cache_resource(
    max_entries=10, hash_funcs={Comparing: lambda comparing: comparing.key}, show_spinner="Laying the trees over each other …"
)
def aligned(comparing: Comparing, depth: int | None) -> Alignment | None:
    """The trees of both algorithms, laid over each other; None if they are not of one game."""
    answer: Alignment | None = answered(
        ("aligned", comparing.at(depth, PRUNED)), LayOver(comparing.at(depth, PRUNED), SHOWN_MOST)
    )
    return answer


def _list_cutoffs(comparing: Comparing, level: Level, shown: ShownComparison) -> None:
    place = cutoff_list(*shown.savings[level.depth], key=f"{comparing.key} {plies(level.depth)}")
    if place is not None:
        open_step(comparing.at(level.depth, PRUNED), level.savings[place].step)


def open_step(question: Question, step: int) -> None:
    """The page Step at this very step."""
    leap_to_step({**parameters_of(question), "step": str(step)})


# ---- running


def compared(comparing: Comparing) -> ShownComparison | None:
    """The comparison; None while it runs, with what is done so far, or after saying why there is none."""
    if (shown := comparisons().get(comparing)) is not None:
        done_with(comparing)
        return shown
    stopped: dict[Comparing, ShownComparison] = st.session_state.setdefault("comparisons", {})  # those that this visitor stopped
    if comparing not in stopped:
        try:
            job = awaited(comparing, lambda: _job(comparing), _told)
        except PlyscopeError as error:
            st.error(page_markdown(str(error)), icon=":material/error:")
            return None
        if job is None:
            _rows_so_far()
            return None
        if job.comparison is None:
            st.info("The comparison was cancelled.", icon=":material/stop_circle:")
            st.button("Run it again", icon=":material/replay:")
            return None
        shown = ShownComparison(job.comparison)
        if job.comparison.complete:
            return comparisons().put(comparing, shown, shown.nodes)
        stopped[comparing] = shown
        while len(stopped) > KEPT:
            del stopped[next(iter(stopped))]
    st.button("Run it again", icon=":material/replay:", on_click=_forget, args=(comparing,))
    return stopped[comparing]


def _forget(comparing: Comparing) -> None:
    st.session_state["comparisons"].pop(comparing, None)


def _job(comparing: Comparing) -> ComparisonJob:
    limits = {"max_nodes": searched_most(), "keep_nodes": report.FIGURE_NODES}
    return ComparisonJob(comparing.search, depths=comparing.depths, repeat=comparing.repeat, **limits)


def _told(job: ComparisonJob) -> tuple[float, str]:
    if job.progress is None:
        return 0.0, "Warming up"
    depth, algorithm, run, runs, nodes = job.progress
    return run / max(runs, 1), f"K={plies(depth)} {title_of(algorithm)}: {nodes:,} nodes"


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
        "algorithm": title_of(row.algorithm),
        "expanded": tables.count(row.expanded),
        "value": tables.NOTHING if row.value is None else number(row.value),
        "note": row.note,
    }


def _offer_reports(comparison: Comparison) -> None:
    st.caption("The report with everything in it, the charts, or the figures.")
    with st.container(horizontal=True):
        for extension, (_, _, description) in report.FORMATS.items():
            download("comparison", extension, partial(report.render, comparison, extension), description, f"report {extension}")
