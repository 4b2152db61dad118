"""In a notebook a SearchTree shows itself, as much of it as can be looked at."""

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View

MOST = 400  # items of a picture in a notebook


def show_trees() -> None:
    """Give SearchTree the method that notebooks ask for. The engine knows nothing of pictures, so it is attached from here."""
    SearchTree._repr_svg_ = picture  # type: ignore[attr-defined]


def picture(tree: SearchTree) -> str:
    """The whole tree if it is small, else as many plies as fit, else the principal variation."""
    from visualizer.api import to_svg

    return to_svg(tree, notebook_view(tree))


def notebook_view(tree: SearchTree) -> View:
    """The most that can be looked at."""
    if tree.expanded + tree.skipped <= MOST:
        return View()
    items = 0
    for row in tree.per_depth:
        items += row["expanded"] + row["skipped"]
        if items > MOST:
            depth = row["depth"] - 1
            return View(max_depth=depth) if depth >= 2 else View(principal=True, stubs=False)
    return View()
