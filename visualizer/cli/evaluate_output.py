"""The command `plyscope evaluate`: how often evaluations agree with the truth."""

import json
from pathlib import Path

import click
import msgspec
from rich import box
from rich.progress import MofNCompleteColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from engine.analysis.agreement import Agreement, agreement, solved_positions, usual_evaluations
from engine.atomic_files import write_chunks
from engine.errors import PlyscopeError
from engine.games.declarations import name_of
from engine.games.registry import game_text, read_game
from engine.text_lists import read_numbers, read_words
from visualizer.cli.progress import PATIENCE, Bar
from visualizer.cli.search_output import out

MEANING = (
    "Random positions with two fifths to two thirds of the cells filled, in which nobody wins at once and it matters what is "
    "played. Kept: the move gives nothing away, a won position stays won and a drawn one drawn. Best: it also wins as soon "
    "as possible, or loses as late."
)


def evaluate_command(
    game: str, evaluations: str | None, depths: str, positions: int, seed: int, store: str | None, as_json: bool
) -> None:
    """Solve positions, search them, and show the shares."""
    played = read_game(game)
    names = read_words(evaluations, "evaluations") or tuple(usual_evaluations(played))
    for name in names:
        read_game(game, name)  # refuses what is no evaluation of this board
    listed = read_numbers(depths, "depths")
    with Bar(MofNCompleteColumn(), TimeElapsedColumn(), after=PATIENCE) as bar:
        told = lambda words, done, number: bar.show(description=words, completed=done, total=number)  # noqa: E731
        kept = KeptAgreements(store, f"{game_text(played) or name_of(played)}, {positions} positions, seed {seed}")
        wanted = [(name, depth) for name in names for depth in listed]
        missing = [pair for pair in wanted if pair not in kept.rows]
        solved = solved_positions(played, positions, seed, told) if missing else []
        for name, depth in missing:
            for row in agreement(played, [name], [depth], solved, told):
                kept.add(row)
        rows = [kept.rows[pair] for pair in wanted]
    if as_json:
        named = game_text(played) or name_of(played)
        click.echo(json.dumps({"game": named, "positions": positions, "seed": seed, "rows": [row._asdict() for row in rows]}))
        return
    console = out()
    console.print(Text(f"{name_of(played)}: {positions} solved positions, seed {seed}", style="bold"))
    for what in ("kept", "best"):
        console.print(_table(rows, what))
    console.print(Text(MEANING, style="dim"))


class KeptAgreements:
    """What was found, by evaluation and depth; in a file too, if one is named."""

    def __init__(self, path: str | None, asked: str):
        self.path, self.asked = None if path is None else Path(path), asked
        self._all: dict[str, list[Agreement]] = {}
        if self.path is not None and self.path.exists():
            try:
                self._all = msgspec.json.decode(self.path.read_bytes(), type=dict[str, list[Agreement]])
            except (OSError, msgspec.DecodeError) as error:
                raise PlyscopeError(f"{self.path} is no store of `plyscope evaluate`: {error}") from None
        self.rows = {(row.evaluation, row.depth): row for row in self._all.get(asked, [])}

    def add(self, row: Agreement) -> None:
        self.rows[row.evaluation, row.depth] = row
        if self.path is not None:
            self._all[self.asked] = list(self.rows.values())
            write_chunks(self.path, [msgspec.json.encode(self._all)])


def _table(rows: list[Agreement], what: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=f"{what}, in percent", title_justify="left")
    table.add_column("evaluation", no_wrap=True)
    depths = list(dict.fromkeys(row.depth for row in rows))
    for depth in depths:
        table.add_column(f"K={depth}", justify="right")
    shares = {(row.evaluation, row.depth): getattr(row, what) / row.positions for row in rows}
    for name in dict.fromkeys(row.evaluation for row in rows):
        table.add_row(name, *(f"{100 * shares[name, depth]:.0f}" for depth in depths))
    return table
