"""The command `plyscope evaluate`: measures how often evaluations agree with the truth."""

import json
from pathlib import Path

import click
import msgspec
from rich.progress import MofNCompleteColumn, TimeElapsedColumn
from rich.text import Text

from engine.analysis.agreement import (
    NO_DEPTH,
    RANDOM_MOVE,
    Agreement,
    Agreements,
    PositionSample,
    check_depths,
    check_evaluations,
    list_evaluations,
    measure_missing_agreements,
)
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.core.parsing import read_numbers, read_words
from engine.games.capabilities import declared_name
from engine.games.registry import game_text, read_game
from visualizer.cli.output.compare_output import fit_columns, make_rich_table
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.cli.output.progress import BAR_DELAY_SECONDS, ProgressBar
from visualizer.exporters import check_target
from visualizer.narration.agreement_messages import MEASURES, list_agreement_notes
from visualizer.report.agreement_files import FILE_RENDERERS, make_table, summarize_agreement


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
    targets = [check_target(output, FILE_RENDERERS, "write agreement") for output in outputs]
    played = read_game(game)
    names = read_words(evaluations, "evaluations") or tuple(list_evaluations(played))
    check_evaluations(played, names)
    listed = read_numbers(depths, "depths")
    check_depths(listed)
    sample = PositionSample(game_text(played), positions, seed)
    with ProgressBar(MofNCompleteColumn(), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        told = lambda words, done, number: bar.show(description=words, completed=done, total=number)  # noqa: E731
        kept = AgreementStore(store, str(sample))
        wanted = [(name, depth) for name in names for depth in listed]
        for row in measure_missing_agreements(sample, wanted, kept.rows, told):
            kept.add(row)
    found = Agreements(sample, tuple(kept.rows[pair] for pair in wanted), kept.rows[RANDOM_MOVE, NO_DEPTH])
    if as_json:
        click.echo(json.dumps(summarize_agreement(found)))
    else:
        console = PlainConsole()
        console.print(Text(f"{declared_name(played)}: {positions} solved positions, seed {seed}", style="bold"))
        for measure in MEASURES:
            shown = make_table(found, measure)
            fitting = fit_columns(shown, console.width)
            console.print(Text(shown.caption, style="dim"))
            console.print(make_rich_table(fitting, console.width))
        if left_out := [name for name in shown.head if name not in fitting.head]:
            said = f"Left out, for want of room: {', '.join(left_out)}. They are in --json and -o FILE."
            console.print(Text(said, style="dim"))
        for note in list_agreement_notes(found):
            console.print(Text(note, style="dim"))
    write_files(targets, lambda target: write_chunks(target, [FILE_RENDERERS[target.suffix.lower()](found)]), quiet=as_json)


class AgreementStore:
    """The results by evaluation and depth; also in a file, if one is named."""

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
        """Add a result and write the file."""
        self.rows[row.evaluation, row.depth] = row
        if self.path is not None:
            self._all[self.asked] = list(self.rows.values())
            write_chunks(self.path, [msgspec.json.encode(self._all)])
