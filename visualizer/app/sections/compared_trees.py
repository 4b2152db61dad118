"""The trees of two that were compared, over each other: which pair and which K is kept in the address."""

from typing import NamedTuple

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms.variants import read_contenders, title_of
from engine.analysis.alignment import FULL, PRUNED, Alignment
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.overlay import Overlay
from engine.core.parsing import plies
from visualizer.app.sections.comparison_view import ShownComparison
from visualizer.app.state.background_search import answered
from visualizer.app.state.url_params import Comparing, parameters_of
from visualizer.narration.escapes import page_markdown
from visualizer.narration.numbers import counted
from visualizer.narration.overlay_messages import apart_words, sets_words
from visualizer.pool.pool import the_pool
from visualizer.pool.work_types import LayOver
from visualizer.viewer.cutoff_list import ToldSaving, cutoff_list
from visualizer.viewer.minimax_overlay import duo
from visualizer.viewer.page_redirect import leap_to_step
from visualizer.viewer.search_overlay import two_sets
from visualizer.viewer.viewport import SHOWN_MOST, too_many_skipped
from visualizer.viewer.weighted_lru import Recent

LISTED = 8  # differences
READ_WELL = 1000  # nodes that are still told apart
KEPT = 100  # pairs, however small
OVERLAY_NODE_BYTES = 40  # of a node and its place in the other tree


class Pair(NamedTuple):
    """Two of those that are compared, and K as text."""

    left: str
    right: str
    K: str


def show_trees(comparing: Comparing, shown: ShownComparison) -> None:
    """The pair that is chosen, over each other, and where they part."""
    comparison = shown.comparison
    if len(comparison.algorithms) < 2 or not comparison.levels:
        return
    st.subheader("Two trees over each other")
    pair = _chosen_pair(comparing, comparison)
    if pair is None:
        return
    depth = next(level.depth for level in comparison.levels if plies(level.depth) == pair.K)
    left, right = (comparison.questions[depth, name] for name in (pair.left, pair.right))
    try:
        over = laid_over(left, right)
    except PlyscopeError as error:
        st.caption(page_markdown(str(error)))
        return
    if over is None:
        st.caption("These two trees are not of one game: it changes from search to search.")
    elif too_many := too_many_skipped(over.alphabeta if isinstance(over, Alignment) else over.right.tree):
        st.caption(too_many)
    elif isinstance(over, Alignment):
        _show_cutoffs(comparison.level(depth), right, over, shown, f"{comparing.key} {pair.K}")
    else:
        _show_sets(pair, over, (left, right), f"{comparing.key} {','.join(pair)}")


def _show_cutoffs(level: Level | None, pruned: Question, over: Alignment, shown: ShownComparison, key: str) -> None:
    """What alpha-beta skips of minimax, and its most valuable cutoffs."""
    if (step := duo(over, key=key)) is not None:
        open_step(pruned, step)
    if level is None or not level.savings or level.saved is None:
        return
    if (place := cutoff_list(*shown.savings[level.depth], key=key)) is not None:
        open_step(pruned, level.savings[place].step)


def _show_sets(pair: Pair, over: Overlay, questions: tuple[Question, Question], key: str) -> None:
    """What only one of them looks at, what both do, and where they part."""
    if len(over) > SHOWN_MOST:
        st.markdown(page_markdown(sets_words(over, pair.left, pair.right)))
        st.caption(f"Trees of up to {SHOWN_MOST:,} paths are drawn here: choose a smaller K.")
    else:
        opened = two_sets(over, (title_of(pair.left), title_of(pair.right)), key)
        if opened is not None:
            path, in_left = opened
            open_step(questions[0 if in_left else 1], over.step_at(path, in_left))
    apart = over.differences(LISTED)
    if not apart:
        return
    told = [ToldSaving(*apart_words(over, each, pair.left, pair.right)) for each in apart]
    together = f"Where they part: the largest of {counted(over.partings, 'place')}, and how the other search left the node there."
    place = cutoff_list(together, told, key=f"apart {key}")
    if place is not None:
        open_step(questions[0 if apart[place].left else 1], apart[place].step)


def open_step(question: Question, step: int) -> None:
    """The page Step at this very step."""
    leap_to_step({**parameters_of(question), "step": str(step)})


