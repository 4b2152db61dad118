"""The agreement of players with the solver, as files."""

import json
import shlex
from collections.abc import Callable, Iterator
from typing import Any

from engine.analysis.player_agreement import PlayerAgreements
from engine.matches.players import read_player
from visualizer.drawing import scene
from visualizer.drawing.charts.player_agreement_chart import draw_chart, draw_text_chart
from visualizer.drawing.comparison_chart import format_duration
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.narration.agreement_messages import MEASURES, format_share
from visualizer.narration.escapes import format_csv_table
from visualizer.narration.player_agreement_messages import (
    RANDOM_TITLE,
    list_player_agreement_notes,
    player_agreement_title,
)
from visualizer.narration.player_messages import player_title
from visualizer.report.blocks import Block, Chart, Command, Heading, Paragraph, Table
from visualizer.report.html import render_html_block, render_html_page
from visualizer.report.markdown import render_markdown_block

CHART_CAPTION = "The share of positions in which the move of a player agrees with the solver, by the cost of a move."


def list_rows(agreements: PlayerAgreements) -> list[dict[str, Any]]:
    """Return a record for every player, with shares from 0 to 1 and their 95 % intervals."""
    rows = []
    for row in agreements.rows:
        shares: dict[str, float] = {}
        for measure in MEASURES:
            low, high = row.interval(measure)
            shares |= {f"{measure}_share": round(row.share(measure), 6), f"{measure}_low": low, f"{measure}_high": high}
        rows.append({**row._asdict(), "seconds": round(row.seconds, 6), **shares})
    return rows


def summarize_player_agreement(agreements: PlayerAgreements) -> dict[str, Any]:
    """Return the result as the JSON of `plyscope evaluate --player`."""
    sample = agreements.sample
    return {
        "game": sample.game,
        "positions": sample.number,
        "seed": sample.seed,
        "rows": list_rows(agreements),
        "random": agreements.chance,
        "notes": list(list_player_agreement_notes(agreements)),
    }


def to_json(agreements: PlayerAgreements) -> bytes:
    return (json.dumps(summarize_player_agreement(agreements), indent=1) + "\n").encode()


def to_csv(agreements: PlayerAgreements) -> bytes:
    """Return a row for every player."""
    rows = list_rows(agreements)
    return format_csv_table([list(rows[0]), *(list(row.values()) for row in rows)]).encode()


def make_table(agreements: PlayerAgreements) -> Table:
    """Return a table: players down, shares in percent with their intervals, and the cost of a move."""
    rows = []
    for row in agreements.rows:
        shares = []
        for measure in MEASURES:
            low, high = row.interval(measure)
            shares.append(f"{format_share(row.share(measure))} ({100 * low:.0f}-{100 * high:.0f})")
        cost = [f"{row.evaluations_per_move:,.0f}", format_duration(row.seconds_per_move)]
        rows.append([player_title(read_player(row.player)), *shares, *cost])
    rows.append([RANDOM_TITLE, *(format_share(agreements.chance[measure]) for measure in MEASURES), "–", "–"])
    caption = "Kept and best in % of the positions, with 95 % intervals; evaluations and CPU time per move."
    return Table(caption, ["player", *MEASURES, "evaluations", "time"], rows, (0,))


def build_report(agreements: PlayerAgreements) -> Iterator[Block]:
    """Yield chart, table, notes and the command."""
    yield Heading(player_agreement_title(agreements), 1)
    yield Chart(CHART_CAPTION, draw_chart(agreements, explained=False), [], draw_text_chart(agreements))
    yield make_table(agreements)
    for note in list_player_agreement_notes(agreements):
        yield Paragraph(note)
    yield Command(format_command(agreements))


def format_command(agreements: PlayerAgreements) -> str:
    """Return the command that measures the same again."""
    sample = agreements.sample
    players = [word for row in agreements.rows for word in ("--player", row.player)]
    sizes = ["--positions", str(sample.number), "--seed", str(sample.seed)]
    return shlex.join(["plyscope", "evaluate", sample.game, *players, *sizes])


def to_markdown(agreements: PlayerAgreements) -> bytes:
    return ("\n\n".join(map(render_markdown_block, build_report(agreements))) + "\n").encode()


def to_html(agreements: PlayerAgreements) -> bytes:
    body = "".join(map(render_html_block, build_report(agreements)))
    return render_html_page(player_agreement_title(agreements), body).encode()


def to_svg(agreements: PlayerAgreements) -> bytes:
    return scene.to_svg(draw_chart(agreements)).encode()


def to_png(agreements: PlayerAgreements) -> bytes:
    return scene.to_png(draw_chart(agreements))


def to_pdf(agreements: PlayerAgreements) -> bytes:
    return scene_to_pdf(draw_chart(agreements))


FILE_RENDERERS: dict[str, Callable[[PlayerAgreements], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": to_png,
    ".pdf": to_pdf,
    ".md": to_markdown,
    ".html": to_html,
}
