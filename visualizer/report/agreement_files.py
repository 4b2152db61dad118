"""How often evaluations agree with the truth, as files."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine.analysis.agreement import RANDOM, Agreements
from visualizer.drawing import agreement_chart, scene
from visualizer.narration.agreement_messages import MEASURES, notes, share_text, title
from visualizer.narration.escapes import csv_table
from visualizer.report.blocks import Block, Chart, Command, Heading, Paragraph, Table
from visualizer.report.html import block_html, page_html
from visualizer.report.markdown import block_markdown

CAPTION = "Over K: the share of the positions in which the best move of a search agrees with the truth."


def summary(agreements: Agreements) -> dict[str, Any]:
    """The result as the JSON of `plyscope evaluate`."""
    sample = agreements.sample
    return {
        "game": sample.game,
        "positions": sample.number,
        "seed": sample.seed,
        "rows": [row._asdict() for row in agreements.rows],
        "random": {measure: getattr(agreements.chance, measure) for measure in MEASURES},
        "notes": list(notes(agreements)),
    }


def to_json(agreements: Agreements) -> bytes:
    return (json.dumps(summary(agreements), indent=1) + "\n").encode()


def to_csv(agreements: Agreements) -> bytes:
    """A row for every evaluation at every depth; that of a random move, which has no depth, is the last."""
    rows: list[list[Any]] = [[row.evaluation, row.depth, row.positions, row.kept, row.best] for row in agreements.rows]
    chance = agreements.chance
    rows.append([RANDOM, None, chance.positions, chance.kept, chance.best])
    return csv_table([["evaluation", "depth", "positions", "kept", "best"], *rows]).encode()


def table(agreements: Agreements, measure: str) -> Table:
    """Evaluations down, depths across, in percent."""
    rows = [
        [name, *(share_text(agreements.share(name, depth, measure)) for depth in agreements.depths)]
        for name in agreements.evaluations
    ]
    by_chance = getattr(agreements.chance, measure) / agreements.chance.positions
    rows.append([RANDOM, *[share_text(by_chance)] * len(agreements.depths)])
    return Table(
        f"{MEASURES[measure]}, in % of the positions.", ["evaluation", *(f"K={depth}" for depth in agreements.depths)], rows, (0,)
    )


def report(agreements: Agreements) -> Iterator[Block]:
    """Chart, tables, what they mean, and how they are made again."""
    yield Heading(title(agreements), 1)
    yield Chart(CAPTION, agreement_chart.sketch(agreements, explained=False), [], agreement_chart.as_text(agreements))
    for measure in MEASURES:
        yield table(agreements, measure)
    for note in notes(agreements):
        yield Paragraph(note)
    yield Command(command(agreements))


def command(agreements: Agreements) -> str:
    """What can be typed to measure the same."""
    sample = agreements.sample
    chosen = f"--evaluations {','.join(agreements.evaluations)} --depths {','.join(map(str, agreements.depths))}"
    return f'plyscope evaluate "{sample.game}" {chosen} --positions {sample.number} --seed {sample.seed}'


def to_markdown(agreements: Agreements) -> bytes:
    return ("\n\n".join(map(block_markdown, report(agreements))) + "\n").encode()


def to_html(agreements: Agreements) -> bytes:
    return page_html(title(agreements), "".join(map(block_html, report(agreements)))).encode()


def to_svg(agreements: Agreements) -> bytes:
    return scene.to_svg(agreement_chart.sketch(agreements)).encode()


def to_picture(agreements: Agreements, kind: str) -> bytes:
    """The same, drawn by Graphviz."""
    return scene.to_picture(agreement_chart.sketch(agreements), kind)


FILES: dict[str, Callable[[Agreements], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": partial(to_picture, kind="png"),
    ".pdf": partial(to_picture, kind="pdf"),
    ".md": to_markdown,
    ".html": to_html,
}
