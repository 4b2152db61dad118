"""The trees of two searches over each other as one interactive HTML file: the overlay of the page Compare, without a server."""

from engine.algorithms.variants import variant_title
from engine.analysis.alignment import Alignment
from engine.analysis.comparison_result import Comparison
from engine.analysis.overlay import Overlay
from engine.core.errors import PlyscopeError
from engine.core.parsing import depth_text
from engine.question import Question
from engine.searcher import search
from engine.tree.tree import SearchTree
from visualizer.drawing.paging import find_readable_view
from visualizer.exporters import svg
from visualizer.narration.captions import position_parts
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import format_count
from visualizer.pool.work_types import is_subtree_search
from visualizer.viewer.interactive.page_file import write_page
from visualizer.viewer.interactive.tree_page import MAX_TITLE_CHARS
from visualizer.viewer.interactive.variant_pairs import default_pair
from visualizer.viewer.overlay_data import encode_alignment, encode_overlay
from visualizer.viewer.viewport import MAX_VISIBLE_NODES, why_not_drawable


class NoPair(PlyscopeError):
    """A comparison without two trees that can be drawn over each other."""


def write_pair(comparison: Comparison, title: str = "") -> bytes:
    """Return the file of two compared searches: minimax and alpha-beta or the first two, at the deepest K that is readable."""
    if len(comparison.algorithms) < 2 or not comparison.levels:
        raise NoPair("an interactive page shows two searches over each other: compare at least two algorithms")
    pair = default_pair(comparison)
    if not pair.K:
        raise NoPair(f"an interactive page holds trees of at most {MAX_VISIBLE_NODES:,} nodes: compare at a smaller K (--depths)")
    depth = next(level.depth for level in comparison.levels if depth_text(level.depth) == pair.K)
    left, right = (comparison.questions[depth, name] for name in (pair.left, pair.right))
    trees = search(left), search(right)
    if reason := why_not_drawable(trees[1]):
        raise NoPair(reason)
    names = [variant_title(pair.left), variant_title(pair.right)]
    words = sanitize_line(title)[:MAX_TITLE_CHARS] or _title(left, names)
    component, payload, summary = _lay_over((left, right), trees)
    settings = {"name": words, "left": names[0], "right": names[1], "small": False}
    return write_page(component, words, summary, settings, {"payload": payload}, _draw_static(trees)).encode()


def _title(question: Question, names: list[str]) -> str:
    K = "to the end" if question.depth is None else f"K={question.depth}"
    return ", ".join([*position_parts(question.game, question.position_text, question.first), " and ".join(names), K])


def _lay_over(questions: tuple[Question, Question], trees: tuple[SearchTree, SearchTree]) -> tuple[str, bytes, str]:
    """Return the component that shows both trees, its payload, and what they have in common in words."""
    if is_subtree_search(*questions):
        alignment = Alignment(*trees)
        saved = format_count(alignment.only_minimax, "node")
        return "minimax_overlay", encode_alignment(alignment), f"Alpha-beta saves {saved} of {len(alignment.minimax):,}."
    overlay = Overlay(*trees)
    if len(overlay) > MAX_VISIBLE_NODES:
        raise NoPair(f"both searches call {len(overlay):,} paths, and an interactive page holds at most {MAX_VISIBLE_NODES:,}")
    return "search_overlay", encode_overlay(overlay), f"Both visit {overlay.both:,} of {format_count(len(overlay), 'path')}."


def _draw_static(trees: tuple[SearchTree, SearchTree]) -> str:
    """Return both trees as pictures, for browsers without JavaScript."""
    return "".join(b"".join(svg.chunks(tree, find_readable_view(tree))).decode() for tree in trees)
