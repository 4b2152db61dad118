"""One page with the picture, the counts and the nodes per depth. It works offline, runs no script and loads nothing."""

from collections.abc import Iterator
from typing import Any

from engine.tree.tree import SearchTree
from visualizer.drawing.document_heads import HTML_FOOT, html_head
from visualizer.drawing.legends import parts_legend
from visualizer.drawing.paging import PORTRAIT_PAGE, find_deepest_view, number_parts, picture_size, split_into_parts
from visualizer.drawing.theme import DARK, DARK_MEDIA_QUERY, FONT, LIGHT, Palette
from visualizer.drawing.view import View, select_items
from visualizer.exporters import svg
from visualizer.narration.captions import PARTS_NOTE, part_title, search_title, summarize_result
from visualizer.narration.escapes import escape_xml
from visualizer.narration.numbers import format_count

EXTENSION = ".html"
DESCRIPTION = "self-contained page with the picture and the table of counts"
MEDIA_TYPE = "text/html"
MAX_ITEMS = svg.MAX_ITEMS
MAX_PRINTED_PARTS = 100  # parts: more would make the file too large
PARTS_CSS = (
    ".part{display:inline-block;vertical-align:top;max-width:100%;overflow-x:auto;margin:.3rem 1rem .3rem 0}\n"
    ".part p{margin:0;font-size:.85rem}.legend{font-size:.85rem}\n"
)
COUNT_COLUMNS = ("depth", "expanded", "leaves", "terminals", "cutoffs", "skipped")


def chunks(tree: SearchTree, view: View | None = None, windows: bool = True, boards: bool = False) -> Iterator[bytes]:
    """Return the page in pieces. `windows` and `boards` as in svg."""
    style = {"windows": windows, "boards": boards}
    picture = svg.chunks(tree, view, **style)
    return _write_page(tree, view or View(), style, picture)


def _write_page(tree: SearchTree, view: View, style: dict[str, bool], picture: Iterator[bytes]) -> Iterator[bytes]:
    printed = _print_version(tree, view, style)
    yield f"""\
{html_head(search_title(tree), _page_css())}<h1>{escape_xml(search_title(tree))}</h1>
<p>{escape_xml(summarize_result(tree, view.is_whole))}</p>
<div class="picture{" onscreen" if printed else ""}">
""".encode()
    yield from picture
    yield f"""\
</div>
{printed}<h2>Counts</h2>
<p>Expanded counts every visited node, including the root and the leaves. Skipped counts legal moves that cutoffs left out.</p>
{_count_table(tree)}{HTML_FOOT}""".encode()


def _print_version(tree: SearchTree, view: View, style: dict[str, Any]) -> str:
    """Return the parts to print in place of a picture that is too large for a page.

    The text is empty if the picture fits, or if not even its top does.
    """
    whole = picture_size(tree, view, **style)
    if PORTRAIT_PAGE.can_hold(whole):
        return ""
    views = split_into_parts(tree, view, MAX_PRINTED_PARTS, **style, frame=False)
    note = PARTS_NOTE.format(parts=len(views))
    if not views:
        top = find_deepest_view(tree, view, PORTRAIT_PAGE, **style, frame=False)
        if top is None:
            return ""
        views = [top]
        levels = format_count(top.max_depth or 0, "level")
        note = f"The whole picture is {whole.width:,.0f} pixels wide, too large for paper. This is its top, {levels} deep."
    return f'<div class="onpaper">\n<p>{note}</p>\n{draw_parts(tree, views, **style)}</div>\n'


def draw_parts(tree: SearchTree, views: list[View], windows: bool = True, boards: bool = False) -> str:
    """Draw small pictures side by side, each below the moves that lead there, and one legend for all."""
    pictures = "".join(
        f'<div class="part"><p>{escape_xml(part_title(tree, view.root, number, len(views)))}</p>\n'
        f"{b''.join(svg.draw_chunks(select_items(tree, view), windows, boards, False, elsewhere)).decode()}</div>\n"
        for number, view, elsewhere in number_parts(views)
    )
    legend = parts_legend(tree, views, boards)
    return f'<div class="parts">\n{pictures}</div>\n<p class="legend">{escape_xml(legend)}</p>\n'


def _count_table(tree: SearchTree) -> str:
    total: dict[str, Any] = {
        "depth": "all",
        "expanded": tree.expanded,
        "leaves": tree.leaves,
        "terminals": tree.terminals,
        "cutoffs": tree.cutoffs,
        "skipped": tree.skipped,
    }
    head = "".join(f"<th>{name}</th>" for name in COUNT_COLUMNS)
    lines = [
        "<tr>" + "".join(f"<td>{_format_cell(row[name])}</td>" for name in COUNT_COLUMNS) + "</tr>"
        for row in [*tree.per_depth, total]
    ]
    return "<table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>\n"


def _format_cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _page_css() -> str:
    return (
        f"body{{font-family:{FONT};margin:1.5rem;line-height:1.4}}h1{{font-size:1.3rem}}h2{{font-size:1.1rem}}\n"
        ".picture{overflow:auto}table{border-collapse:collapse}.onpaper{display:none}\n"
        "th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid}\n"
        "tbody tr:last-child{font-weight:bold}\n"
        f"{_colour_css(LIGHT)}{DARK_MEDIA_QUERY}{{{_colour_css(DARK)}}}\n"
        f"{PARTS_CSS}{print_css('.onscreen{display:none}.onpaper{display:block}.picture{overflow:visible}')}"
    )


def print_css(*rules: str) -> str:
    """Return CSS for paper: nothing scrolls, pictures shrink to the page, and related items stay together."""
    usual = (
        "@page{margin:12mm}",
        "html{font-size:9.5pt}body{margin:0;padding:0;max-width:none;background:none}",
        "svg{max-width:100%;height:auto}.part{zoom:.8;overflow:visible}",
        "h1,h2,h3,.caption,p:has(+pre){break-after:avoid}tr,pre,figure,.part,.wide{break-inside:avoid}",
        "p{orphans:3;widows:3}",
    )
    return "@media print{\n" + "\n".join([*usual, *rules]) + "\n}\n"


def _colour_css(palette: Palette) -> str:
    return f"body{{background:{palette.background};color:{palette.text}}}th,td{{border-color:{palette.edge}}}\n"
