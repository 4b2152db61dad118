"""Where two searches part, in words."""

from engine.algorithms.variants import title_of
from engine.analysis.overlay import Apart, Overlay
from engine.tree.trace import Trace
from visualizer.narration.captions import place
from visualizer.narration.ladder_messages import capital
from visualizer.narration.numbers import counted
from visualizer.narration.sentences import sentence

MOST_NAMED = 8  # moves


def sets_words(overlay: Overlay, left: str, right: str) -> str:
    """How much the two have in common; they are named as contenders are."""
    one, other = title_of(left), title_of(right)
    return (
        f"Only {one} calls {counted(overlay.only_left, 'path')}, both call {overlay.both:,}, only {other} calls "
        f"{overlay.only_right:,}. Together that is {counted(len(overlay), 'path')}; calls of the same path count once."
    )


def apart_words(overlay: Overlay, apart: Apart, left: str, right: str) -> tuple[str, str]:
    """What one search called and the other did not, and how the other last left the path above."""
    here, away = (overlay.left, overlay.right) if apart.left else (overlay.right, overlay.left)
    one, other = (title_of(name) for name in ((left, right) if apart.left else (right, left)))
    moves = [here.tree[int(here.first[path])].move_name for path in apart.heads]
    named = ", ".join(moves[:MOST_NAMED]) + (" …" if len(moves) > MOST_NAMED else "")
    where = place(here.tree[int(here.first[apart.above])])
    said = sentence(Trace(away.tree)[apart.parting])
    count = counted(apart.paths, "path")
    what = f"{'move' if len(moves) == 1 else 'moves'} {named}"
    return f"{count} only in {one}, {where}: {what}, step {apart.step:,}", f"{capital(other)}: {said}"