@st.cache_resource(show_spinner=False)
def overlays() -> Recent[tuple[Alignment | Overlay | None]]:
    """Those looked at last, for all visitors."""
    return Recent(the_pool().limits.overlaid // OVERLAY_NODE_BYTES, KEPT)


def laid_over(left: Question, right: Question) -> Alignment | Overlay | None:
    """Both trees; None if they are not of one game."""
    with overlays().alone((left, right)):
        known = overlays().get((left, right))
        if known is None:
            with st.spinner("Laying the trees over each other …"):
                over = answered(("laid over", left, right), LayOver(left, right, SHOWN_MOST))
            known = overlays().put((left, right), (over,), 1 if over is None else _nodes(over))
    return known[0]


def _nodes(over: Alignment | Overlay) -> int:
    trees = (over.minimax, over.alphabeta) if isinstance(over, Alignment) else (over.left.tree, over.right.tree)
    return sum(map(len, trees))


# ---- which pair


def _chosen_pair(comparing: Comparing, comparison: Comparison) -> Pair | None:
    """The pair that the widgets name, which start with that of the address. None, and why, if there is nothing to draw."""
    wished = wished_pair(st.query_params.to_dict(), comparison)
    names = list(comparison.algorithms)
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair"):
        left, right = (wished.left, wished.right) if len(names) == 2 else _ask_for_pair(names, wished, comparing.key)
        drawable = depths_to_draw(comparison, left, right)
        if not drawable:
            st.caption(f"Trees of up to {SHOWN_MOST:,} nodes are drawn here: compare at a smaller K.")
            return None
        usual = wished.K if wished.K in drawable else usual_depth(comparison, left, right, drawable)
        K = st.segmented_control("K", drawable, default=usual, key=f"trees of {comparing.key} {left} {right}")
    if K is None:
        st.caption("Choose K.")
        return None
    pair = Pair(left, right, K)
    if "pair" in st.query_params or pair != usual_pair(comparison):
        st.query_params["pair"], st.query_params["K"] = f"{left},{right}", K
    return pair


def _ask_for_pair(names: list[str], wished: Pair, key: str) -> tuple[str, str]:
    left = st.selectbox("Left", names, names.index(wished.left), format_func=title_of, key=f"left of {key}", width=320)
    others = [name for name in names if name != left]
    right = wished.right if wished.right != left else others[0]
    place = others.index(right)
    return left, st.selectbox("Right", others, place, format_func=title_of, key=f"right of {left} {key}", width=320)


def wished_pair(parameters: dict[str, str], comparison: Comparison) -> Pair:
    """The pair of an address; the usual one if it names none that is compared."""
    usual = usual_pair(comparison)
    try:
        left, right = (one.text for one in read_contenders(parameters.get("pair", "")))
    except (PlyscopeError, ValueError):
        return usual
    known = left in comparison.algorithms and right in comparison.algorithms
    return Pair(left, right, parameters.get("K", "")[:10]) if known else usual


def usual_pair(comparison: Comparison) -> Pair:
    """Minimax and alpha-beta, or the first two; the deepest trees that can still be read."""
    names = comparison.algorithms
    left, right = (FULL, PRUNED) if {FULL, PRUNED} <= set(names) else names[:2]
    drawable = depths_to_draw(comparison, left, right)
    return Pair(left, right, usual_depth(comparison, left, right, drawable) if drawable else "")


def depths_to_draw(comparison: Comparison, left: str, right: str) -> list[str]:
    """The depths at which the trees of both are there and not too large."""
    found = []
    for level in comparison.levels:
        rows = [comparison.row(level.depth, name) for name in (left, right)]
        if all(row is not None and row.expanded is not None and row.expanded <= SHOWN_MOST for row in rows):
            found.append(plies(level.depth))
    return found


def usual_depth(comparison: Comparison, left: str, right: str, drawable: list[str]) -> str:
    """The deepest at which what they do not share, or all, is little enough to be read; else the first."""
    by_text = {plies(level.depth): level for level in comparison.levels}
    for text in reversed(drawable):
        level = by_text[text]
        most = max((row.expanded or 0) for name in (left, right) if (row := comparison.row(level.depth, name)))
        saved = level.saved if (left, right) == (FULL, PRUNED) and level.saved is not None else most
        if saved <= READ_WELL:
            return text
    return drawable[0]
