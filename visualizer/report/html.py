"""A report as one page: light or dark as the reader likes, runs no script, loads nothing."""

from engine.compared import Comparison
from visualizer.api import to_svg
from visualizer.escapes import plain, xml
from visualizer.report.blocks import Block, Chart, Figure, Heading, Paragraph, Table, Verbatim
from visualizer.report.content import report, title
from visualizer.sketch import to_svg as sketch_to_svg
from visualizer.theme import BOARD_FONT, DARK, FONT, LIGHT, Palette


def to_html(comparison: Comparison) -> str:
    body = "".join(_block(block) for block in report(comparison))
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{xml(title(comparison))}</title>
<style>
{_css()}</style>
</head>
<body>
{body}</body>
</html>
"""


def _block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{xml(text)}</h{level}>\n"
        case Paragraph(text, strong):
            return f'<p class="strong">{xml(text)}</p>\n' if strong else f"<p>{xml(text)}</p>\n"
        case Table():
            return _table(block)
        case Verbatim(text):
            return f"<pre>{_lines(text)}</pre>\n"
        case Chart(caption, sketch, _):
            return f"<figure>\n{sketch_to_svg(sketch)}<figcaption>{xml(caption)}</figcaption>\n</figure>\n"
        case Figure(caption, tree):
            return f"<figure>\n{to_svg(tree)}<figcaption>{xml(caption)}</figcaption>\n</figure>\n"


def _lines(text: str) -> str:
    return "\n".join(xml(plain(line)) for line in text.splitlines())


def _table(table: Table) -> str:
    def line(cells: list[str], tag: str) -> str:
        classes = [' class="left"' if column in table.left else "" for column in range(len(cells))]
        return (
            "<tr>" + "".join(f"<{tag}{said}>{xml(cell)}</{tag}>" for said, cell in zip(classes, cells, strict=True)) + "</tr>\n"
        )

    head = f"<thead>\n{line(table.head, 'th')}</thead>\n" if any(table.head) else ""
    caption = f"<caption>{xml(table.caption)}</caption>\n" if table.caption else ""
    body = "".join(line(row, "td") for row in table.rows)
    return f'<div class="wide"><table>\n{caption}{head}<tbody>\n{body}</tbody>\n</table></div>\n'


def _css() -> str:
    return (
        f"body{{font-family:{FONT};margin:1.5rem auto;padding:0 1rem;max-width:68rem;line-height:1.5}}\n"
        "h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2.2rem}h3{font-size:1rem;margin-top:1.6rem}\n"
        ".wide,figure{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
        "caption{text-align:left;padding:.3rem 0}figcaption,caption{font-size:.9rem}\n"
        "th,td{padding:.25rem .7rem;text-align:right;border-bottom:1px solid;vertical-align:top}td{white-space:nowrap}\n"
        ".left{text-align:left}.strong{font-weight:bold;padding:.6rem 1rem;border:2px solid}\n"
        f"pre{{font-family:{BOARD_FONT},monospace;padding:.6rem 1rem;overflow-x:auto;border:1px solid}}\n"
        "pre{width:fit-content;max-width:95%}.sketch{max-width:100%;height:auto}\n"
        "@media print{figure svg{max-width:100%;height:auto}}\n"
        f"{_colours(LIGHT)}@media (prefers-color-scheme:dark){{\n{_colours(DARK)}}}\n"
    )


def _colours(palette: Palette) -> str:
    return (
        f"body{{background:{palette.background};color:{palette.text}}}th,td,pre{{border-color:{palette.edge}}}\n"
        f"figcaption,caption{{color:{palette.muted}}}.strong{{border-color:{palette.lines[0]}}}\n"
    )
