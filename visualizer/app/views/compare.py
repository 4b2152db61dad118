"""The page "Compare": algorithms against each other, per depth."""

from functools import partial
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.algorithms.variants import variant_title
from engine.analysis.alignment import PRUNED_ALGORITHM
from engine.analysis.comparison_result import Comparison, Row
from engine.core.file_names import make_file_name
from engine.core.parsing import depth_text
from engine.games.capabilities import game_preset
from visualizer import report
from visualizer.app.forms.search_form import ask_for_comparison
from visualizer.app.forms.variant_form import comparison_arguments, explain_readable_run
from visualizer.app.sections.claims import offer_quiz, show_quiz
from visualizer.app.sections.compared_trees import show_tree_overlay
from visualizer.app.sections.comparison_charts import explain_missing_charts, show_charts
from visualizer.app.sections.comparison_view import ComparisonView, comparison_cache
from visualizer.app.sections.downloads import download_button
from visualizer.app.sections.ladder import show_ladder
from visualizer.app.sections.published_programs import offer_programs
from visualizer.app.sections.search_curves import show_position_curves
from visualizer.app.sections.search_overviews import offer_overviews
from visualizer.app.sections.truth import offer_truth_sections
from visualizer.app.state.background_search import forget_job, poll_job
from visualizer.app.state.jobs import ComparisonJob
from visualizer.app.state.lazy_sections import lazy_expander, lazy_popover
from visualizer.app.state.navigation_state import offer_game, remember_params, replace_bad_params, restore_page, share_search
from visualizer.app.state.url_params import PUBLISHED_EXAMPLES, ComparisonParams, read_comparison_params
from visualizer.narration.captions import EXPANDED_NOTE
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.file_names import position_file_parts
from visualizer.narration.ladder_messages import join_titles
from visualizer.narration.numbers import format_number
from visualizer.report import content, tables

TIME_NOTE = "*Time alone* is the search without recording, the median of the runs."
CHART_NOTE = "The chart shows the time with recording: see *Times*."
CHARTS = "The charts only"
DOWNLOAD_GROUPS = {  # by the content of the files
    "The whole report: tables, charts, boards and trees": (".html", ".md", ".tex"),
    CHARTS: (".pdf", ".svg", ".png"),
    "The table (.csv), and all that was measured (.json)": (".csv", ".json"),
}
MAX_STOPPED_COMPARISONS = 5  # stopped comparisons of a visitor


def page() -> None:
    restore_page("compare")
    comparing, wrong = read_comparison_params(st.query_params.to_dict())
    remember_params("compare")
    replace_bad_params("compare", wrong, comparing.parameters())
    shared = comparing.search.replace(algorithm=PRUNED_ALGORITHM, depth=None)
    share_search(shared)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{escape_page_markdown(comparing.describe())}** · {escape_page_markdown(join_titles(comparing.algorithms))}"
        )
        lazy_popover("Change", ":material/tune:", f"change {comparing.key}", ask_for_comparison, comparing, open_comparison)
        downloads = st.empty()
        offer_programs(_find_program(comparing), comparing.key, lambda name: open_comparison(program_comparison(name)))
        offer_quiz()
        offer_game("compare", shared)
    show_quiz()
    shown = run_comparison(comparing)
    if shown is not None:
        with downloads:
            lazy_popover("Download", ":material/download:", f"download {comparing.key}", _offer_reports, shown.comparison)
        for finding in shown.findings:
            st.error(finding, icon=":material/error:")
        if shown.may_differ:
            st.info(shown.may_differ, icon=":material/visibility:")
        show_comparison(comparing, shown)


def open_comparison(comparing: ComparisonParams) -> None:
    """Show another comparison, by setting its URL parameters."""
    st.query_params.from_dict(comparing.parameters())
    st.rerun()


def program_comparison(name: str) -> ComparisonParams:
    """Return the comparison of a published student program, in the position of its example."""
    return read_comparison_params(ComparisonParams(PUBLISHED_EXAMPLES[name]).parameters())[0]


def _find_program(comparing: ComparisonParams) -> str | None:
    name: str = game_preset(comparing.search.game)
    return name if name and program_comparison(name).search == comparing.search else None


def show_comparison(comparing: ComparisonParams, shown: ComparisonView) -> None:
    """Show the table and charts, the trees, the cutoffs and the times."""
    shown.results_table.show()
    shown.calls_table.show()
    if held_back := content.explain_held_back(shown.comparison):
        st.info(escape_page_markdown(held_back), icon=":material/hourglass_bottom:")
    for row in shown.comparison.rows:
        if row.note:
            st.caption(
                f":material/info: K={depth_text(row.depth)}, {variant_title(row.algorithm)}: {escape_page_markdown(row.note)}"
            )
    no_charts = explain_missing_charts(shown.comparison)
    notes = [EXPANDED_NOTE, TIME_NOTE, "" if no_charts else CHART_NOTE, content.explain_short_times(shown.comparison)]
    notes.append(content.explain_overlapping_times(shown.comparison))
    st.caption(" ".join(filter(None, [*notes, _explain_published(shown.comparison)])))
    if no_charts:
        st.markdown(escape_page_markdown(no_charts))
    else:
        show_charts(shown.charts)
    show_ladder(shown, comparing.key)
    show_tree_overlay(comparing, shown)
    offer_overviews(shown.comparison, comparing.key)
    lazy_expander(
        "How close to the minimal tree?", ":material/trending_down:", f"possible {comparing.key}", _show_best_possible, shown
    )
    lazy_expander("Times", ":material/timer:", f"times {comparing.key}", _show_times, shown)
    offer_truth_sections(shown.comparison, comparing.search, comparing.key)
    lazy_expander("MCTS over time", ":material/show_chart:", f"curves {comparing.key}", show_position_curves, comparing.search)


