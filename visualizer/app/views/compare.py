"""The page "Compare": algorithms against each other, per depth."""

from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.algorithms.variants import title_of
from engine.analysis.alignment import PRUNED
from engine.analysis.comparison_result import Comparison, Row
from engine.core.parsing import plies
from visualizer import report
from visualizer.app.forms.search_form import ask_for_comparison
from visualizer.app.forms.variant_form import asked_of, who_holds_back
from visualizer.app.sections.claims import offer_claims
from visualizer.app.sections.compared_trees import show_trees
from visualizer.app.sections.comparison_charts import show_charts
from visualizer.app.sections.comparison_view import ShownComparison, comparisons
from visualizer.app.sections.downloads import download
from visualizer.app.sections.ladder import show_ladder
from visualizer.app.sections.truth import offer_true_comparison
from visualizer.app.state.background_search import awaited, done_with
from visualizer.app.state.jobs import ComparisonJob
from visualizer.app.state.lazy_sections import behind, below
from visualizer.app.state.navigation_state import come_back, fall_back, keep_address, offer_game, share_search
from visualizer.app.state.url_params import Comparing, read_comparing
from visualizer.narration.captions import COUNTING
from visualizer.narration.escapes import page_markdown
from visualizer.narration.ladder_messages import titles
from visualizer.narration.numbers import number
from visualizer.report import content, tables

TIME = "The time is that of the search alone, the median of its runs; more below."
KEPT = 5  # stopped comparisons of a visitor


def page() -> None:
    come_back("compare")
    comparing, wrong = read_comparing(st.query_params.to_dict())
    keep_address("compare")
    fall_back("compare", wrong, comparing.parameters())
    share_search(comparing.search.replace(algorithm=PRUNED, depth=None))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{page_markdown(comparing.words())}** · {page_markdown(titles(comparing.algorithms))}")
        behind("Change", ":material/tune:", f"change {comparing.key}", ask_for_comparison, comparing, open_comparison)
        downloads = st.empty()
        offer_game("compare")
    shown = compared(comparing)
    if shown is not None:
        with downloads:
            behind("Download", ":material/download:", f"download {comparing.key}", _offer_reports, shown.comparison)
        for finding in shown.findings:
            st.error(finding, icon=":material/error:")
        if shown.may_differ:
            st.info(shown.may_differ, icon=":material/visibility:")
        show(comparing, shown)
    offer_claims()


def open_comparison(comparing: Comparing) -> None:
    """Show another comparison: the address says which."""
    st.query_params.from_dict(comparing.parameters())
    st.rerun()


def show(comparing: Comparing, shown: ShownComparison) -> None:
    """Table and charts, the trees, the cutoffs, the times."""
    shown.results.show()
    shown.calls.show()
    if held_back := content.held_back(shown.comparison):
        st.info(page_markdown(held_back), icon=":material/hourglass_bottom:")
    for row in shown.comparison.rows:
        if row.note:
            st.caption(f":material/info: K={plies(row.depth)}, {title_of(row.algorithm)}: {page_markdown(row.note)}")
    st.caption(f"{COUNTING} {TIME}")
    show_charts(shown.charts)
    show_ladder(shown, comparing.key)
    show_trees(comparing, shown)
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
            if words := who_holds_back(comparing):
                st.info(words, icon=":material/hourglass_bottom:")
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
    return ComparisonJob(comparing.search, **asked_of(comparing), keep_nodes=report.FIGURE_NODES)


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
