"""A report as one HTML page: light or dark as the reader prefers, without scripts or external files."""

from engine.analysis.comparison_result import Comparison
from engine.tree.tree import SearchTree
from visualizer.api import to_svg, to_text
from visualizer.drawing.document_heads import HTML_FOOT, html_head
from visualizer.drawing.paging import split_into_parts
from visualizer.drawing.scene import to_svg as scene_to_svg
from visualizer.drawing.theme import BOARD_FONT, DARK, DARK_MEDIA_QUERY, FONT, LIGHT, Palette
from visualizer.drawing.view import WHOLE_TREE
from visualizer.exporters.html import PARTS_CSS, draw_parts, print_css
from visualizer.narration.escapes import escape_xml, sanitize_line
from visualizer.narration.text_width import MAX_NAME_CHARS
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import TEXT_TREE_NOTE, build_report, report_title

PAPER_RULES = (
    "h2{margin-top:1.4rem}h3{margin-top:1rem}",
    ".wide,figure{overflow:visible}table{font-size:8pt}th,td{padding:.15rem .35rem}",
    "th:first-child,td:first-child{padding-left:0}",
    "th,td,p,h1,h2,h3{overflow-wrap:break-word}pre{white-space:pre-wrap;overflow-wrap:anywhere;overflow:visible}",
)


def to_html(comparison: Comparison) -> str:
    return render_html_page(report_title(comparison), "".join(render_html_block(block) for block in build_report(comparison)))


def render_html_page(title: str, body: str, extra_css: str = "") -> str:
    """Return a page with this body, in the style of reports."""
    return html_head(title, _page_css() + extra_css) + body + HTML_FOOT


def render_html_block(block: Block) -> str:
    """Return a block as HTML. Its text is escaped here."""
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape_xml(text)}</h{level}>\n"
        case Paragraph(text, strong):
            return f'<p class="strong">{escape_xml(text)}</p>\n' if strong else f"<p>{escape_xml(text)}</p>\n"
        case Table():
            return _render_table(block)
        case Verbatim(text):
            return f"<pre>{_escape_lines(text)}</pre>\n"
        case Command(text):
            return f'<pre class="command">{_breakable_words(text)}</pre>\n'
        case Chart(caption, scene):
            return f"<figure>\n{scene_to_svg(scene)}<figcaption>{escape_xml(caption)}</figcaption>\n</figure>\n"
        case Figure(caption, tree):
            return _render_figure(caption, tree)


def _render_figure(caption: str, tree: SearchTree) -> str:
    """Return the tree if it fits a page, else its parts, else the tree as text."""
    views = split_into_parts(tree, WHOLE_TREE, frame=False)
    if not views:
        text = f"{caption} {TEXT_TREE_NOTE}"
        return f"<p>{escape_xml(text)}</p>\n<pre>{_escape_lines(to_text(tree))}</pre>\n"
    if len(views) > 1:
        text = f"{caption} In parts that fit a page: the top, then the subtrees, each below the moves that lead there."
        return f'<div class="figure">\n{draw_parts(tree, views)}<p class="said">{escape_xml(text)}</p>\n</div>\n'
    return f"<figure>\n{to_svg(tree)}<figcaption>{escape_xml(caption)}</figcaption>\n</figure>\n"


def _breakable_words(text: str) -> str:
    """Return lines that may break between words, and within a word only if it is longer than a line."""
    return "\n".join(" ".join(f"<span>{escape_xml(word)}</span>" for word in line.split(" ")) for line in text.splitlines())


def _escape_lines(text: str) -> str:
    return "\n".join(escape_xml(sanitize_line(line)) for line in text.splitlines())


def _render_table(table: Table) -> str:
    def line(cells: list[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}{look(at, cell)}>{escape_xml(cell)}</{tag}>" for at, cell in enumerate(cells)) + "</tr>\n"

    def look(column: int, cell: str) -> str:
        names = ["left"] * (column in table.left) + ["words"] * (len(cell) > MAX_NAME_CHARS)
        return f' class="{" ".join(names)}"' if names else ""

    head = f"<thead>\n{line(table.head, 'th')}</thead>\n" if any(table.head) else ""
    caption = f'<p class="caption">{escape_xml(table.caption)}</p>\n' if table.caption else ""
    body = "".join(line(row, "td") for row in table.rows)
    return f'{caption}<div class="wide"><table>\n{head}<tbody>\n{body}</tbody>\n</table></div>\n'


def _page_css() -> str:
    return (
        f"body{{font-family:{FONT};margin:1.5rem auto;padding:0 1rem;max-width:68rem;line-height:1.5}}\n"
        "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.2rem}h3{font-size:1rem;margin-top:1.6rem}\n"
        ".wide,figure{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
        "figcaption,.said,.caption{font-size:.9rem}.caption{margin:1rem 0 0}.caption+.wide{margin-top:.3rem}\n"
        "th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid;vertical-align:top}td{white-space:nowrap}\n"
        ".left{text-align:left}td.words{white-space:normal}.strong{font-weight:bold;padding:.6rem 1rem;border:2px solid}\n"
        f"pre{{font-family:{BOARD_FONT},monospace;padding:.6rem 1rem;overflow-x:auto;border:1px solid;box-sizing:border-box}}\n"
        "pre{width:fit-content;max-width:100%}.command,.command span{white-space:pre-wrap;overflow-wrap:anywhere}\n"
        ".command span{display:inline-block;max-width:100%}.pair{display:flex;flex-wrap:wrap;gap:0 2.5rem}"
        ".scene{max-width:100%;height:auto}\n"
        f"{_colour_rules(LIGHT)}{DARK_MEDIA_QUERY}{{\n{_colour_rules(DARK)}}}\n"
        f"{PARTS_CSS}{print_css(*PAPER_RULES)}"
    )


def _colour_rules(palette: Palette) -> str:
    return (
        f"body{{background:{palette.background};color:{palette.text}}}th,td,pre{{border-color:{palette.edge}}}\n"
        f"figcaption,.said,.caption{{color:{palette.muted}}}.strong{{border-color:{palette.lines[0]}}}\n"
    )