def _explain_published(comparison: Comparison) -> str:
    """Explain the published counts, where there are any."""
    if not any(row.published for row in comparison.rows):
        return ""
    preset = game_preset(comparison.game)
    return f"*Published*: the count in the student report behind the preset {preset}; = is the same, ≠ another."


def _show_best_possible(shown: ComparisonView) -> None:
    shown.best_case_table.show()
    st.caption(content.MINIMAL_TREE_NOTE)
    shown.cutoffs_table.show()
    st.caption(content.NODE_TYPES_NOTE)


def _show_times(shown: ComparisonView) -> None:
    shown.times_table.show()
    notes = [content.describe_timing(shown.comparison), content.explain_short_times(shown.comparison)]
    notes.append(content.explain_overlapping_times(shown.comparison))
    st.caption(" ".join(filter(None, notes)))


# ---- running


def run_comparison(comparing: ComparisonParams) -> ComparisonView | None:
    """Return the comparison. While it runs, show the rows so far and return None.

    Also return None, with a message, if there is no result.
    """
    if (shown := comparison_cache().get(comparing)) is not None:
        forget_job(comparing)
        return shown
    stopped: dict[ComparisonParams, ComparisonView] = st.session_state.setdefault(
        "comparisons", {}
    )  # those that this visitor stopped
    if comparing not in stopped:
        try:
            job = poll_job(comparing, lambda: _start_job(comparing), _format_progress)
        except PlyscopeError as error:
            st.error(escape_page_markdown(str(error)), icon=":material/error:")
            return None
        if job is None:
            if words := explain_readable_run(comparing):
                st.info(words, icon=":material/hourglass_bottom:")
            _show_rows_so_far()
            return None
        if job.comparison is None:
            st.info("The comparison was cancelled.", icon=":material/stop_circle:")
            st.button("Run again", icon=":material/replay:")
            return None
        shown = ComparisonView(job.comparison)
        if job.comparison.complete:
            return comparison_cache().put(comparing, shown)
        stopped[comparing] = shown
        while len(stopped) > MAX_STOPPED_COMPARISONS:
            del stopped[next(iter(stopped))]
    st.button("Run again", icon=":material/replay:", on_click=_forget_stopped, args=(comparing,))
    return stopped[comparing]


def _forget_stopped(comparing: ComparisonParams) -> None:
    st.session_state["comparisons"].pop(comparing, None)


def _start_job(comparing: ComparisonParams) -> ComparisonJob:
    return ComparisonJob(comparing.search, **comparison_arguments(comparing), keep_nodes=report.MAX_FIGURE_NODES)


def _format_progress(job: ComparisonJob) -> tuple[float, str]:
    if job.progress is None:
        return 0.0, "Warming up"
    depth, algorithm, run, runs, nodes = job.progress
    return run / max(runs, 1), f"K={depth_text(depth)} {variant_title(algorithm)}: {nodes:,} nodes"


@st.fragment(run_every=0.5)
def _show_rows_so_far() -> None:
    """Show the finished rows of the running comparison."""
    running = st.session_state.get("job")
    if running is not None and isinstance(running[1], ComparisonJob):
        rows = [_summarize_row(row) for row in running[1].rows]
        if rows:
            with st.container(key="rows_so_far"):  # without the toolbar of tables, which would cover Cancel
                st.dataframe(rows, hide_index=True, height="content")


def _summarize_row(row: Row) -> dict[str, Any]:
    return {
        "K": depth_text(row.depth),
        "algorithm": variant_title(row.algorithm),
        "expanded": tables.format_count(row.expanded),
        "value": tables.NO_FIGURE if row.value is None else format_number(row.value),
        "note": row.note,
    }


def _offer_reports(comparison: Comparison) -> None:
    for words, extensions in DOWNLOAD_GROUPS.items():
        if words == CHARTS and explain_missing_charts(comparison):
            continue  # a chart of one depth would be lone points
        st.caption(words)
        with st.container(horizontal=True):
            for extension in extensions:
                make = partial(report.render_comparison, comparison, extension)
                file = make_file_name([*position_file_parts(comparison.question), "comparison"], extension)
                download_button(file, make, report.FORMATS[extension][2], f"report {extension}")
