"""The command `plyscope evaluate`: how often evaluations agree with the truth."""

import json
from pathlib import Path

import click
import msgspec
from rich.progress import MofNCompleteColumn, TimeElapsedColumn
from rich.text import Text

from engine.analysis.agreement import (
    NO_DEPTH,
    RANDOM,
    Agreement,
    Agreements,
    PositionSample,
    check_depths,
    check_evaluations,
    missing_agreements,
    usual_evaluations,
)
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.core.parsing import read_numbers, read_words
from engine.games.capabilities import name_of
from engine.games.registry import game_text, read_game
from visualizer.cli.output.compare_output import drawn, fitted
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_all
from visualizer.cli.output.progress import PATIENCE, Bar
from visualizer.exporters import check_target
from visualizer.narration.agreement_messages import MEASURES, notes
from visualizer.report.agreement_files import FILES, summary, table


def evaluate_command(
    game: str,
    evaluations: str | None,
    depths: str,
    positions: int,
    seed: int,
    store: str | None,
    as_json: bool,
    outputs: tuple[str, ...],
) -> None:
    """Solve positions, search them, show the shares, and write them."""
    targets = [check_target(output, FILES, "write agreement") for output in outputs]
    played = read_game(game)
    names = read_words(evaluations, "evaluations") or tuple(usual_evaluations(played))
    check_evaluations(played, names)
    listed = read_numbers(depths, "depths")
    check_depths(listed)
    sample = PositionSample(game_text(played), positions, seed)
    with Bar(MofNCompleteColumn(), TimeElapsedColumn(), after=PATIENCE) as bar:
        told = lambda words, done, number: bar.show(description=words, completed=done, total=number)  # noqa: E731
        kept = KeptAgreements(store, str(sample))
        wanted = [(name, depth) for name in names for depth in listed]
        for row in missing_agreements(sample, wanted, kept.rows, told):
            kept.add(row)
    found = Agreements(sample, tuple(kept.rows[pair] for pair in wanted), kept.rows[RANDOM, NO_DEPTH])
    if as_json:
        click.echo(json.dumps(summary(found)))
    else:
        console = PlainConsole()
        console.print(Text(f"{name_of(played)}: {positions} solved positions, seed {seed}", style="bold"))
        for measure in MEASURES:
            shown = table(found, measure)
            fitting = fitted(shown, console.width)
            console.print(Text(shown.caption, style="dim"))
            console.print(drawn(fitting, console.width))
        if left_out := [name for name in shown.head if name not in fitting.head]:
            said = f"Left out, for want of room: {', '.join(left_out)}. They are in --json and -o FILE."
            console.print(Text(said, style="dim"))
        for note in notes(found):
            console.print(Text(note, style="dim"))
    write_all(targets, lambda target: write_chunks(target, [FILES[target.suffix.lower()](found)]), quiet=as_json)


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
            for row in (row for rows in self._all.values() for row in rows):
                if not 0 <= row.best <= row.kept <= row.positions or row.positions < 1:
                    said = f"{row.evaluation[:40]!r} at K={row.depth} cannot be true"
                    raise PlyscopeError(f"{self.path} is no store of `plyscope evaluate`: what it says of {said}")
        self.rows = {(row.evaluation, row.depth): row for row in self._all.get(asked, [])}

    def add(self, row: Agreement) -> None:
        self.rows[row.evaluation, row.depth] = row
        if self.path is not None:
            self._all[self.asked] = list(self.rows.values())
            write_chunks(self.path, [msgspec.json.encode(self._all)])
