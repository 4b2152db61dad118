"""One page with everything: the picture, the counts, the nodes per depth. Opens offline, runs no script, loads nothing."""

from collections.abc import Iterator
from typing import Any

from engine.tree import SearchTree
from visualizer.caption import outcome, title
from visualizer.escapes import xml
from visualizer.exporters import svg
from visualizer.theme import DARK, FONT, LIGHT, Palette
from visualizer.view import View

EXTENSION = ".html"
DESCRIPTION = "self-contained page with the picture and the table of counts"
COUNTS = ("depth", "expanded", "leaves", "terminals", "cutoffs", "skipped")


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True) -> Iterator[bytes]:
    """The page, piece by piece."""
    picture = svg.chunks(tree, view, windows)
    return _chunks(tree, picture)


def _chunks(tree: SearchTree, picture: Iterator[bytes]) -> Iterator[bytes]:
    yield f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{xml(title(tree))}</title>
<style>
{_css()}</style>
</head>
<body>
<h1>{xml(title(tree))}</h1>
<p>{xml(outcome(tree))}</p>
<div class="picture">
""".encode()
    yield from picture
    yield f"""\
</div>
<h2>Counts</h2>
<p>Expanded is every visited node, root and leaves included. Skipped are legal moves that a cutoff left untried.</p>
{_table(tree)}</body>
</html>
""".encode()


def _table(tree: SearchTree) -> str:
    total: dict[str, Any] = {
        "depth": "all",
        "expanded": tree.expanded,
        "leaves": tree.leaves,
        "terminals": tree.terminals,
        "cutoffs": tree.cutoffs,
        "skipped": tree.skipped,
    }
    head = "".join(f"<th>{name}</th>" for name in COUNTS)
    lines = ["<tr>" + "".join(f"<td>{_cell(row[name])}</td>" for name in COUNTS) + "</tr>" for row in [*tree.per_depth, total]]
    return "<table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>\n"


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _css() -> str:
    return (
        f"body{{font-family:{FONT};margin:1.5rem;line-height:1.4}}h1{{font-size:1.3rem}}h2{{font-size:1.1rem}}\n"
        ".picture{overflow:auto}table{border-collapse:collapse}\n"
        "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid}\n"
        "tbody tr:last-child{font-weight:bold}\n"
        f"{_colours(LIGHT)}@media (prefers-color-scheme:dark){{{_colours(DARK)}}}\n"
    )


def _colours(palette: Palette) -> str:
    return f"body{{background:{palette.background};color:{palette.text}}}th,td{{border-color:{palette.edge}}}\n"
