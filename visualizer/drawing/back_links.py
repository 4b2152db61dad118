"""Which nodes of a picture go back to an earlier one: what the table answered, to the node that it was found at, and what was
searched again, to its probe."""

import numpy as np

from engine.record.columns import TABLE
from visualizer.drawing.view import STUB, Shown

MOST = 300  # lines: more of them hide the tree


def back_links(part: Shown) -> list[tuple[int, int]]:
    """Pairs of items, where both are in the picture."""
    tree = part.tree
    if not len(tree.columns.link):
        return []
    items = np.flatnonzero(part.kind != STUB)
    item_of = dict(zip(part.row[items].tolist(), items.tolist(), strict=True))
    linked = items[tree.columns.link[part.row[items]] >= 0].tolist()
    rows = ((item, int(part.row[item])) for item in linked)
    back = ((item, int(tree.columns.link[row])) for item, row in rows if tree.status[row] == TABLE or tree[row].probe is not None)
    return [(item, item_of[source]) for item, source in back if source in item_of]


def legend(part: Shown, links: list[tuple[int, int]]) -> list[str]:
    """What the lines are, or why there are none."""
    if len(links) > MOST:
        return [f"{len(links):,} answers and re-searches: lines to where they come from are drawn for up to {MOST}, .csv has all"]
    tree = part.tree
    found = [tree.status[part.row[item]] == TABLE for item, _ in links]
    said = ["a ◆ to where its answer was found"] * any(found) + ["a re-search to its probe"] * (not all(found))
    return [f"dots lead from {' and '.join(said)}"] if said else []
