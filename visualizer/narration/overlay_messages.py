"""Texts on the differences between two searches."""

from engine.algorithms.variants import variant_title
from engine.analysis.overlay import Difference, Overlay
from visualizer.narration.captions import describe_path
from visualizer.narration.ladder_messages import capitalize_first
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence

MAX_NAMED_MOVES = 8  # moves


def describe_overlap(overlay: Overlay, left: str, right: str) -> str:
    """Describe the overlap of two searches, given as variants."""
    left_title, right_title = variant_title(left), variant_title(right)
    return (
        f"Only {left_title} calls {format_count(overlay.only_left, 'path')}, both call {overlay.both:,}, only {right_title} "
        f"calls {overlay.only_right:,}. Together they call {format_count(len(overlay), 'path')}; repeated calls count once."
    )


def describe_difference(overlay: Overlay, difference: Difference, left: str, right: str) -> tuple[str, str]:
    """Describe the calls that only one search made, and the last step of the other search at the path above."""
    caller, other_search = (overlay.left, overlay.right) if difference.left else (overlay.right, overlay.left)
    caller_title, other_title = (variant_title(name) for name in ((left, right) if difference.left else (right, left)))
    moves = [caller.tree[int(caller.first[path])].move_name for path in difference.heads]
    named = ", ".join(moves[:MAX_NAMED_MOVES]) + (" …" if len(moves) > MAX_NAMED_MOVES else "")
    location = describe_path(caller.tree[int(caller.first[difference.above])])
    last_sentence = sentence(other_search.tree.timeline[difference.parting])
    count = format_count(difference.paths, "path")
    move_list = f"{'move' if len(moves) == 1 else 'moves'} {named}"
    return (
        f"{count} only in {caller_title}, {location}: {move_list}, step {difference.step:,}",
        f"{capitalize_first(other_title)}: {last_sentence}",
    )
