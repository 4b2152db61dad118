"""One page with everything: the picture, the counts, the nodes per depth. Opens offline, runs no script, loads nothing."""

from collections.abc import Iterator
from typing import Any

from engine.tree.tree import SearchTree
from visualizer.drawing.legends import legend_of_parts
from visualizer.drawing.paging import PAGE, deepest, numbered, parts, size
from visualizer.drawing.theme import DARK, FONT, IN_THE_DARK, LIGHT, Palette
from visualizer.drawing.view import View, shown
from visualizer.exporters import svg
from visualizer.narration.captions import IN_PARTS, part_title, result, title
from visualizer.narration.escapes import xml
from visualizer.narration.numbers import counted

EXTENSION = ".html"
DESCRIPTION = "self-contained page with the picture and the table of counts"
MEDIA_TYPE = "text/html"
MAX_ITEMS = svg.MAX_ITEMS
MOST_PRINTED = 100  # parts, which make the file larger for those who never print it
PARTS = (
    ".part{display:inline-block;vertical-align:top;max-width:100%;overflow-x:auto;margin:.3rem 1rem .3rem 0}\n"
    ".part p{margin:0;font-size:.85rem}.legend{font-size:.85rem}\n"
)
COUNTS = ("depth", "expanded", "leaves", "terminals", "cutoffs", "skipped")


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """The page, piece by piece. `windows` and `boards` as in svg."""
    style = {"windows": windows, "boards": boards}
    picture = svg.chunks(tree, view, **style)
    return _chunks(tree, view or View(), style, picture)


def _chunks(tree: SearchTree, view: View, style: dict[str, bool], picture: Iterator[bytes]) -> Iterator[bytes]:
    printed = _printed(tree, view, style)
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
<p>{xml(result(tree, view.is_whole))}</p>
<div class="picture{" onscreen" if printed else ""}">
""".encode()
    yield from picture
    yield f"""\
</div>
{printed}<h2>Counts</h2>
<p>Expanded is every visited node, root and leaves included. Skipped are legal moves that a cutoff left untried.</p>
{_table(tree)}</body>
</html>
""".encode()


def _printed(tree: SearchTree, view: View, style: dict[str, Any]) -> str:
    """What is printed in place of a picture that is too large for a page; nothing where it fits, or where nothing else would."""
    whole = size(tree, view, **style)
    if PAGE.holds(whole):
        return ""
    views = parts(tree, view, MOST_PRINTED, **style, frame=False)
    said = IN_PARTS.format(parts=len(views))
    if not views:
        top = deepest(tree, view, PAGE, **style, frame=False)
        if top is None:
            return ""
        views = [top]
        deep = counted(top.max_depth or 0, "ply", "plies")
        said = f"The whole picture is {whole.width:,.0f} pixels wide, too large for paper: this is its top, {deep} deep."
    return f'<div class="onpaper">\n<p>{said}</p>\n{in_parts(tree, views, **style)}</div>\n'


def in_parts(tree: SearchTree, views: list[View], windows: bool = True, boards: bool = False) -> str:
    """Small pictures side by side, each below the moves that lead there, and one legend for all."""
    pictures = "".join(
        f'<div class="part"><p>{xml(part_title(tree, view.root, number, len(views)))}</p>\n'
        f"{b''.join(svg.pieces(shown(tree, view), windows, boards, False, elsewhere)).decode()}</div>\n"
        for number, view, elsewhere in numbered(views)
    )
    said = legend_of_parts(tree, views, boards)
    return f'<div class="parts">\n{pictures}</div>\n<p class="legend">{xml(said)}</p>\n'


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
        ".picture{overflow:auto}table{border-collapse:collapse}.onpaper{display:none}\n"
        "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid}\n"
        "tbody tr:last-child{font-weight:bold}\n"
        f"{_colours(LIGHT)}{IN_THE_DARK}{{{_colours(DARK)}}}\n"
        f"{PARTS}{print_rules('.onscreen{display:none}.onpaper{display:block}.picture{overflow:visible}')}"
    )


def print_rules(*rules: str) -> str:
    """CSS for paper: nothing scrolls there, pictures shrink to the page, and what belongs together stays together."""
    usual = (
        "@page{margin:12mm}",
        "html{font-size:9.5pt}body{margin:0;padding:0;max-width:none;background:none}",
        "svg{max-width:100%;height:auto}.part{zoom:.8;overflow:visible}",
        "h1,h2,h3,.caption,p:has(+pre){break-after:avoid}tr,pre,figure,.part,.wide{break-inside:avoid}",
        "p{orphans:3;widows:3}",
    )
    return "@media print{\n" + "\n".join([*usual, *rules]) + "\n}\n"


def _colours(palette: Palette) -> str:
    return f"body{{background:{palette.background};color:{palette.text}}}th,td{{border-color:{palette.edge}}}\n"
