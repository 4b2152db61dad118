"""The work of drawing several searches above each other."""

from dataclasses import dataclass

from engine import Question, SearchTree, search
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM, Alignment, NotAligned
from engine.core.errors import BadLimit
from engine.core.stop_reason import StopReason
from visualizer.drawing.overview.colourings import NodeClass
from visualizer.drawing.overview.strips import SavedByCutoffs, draw_strip, draw_strip_legend, present_classes, stack_strips
from visualizer.drawing.scene import Scene, to_svg
from visualizer.pool.tasks import Listener
from visualizer.pool.work_types import is_subtree_search


@dataclass(frozen=True)
class DrawOverviews:
    """Draw the overviews of several searches above each other, at the same scale, as SVG.

    Where one of them is minimax and another alpha-beta, a last picture shows minimax with the nodes that alpha-beta saves.
    """

    searches: tuple[tuple[str, Question], ...]  # with their titles
    nodes: tuple[int, ...]  # how many each expands

    def __call__(self, listener: Listener) -> bytes:
        strips: list[Scene] = []
        classes: dict[str, NodeClass] = {}
        aligned: dict[str, tuple[str, SearchTree]] = {}
        for (title, question), nodes in zip(self.searches, self.nodes, strict=True):
            tree = search(question, max_nodes=nodes, on_progress=listener.progress)
            if tree.stopped == StopReason.CANCELLED:
                return b""  # nobody waits for it, or it runs again where it may take longer
            if tree.stopped:
                raise BadLimit("The server does not have enough memory for these overviews: choose a smaller K.")
            strips.append(draw_strip(tree, title, max(self.nodes)))
            classes |= {one.label: one for one in present_classes(tree)}
            if question.algorithm in (FULL_ALGORITHM, PRUNED_ALGORITHM):
                aligned.setdefault(question.algorithm, (title, tree))
        strips.append(draw_strip_legend(list(classes.values())))
        if (pair := self._align(aligned)) is not None:
            colouring = SavedByCutoffs(pair)
            title = f"{aligned[FULL_ALGORITHM][0]}, where {aligned[PRUNED_ALGORITHM][0]} goes"
            strips.append(draw_strip(pair.minimax, title, max(self.nodes), colouring))
            strips.append(draw_strip_legend(present_classes(pair.minimax, colouring)))
        return to_svg(stack_strips(strips)).encode()

    def _align(self, aligned: dict[str, tuple[str, SearchTree]]) -> Alignment | None:
        """Return the alignment of minimax and alpha-beta, or None if they are not both here or visit different nodes."""
        if len(aligned) < 2:
            return None
        (_, minimax), (_, pruned) = aligned[FULL_ALGORITHM], aligned[PRUNED_ALGORITHM]
        try:
            return Alignment(minimax, pruned) if is_subtree_search(minimax.question, pruned.question) else None
        except NotAligned:
            return None
