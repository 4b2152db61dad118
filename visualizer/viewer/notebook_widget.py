"""The viewer as a notebook widget, by anywidget: JupyterLab, Notebook 7, VS Code, Colab and marimo show it.

The payload goes to the browser as binary data. The step, the view and the selection are traits, kept equal in Python and in the
browser. The kernel answers what the browser cannot know: the parts of a leaf's value.
"""

import json
import re
import time
from typing import Any

import anywidget
import traitlets

from engine.analysis.alignment import align_with_minimax
from engine.tree.tree import SearchTree
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.component_files import read_css, read_html
from visualizer.viewer.module_joiner import ASSETS, join_modules
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import VisiblePart, last_step

HOST, COMPONENT = "notebook", "tree_viewer"
DEFAULT_HEIGHT, MIN_HEIGHT, MAX_HEIGHT = 560, 320, 4_000  # pixels
MAX_ALIGNMENT_SECONDS = 2.0  # for the minimax search that finds the values of skipped moves
WIDGET_MEDIA_TYPE = "application/vnd.jupyter.widget-view+json"
_VIEWS = re.compile(r"^export const VIEWS = (\[.*\]);$", re.MULTILINE)


def read_view_names() -> list[str]:
    """Return the names of the viewer's pictures, read from the list that the browser uses.

    >>> read_view_names()[:2]
    ['path', 'whole']
    """
    found = _VIEWS.search((ASSETS / "input" / "url_codec.js").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("url_codec.js has no list VIEWS")
    return json.loads(found[1])


def _join_widget() -> str:
    """Return the front-end module: the viewer, the host, and the markup with its styles."""
    markup = json.dumps(f"<style>{read_css(COMPONENT)}</style>{read_html(COMPONENT)}")
    return join_modules(HOST, COMPONENT, main=f"export default joined.{HOST}.createWidget(joined.{COMPONENT}, {markup});")


def build_notebook_payload(tree: SearchTree, part: VisiblePart | None) -> bytes:
    """Return the payload as a file has it, but without the values of skipped moves if minimax needs too long to find them."""
    until = time.monotonic() + MAX_ALIGNMENT_SECONDS
    alignment = align_with_minimax(tree, lambda _nodes: time.monotonic() < until)
    return build_payload(tree, part, None if alignment is None else alignment.spared)


class TreeView(anywidget.AnyWidget):
    """The viewer of one tree. `step`, `view`, `selection` and `height` can be read, set and observed.

    `step` is None until the browser shows the tree; if it stays None, playback runs to the first cutoff. `view` is one
    of `read_view_names()`. `selection` is the number of the selected node, or None.
    """

    _esm = _join_widget()
    payload = traitlets.Bytes(read_only=True).tag(sync=True)
    step = traitlets.Int(None, allow_none=True).tag(sync=True)
    view = traitlets.Enum(read_view_names(), None, allow_none=True).tag(sync=True)
    selection = traitlets.Int(None, allow_none=True).tag(sync=True)
    height = traitlets.Int(DEFAULT_HEIGHT, min=MIN_HEIGHT, max=MAX_HEIGHT).tag(sync=True)
    _saved = traitlets.Dict(value_trait=traitlets.Unicode(), key_trait=traitlets.Unicode()).tag(sync=True)  # as a link has it

    def __init__(self, tree: SearchTree, part: VisiblePart | None, picture: str, **settings: Any):
        self.tree, self.part, self._picture = tree, part, picture
        self._last_step = last_step(tree, part)
        self.set_trait("payload", build_notebook_payload(tree, part))
        super().__init__(**settings)
        self.on_msg(self._answer_request)

    def __repr__(self) -> str:
        return f"<TreeView of {self.tree!r}, step {self.step}>"

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget for a kernel, and the picture for saved notebooks."""
        data, metadata = super()._repr_mimebundle_() or ({}, {})
        return {**data, "image/svg+xml": self._picture}, metadata

    @traitlets.validate("step")
    def _check_step(self, proposal: dict[str, Any]) -> int | None:
        return self._check_number("step", proposal["value"], self._last_step)

    @traitlets.validate("selection")
    def _check_selection(self, proposal: dict[str, Any]) -> int | None:
        node = self._check_number("node", proposal["value"], len(self.tree) - 1)
        if node is not None and self.part is not None and self.part.index_of(node) is None:
            raise traitlets.TraitError(f"node {node:,} is not in the part of the tree that is shown")
        return node

    def _check_number(self, noun: str, number: int | None, last: int) -> int | None:
        if number is not None and not 0 <= number <= last:
            raise traitlets.TraitError(f"there is no {noun} {number:,}: this view has 0 to {last:,}")
        return number

    def _answer_request(self, _widget: object, content: object, _buffers: object) -> None:
        """Answer "why" about a leaf. Data from a browser is not trusted."""
        node = content.get("node") if isinstance(content, dict) and content.get("request") == "why" else None
        if isinstance(node, int) and 0 <= node < len(self.tree) and self.tree[node].is_leaf:
            self.send({"breakdown": build_breakdown(self.tree, node)})
