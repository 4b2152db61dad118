"""Where two searches part, in words."""

from engine.algorithms.contenders import title_of
from engine.analysis.overlay import Apart, Overlay
from engine.tree.trace import Trace
from visualizer.text.captions import place
from visualizer.text.numbers import counted
from visualizer.text.sentences import sentence


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
    names = (left, right) if apart.left else (right, left)
    node = here.tree[int(here.first[apart.path])]
    paths = counted(apart.paths, "path")
    said = sentence(Trace(away.tree)[apart.parting])
    return f"{paths} only in {title_of(names[0])}, {place(node)}: step {apart.step:,}", f"{title_of(names[1])}: {said}"
