"""The agreement of evaluations with the solver, as files."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from engine.analysis.agreement import RANDOM_MOVE, Agreements
from visualizer.drawing import agreement_chart, scene
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.narration.agreement_messages import MEASURES, agreement_title, format_share, list_agreement_notes
from visualizer.narration.escapes import format_csv_table
from visualizer.report.blocks import Block, Chart, Command, Heading, Paragraph, Table
from visualizer.report.html import render_html_block, render_html_page
from visualizer.report.markdown import render_markdown_block

CHART_CAPTION = "The share of positions in which the move of a search agrees with the solver, by depth K."


def summarize_agreement(agreements: Agreements) -> dict[str, Any]:
    """Return the result as the JSON of `plyscope evaluate`."""
    sample = agreements.sample
    return {
        "game": sample.game,
        "positions": sample.number,
        "seed": sample.seed,
        "rows": [row._asdict() for row in agreements.rows],
        "random": {measure: getattr(agreements.chance, measure) for measure in MEASURES},
        "notes": list(list_agreement_notes(agreements)),
    }


def to_json(agreements: Agreements) -> bytes:
    return (json.dumps(summarize_agreement(agreements), indent=1) + "\n").encode()


def to_csv(agreements: Agreements) -> bytes:
    """Return a row for every evaluation at every depth. The row of a random move, which has no depth, is the last."""
    rows: list[list[Any]] = [[row.evaluation, row.depth, row.positions, row.kept, row.best] for row in agreements.rows]
    chance = agreements.chance
    rows.append([RANDOM_MOVE, None, chance.positions, chance.kept, chance.best])
    return format_csv_table([["evaluation", "depth", "positions", "kept", "best"], *rows]).encode()


def make_table(agreements: Agreements, measure: str) -> Table:
    """Return a table in percent: evaluations down, depths across."""
    rows = [
        [name, *(format_share(agreements.share(name, depth, measure)) for depth in agreements.depths)]
        for name in agreements.evaluations
    ]
    by_chance = getattr(agreements.chance, measure) / agreements.chance.positions
    rows.append([RANDOM_MOVE, *[format_share(by_chance)] * len(agreements.depths)])
    return Table(
        f"{MEASURES[measure]}, in % of the positions.", ["evaluation", *(f"K={depth}" for depth in agreements.depths)], rows, (0,)
    )


def build_report(agreements: Agreements) -> Iterator[Block]:
    """Yield chart, tables, notes and the command."""
    yield Heading(agreement_title(agreements), 1)
    yield Chart(
        CHART_CAPTION, agreement_chart.draw_chart(agreements, explained=False), [], agreement_chart.draw_text_chart(agreements)
    )
    for measure in MEASURES:
        yield make_table(agreements, measure)
    for note in list_agreement_notes(agreements):
        yield Paragraph(note)
    yield Command(format_command(agreements))


def format_command(agreements: Agreements) -> str:
    """Return the command that measures the same again."""
    sample = agreements.sample
    chosen = f"--evaluations {','.join(agreements.evaluations)} --depths {','.join(map(str, agreements.depths))}"
    return f'plyscope evaluate "{sample.game}" {chosen} --positions {sample.number} --seed {sample.seed}'


def to_markdown(agreements: Agreements) -> bytes:
    return ("\n\n".join(map(render_markdown_block, build_report(agreements))) + "\n").encode()


def to_html(agreements: Agreements) -> bytes:
    return render_html_page(agreement_title(agreements), "".join(map(render_html_block, build_report(agreements)))).encode()


def to_svg(agreements: Agreements) -> bytes:
    return scene.to_svg(agreement_chart.draw_chart(agreements)).encode()


def to_png(agreements: Agreements) -> bytes:
    return scene.to_png(agreement_chart.draw_chart(agreements))


def to_pdf(agreements: Agreements) -> bytes:
    return scene_to_pdf(agreement_chart.draw_chart(agreements))


FILE_RENDERERS: dict[str, Callable[[Agreements], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": to_png,
    ".pdf": to_pdf,
    ".md": to_markdown,
    ".html": to_html,
}
