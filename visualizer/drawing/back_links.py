"""Links from a node of a picture back to an earlier one: from a table hit to the node that stored the entry, and from a
re-search to its probe.
"""

import numpy as np

from engine.record.columns import TABLE
from visualizer.drawing.view import STUB, ViewItems

MAX_LINKS = 300  # more lines would hide the tree


def find_back_links(part: ViewItems) -> list[tuple[int, int]]:
    """Return the links as pairs of items, where both ends are in the picture."""
    tree = part.tree
    if not len(tree.columns.link):
        return []
    items = np.flatnonzero(part.kind != STUB)
    item_of = dict(zip(part.row[items].tolist(), items.tolist(), strict=True))
    linked = items[tree.columns.link[part.row[items]] >= 0].tolist()
    rows = ((item, int(part.row[item])) for item in linked)
    back = ((item, int(tree.columns.link[row])) for item, row in rows if tree.status[row] == TABLE or tree[row].probe is not None)
    return [(item, item_of[source]) for item, source in back if source in item_of]


def link_legend(part: ViewItems, links: list[tuple[int, int]]) -> list[str]:
    """Return the legend of the links, or the reason why none are drawn."""
    if len(links) > MAX_LINKS:
        return [
            f"{len(links):,} table hits and re-searches: lines to their sources are drawn for up to {MAX_LINKS}; .csv has all"
        ]
    tree = part.tree
    found = [tree.status[part.row[item]] == TABLE for item, _ in links]
    sources = ["a ◆ to the node that its value comes from"] * any(found) + ["a re-search to its probe"] * (not all(found))
    return [f"dotted lines lead from {' and '.join(sources)}"] if sources else []
