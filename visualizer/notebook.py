"""The display of a SearchTree in a notebook: as much of the tree as is readable."""

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View

MAX_PICTURE_ITEMS = 400  # items of a picture in a notebook


def install_tree_display() -> None:
    """Give SearchTree the method that notebooks call. The engine does not import drawing code, so it is attached here."""
    SearchTree._repr_svg_ = draw_tree  # type: ignore[attr-defined]


def draw_tree(tree: SearchTree) -> str:
    """Draw the whole tree if it is small, else as many plies as fit, else the principal variation."""
    from visualizer.api import to_svg

    return to_svg(tree, notebook_view(tree))


def notebook_view(tree: SearchTree) -> View:
    """Return the largest view that is readable."""
    if tree.expanded + tree.skipped <= MAX_PICTURE_ITEMS:
        return View()
    items = 0
    for row in tree.per_depth:
        items += row["expanded"] + row["skipped"]
        if items > MAX_PICTURE_ITEMS:
            depth = row["depth"] - 1
            return View(max_depth=depth) if depth >= 2 else View(principal=True, stubs=False)
    return View()
