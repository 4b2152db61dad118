"""The overviews of several searches, above each other at the same scale. They are drawn when the section is opened."""

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms.variants import variant_title
from engine.analysis.alignment import FULL_ALGORITHM, SkippedNodes
from engine.analysis.comparison_result import Comparison, Row
from engine.core.parsing import depth_text
from visualizer.app.state.background_search import answer_cache, wait_for_answer
from visualizer.app.state.lazy_sections import lazy_expander
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.pool.overview_work import DrawOverviews

MAX_OVERVIEW_NODES = 10_000_000  # of one search: it runs again for the picture
MIN_SAVED_NODES = 1_000  # fewer are seen in the whole tree
READING_NOTE = (
    "x is the order of visiting, y the depth. A bar is a node, as wide as its subtree, and all searches have the same scale. "
    "Where bars are narrower than a pixel, the height of a colour is its share."
)


def offer_overviews(comparison: Comparison, key: str) -> None:
    """Show the section, closed, if there are at least two searches to draw at some depth."""
    drawable = {depth_text(depth): rows for depth in comparison.depths if len(rows := _drawable_rows(comparison, depth)) > 1}
    if drawable:
        lazy_expander(
            "Overviews at the same scale", ":material/clear_all:", f"overviews {key}", _show_overviews, comparison, drawable, key
        )


def _drawable_rows(comparison: Comparison, depth: int | None) -> list[Row]:
    at_depth = [row for row in comparison.rows if row.depth == depth]
    return [row for row in at_depth if row.expanded and not row.note and row.expanded <= MAX_OVERVIEW_NODES]


def _show_overviews(comparison: Comparison, drawable: dict[str, list[Row]], key: str) -> None:
    K = st.segmented_control("K", list(drawable), default=list(drawable)[-1], key=f"overviews of {key}") or list(drawable)[-1]
    rows = drawable[K]
    searches = tuple((variant_title(row.algorithm), comparison.questions[row.depth, row.algorithm]) for row in rows)
    _show_picture(DrawOverviews(searches, tuple(int(row.expanded or 0) for row in rows)))
    if left_out := len(comparison.algorithms) - len(rows):
        count = format_count(left_out, "search", "searches")
        st.caption(f"Left out: {count} without a result or of more than {MAX_OVERVIEW_NODES:,} nodes.")


def offer_saved_work(question: Question, nodes: int, spared: SkippedNodes | None) -> None:
    """Offer the overview of an alpha-beta search with `nodes` nodes beside minimax's, if minimax's is known and larger."""
    saved = 0 if spared is None else int(spared.nodes.sum())
    if MIN_SAVED_NODES <= saved <= MAX_OVERVIEW_NODES - nodes and st.button("Beside minimax", icon=":material/clear_all:"):
        sizes = {question.algorithm: nodes, FULL_ALGORITHM: nodes + saved}
        searches = tuple((variant_title(name), question.replace(algorithm=name)) for name in sizes)
        _show_saved_work(DrawOverviews(searches, tuple(sizes.values())))


@st.dialog("What minimax would visit", width="large")
def _show_saved_work(work: DrawOverviews) -> None:
    _show_picture(work)


def _show_picture(work: DrawOverviews) -> None:
    """Show the overviews and how to read them. They are drawn once."""
    try:
        picture = answer_cache().get(work)
        if picture is None:
            with st.spinner("Drawing the overviews …"):
                picture = answer_cache().put(work, wait_for_answer(("overviews", work), work))
    except PlyscopeError as error:
        st.caption(escape_page_markdown(str(error)))
        return
    with st.container(key="overviews_picture"):  # scrolled on a phone
        st.image(picture.decode(), width="stretch")
    st.caption(READING_NOTE)
