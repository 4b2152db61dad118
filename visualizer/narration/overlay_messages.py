"""Texts on the differences between two searches."""

from engine.algorithms.variants import variant_title
from engine.analysis.overlay import Difference, Overlay
from engine.tree.trace import Trace
from visualizer.narration.captions import describe_path
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence

MAX_NAMED_MOVES = 8  # moves


def describe_overlap(overlay: Overlay, left: str, right: str) -> str:
    """Describe the overlap of two searches, given as variants."""
    one, other = variant_title(left), variant_title(right)
    return (
        f"Only {one} calls {format_count(overlay.only_left, 'path')}, both call {overlay.both:,}, only {other} calls "
        f"{overlay.only_right:,}. Together that is {format_count(len(overlay), 'path')}; calls of the same path count once."
    )


def describe_difference(overlay: Overlay, apart: Difference, left: str, right: str) -> tuple[str, str]:
    """Describe the calls that only one search made, and the last step of the other at the path above."""
    here, away = (overlay.left, overlay.right) if apart.left else (overlay.right, overlay.left)
    one, other = (variant_title(name) for name in ((left, right) if apart.left else (right, left)))
    moves = [here.tree[int(here.first[path])].move_name for path in apart.heads]
    named = ", ".join(moves[:MAX_NAMED_MOVES]) + (" …" if len(moves) > MAX_NAMED_MOVES else "")
    where = describe_path(here.tree[int(here.first[apart.above])])
    said = sentence(Trace(away.tree)[apart.parting])
    count = format_count(apart.paths, "path")
    what = f"{'move' if len(moves) == 1 else 'moves'} {named}"
    return f"{count} only in {one}, {where}: {what}, step {apart.step:,}", f"{capitalize_first(other)}: {said}"
