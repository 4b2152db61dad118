"""The URL parameters that hold the state of the viewer. They are declared here, once, and sent to the browser with the tree.

The browser reads and writes them (assets/input/url_codec.js). The server only checks the step and the bookmarks, and removes
all of them where another tree is shown.
"""

from typing import NamedTuple


class ViewerParam(NamedTuple):
    """A URL parameter of the viewer."""

    name: str  # in the URL
    field: str  # of the state of the view: `collectState` and `applyState` in saved_state.js
    codec: str  # how its text is read and written: a key of CODECS in url_codec.js
    remembered: bool = True  # the browser restores it when the user comes back from another page


VIEWER_PARAMS = (
    ViewerParam("step", "t", "step"),
    ViewerParam("marks", "bookmarks", "bookmarks"),
    ViewerParam("view", "viewName", "view"),
    ViewerParam("cam", "aim", "camera"),
    ViewerParam("colour", "colouring", "colouring"),
    ViewerParam("range", "range", "range"),
    ViewerParam("fold", "folded", "rows"),
    ViewerParam("tab", "tab", "tab"),
    ViewerParam("node", "selected", "row"),
    ViewerParam("pass", "pass", "pass"),
    ViewerParam("best", "best", "flag"),
    ViewerParam("lecture", "lecture", "flag", remembered=False),
)
ITERATION_PARAMS = (  # of the viewer of searches in iterations: iteration_state.js
    ViewerParam("iteration", "iteration", "iteration"),
    ViewerParam("phase", "phase", "phase"),
    ViewerParam("marks", "bookmarks", "bookmarks"),
    ViewerParam("view", "viewName", "view"),
    ViewerParam("lecture", "lecture", "flag", remembered=False),
)
VIEWER_PARAM_NAMES = tuple(dict.fromkeys(parameter.name for parameter in (*VIEWER_PARAMS, *ITERATION_PARAMS)))
