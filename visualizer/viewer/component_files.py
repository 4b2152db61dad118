"""The HTML and CSS of the components in `assets/`."""

from visualizer.viewer.module_joiner import ASSETS

SHARED_CSS = {  # besides board.css
    "minimax_overlay": "draw/two_panes.css",
    "search_overlay": "draw/two_panes.css",
    "iteration_viewer": "components/tree_viewer/tree_viewer.css",
}


def read_html(entry: str) -> str:
    """Return the markup of a component."""
    return (ASSETS / "components" / entry / f"{entry}.html").read_text(encoding="utf-8")


def read_css(entry: str) -> str:
    """Return the styles of a component, with those that it shares with others."""
    shared = [ASSETS / name for name in ("draw/board.css", SHARED_CSS.get(entry, "")) if name]
    own = ASSETS / "components" / entry / f"{entry}.css"
    return "".join(path.read_text(encoding="utf-8") for path in [*shared, own])
