"""The overlay of two compared trees. The URL keeps the pair and K."""

import streamlit as st

from engine import PlyscopeError, Question
from engine.algorithms.variants import read_variants, variant_title
from engine.analysis.alignment import Alignment
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.overlay import Overlay
from engine.core.parsing import depth_text
from visualizer.app.sections.comparison_view import ComparisonView
from visualizer.app.state.background_search import wait_for_answer
from visualizer.app.state.url_params import ComparisonParams, search_params
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.numbers import format_count
from visualizer.narration.overlay_messages import describe_difference, describe_overlap
from visualizer.pool.pool import current_pool
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.pool.work_types import OverlayTrees
from visualizer.viewer.cutoff_list import CutoffText, show_cutoff_list
from visualizer.viewer.interactive.variant_pairs import VariantPair, default_drawable_depth, default_pair, drawable_depths
from visualizer.viewer.minimax_overlay import overlay_component
from visualizer.viewer.page_redirect import redirect_to_step
from visualizer.viewer.search_overlay import search_overlay_component
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, why_not_drawable

MAX_DIFFERENCES = 8  # differences
MAX_OVERLAYS = 100  # at most this many pairs, even if they are small
OVERLAY_NODE_BYTES = 40  # of a node and its place in the other tree


def show_tree_overlay(comparing: ComparisonParams, shown: ComparisonView) -> None:
    """Show the chosen pair as an overlay, and where the two trees differ."""
    comparison = shown.comparison
    if len(comparison.algorithms) < 2 or not comparison.levels:
        return
    st.subheader("Two trees compared")
    pair = _choose_pair(comparing, comparison)
    if pair is None:
        return
    depth = next(level.depth for level in comparison.levels if depth_text(level.depth) == pair.K)
    left, right = (comparison.questions[depth, name] for name in (pair.left, pair.right))
    try:
        over = overlay_pair(left, right)
    except PlyscopeError as error:
        st.caption(escape_page_markdown(str(error)))
        return
    if over is None:
        st.caption("These trees cannot be compared: the game changes from search to search.")
    elif too_many := why_not_drawable(over.alphabeta if isinstance(over, Alignment) else over.right.tree):
        st.caption(too_many)
    elif isinstance(over, Alignment):
        _show_cutoffs(comparison.level(depth), right, over, shown, f"{comparing.key} {pair.K}")
    else:
        _show_node_sets(pair, over, (left, right), f"{comparing.key} {','.join(pair)}")


def _show_cutoffs(level: Level | None, pruned: Question, over: Alignment, shown: ComparisonView, key: str) -> None:
    """Show what alpha-beta skips of minimax, and its most valuable cutoffs."""
    if (step := overlay_component(over, key=key)) is not None:
        open_step(pruned, step)
    if level is None or not level.savings or level.saved is None:
        return
    if (place := show_cutoff_list(*shown.savings[level.depth], key=key)) is not None:
        open_step(pruned, level.savings[place].step)


def _show_node_sets(pair: VariantPair, over: Overlay, questions: tuple[Question, Question], key: str) -> None:
    """Show the nodes that only one search visits, those that both visit, and where they differ."""
    if len(over) > MAX_VISIBLE_NODES:
        st.markdown(escape_page_markdown(describe_overlap(over, pair.left, pair.right)))
        st.caption(f"Trees of up to {MAX_VISIBLE_NODES:,} paths are drawn here: choose a smaller K.")
    else:
        opened = search_overlay_component(over, (variant_title(pair.left), variant_title(pair.right)), key)
        if opened is not None:
            path, in_left = opened
            open_step(questions[0 if in_left else 1], over.step_at(path, in_left))
    differences = over.differences(MAX_DIFFERENCES)
    if not differences:
        return
    texts = [CutoffText(*describe_difference(over, each, pair.left, pair.right)) for each in differences]
    heading = (
        f"Where they differ: the largest of {format_count(over.parting_count, 'place')}, "
        "and how the other search left the node there."
    )
    place = show_cutoff_list(heading, texts, key=f"apart {key}")
    if place is not None:
        open_step(questions[0 if differences[place].left else 1], differences[place].step)


def open_step(question: Question, step: int) -> None:
    """Open the page Step at this step."""
    redirect_to_step({**search_params(question), "step": str(step)})


@st.cache_resource(show_spinner=False)
def overlay_cache() -> WeightedLRU[tuple[Alignment | Overlay | None]]:
    """Return the LRU cache of overlays, shared by all visitors."""
    return WeightedLRU(current_pool().limits.overlay_cache_bytes // OVERLAY_NODE_BYTES, MAX_OVERLAYS, weigh=_count_overlay_nodes)


def overlay_pair(left: Question, right: Question) -> Alignment | Overlay | None:
    """Return the overlay of both trees, or None if they are not of one game."""
    with overlay_cache().lock_key((left, right)):
        known = overlay_cache().get((left, right))
        if known is None:
            with st.spinner("Building the overlay …"):
                over = wait_for_answer(("laid over", left, right), OverlayTrees(left, right, MAX_VISIBLE_NODES))
            known = overlay_cache().put((left, right), (over,))
    return known[0]


def _count_overlay_nodes(cached: tuple[Alignment | Overlay | None]) -> int:
    over = cached[0]
    if over is None:
        return 1
    trees = (over.minimax, over.alphabeta) if isinstance(over, Alignment) else (over.left.tree, over.right.tree)
    return sum(map(len, trees))


# ---- which pair


def _choose_pair(comparing: ComparisonParams, comparison: Comparison) -> VariantPair | None:
    """Return the pair that the widgets name; they start with the pair of the URL.

    Return None, with a message, if there is nothing to draw.
    """
    wished = read_pair(st.query_params.to_dict(), comparison)
    names = list(comparison.algorithms)
    with st.container(horizontal=True, vertical_alignment="bottom", key="pair"):
        left, right = (wished.left, wished.right) if len(names) == 2 else _ask_for_pair(names, wished, comparing.key)
        drawable = drawable_depths(comparison, left, right)
        if not drawable:
            st.caption(f"Trees of up to {MAX_VISIBLE_NODES:,} nodes are drawn here: compare at a smaller K.")
            return None
        usual = wished.K if wished.K in drawable else default_drawable_depth(comparison, left, right, drawable)
        K = st.segmented_control("K", drawable, default=usual, key=f"trees of {comparing.key} {left} {right}")
    if K is None:
        st.caption("Choose K.")
        return None
    pair = VariantPair(left, right, K)
    if "pair" in st.query_params or pair != default_pair(comparison):
        st.query_params["pair"], st.query_params["K"] = f"{left},{right}", K
    return pair


def _ask_for_pair(names: list[str], wished: VariantPair, key: str) -> tuple[str, str]:
    left = st.selectbox("Left", names, names.index(wished.left), format_func=variant_title, key=f"left of {key}", width=320)
    others = [name for name in names if name != left]
    right = wished.right if wished.right != left else others[0]
    place = others.index(right)
    return left, st.selectbox("Right", others, place, format_func=variant_title, key=f"right of {left} {key}", width=320)


def read_pair(parameters: dict[str, str], comparison: Comparison) -> VariantPair:
    """Return the pair of the URL, or the default pair if the URL names none that is compared."""
    usual = default_pair(comparison)
    try:
        left, right = (one.text for one in read_variants(parameters.get("pair", "")))
    except (PlyscopeError, ValueError):
        return usual
    known = left in comparison.algorithms and right in comparison.algorithms
    return VariantPair(left, right, parameters.get("K", "")[:10]) if known else usual
