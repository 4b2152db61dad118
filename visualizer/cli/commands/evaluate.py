"""The command `plyscope evaluate`: compares the moves of searches with the solver's results."""

import json
from collections.abc import Sequence
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
from engine.analysis.player_agreement import PlayerAgreement, PlayerAgreements, list_players, measure_players
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.core.parsing import read_numbers, read_words
from engine.games.capabilities import declared_name
from engine.games.registry import game_text, read_game
from visualizer.cli import options
from visualizer.cli.output.compare_output import describe_hidden_columns, fit_columns, make_rich_table
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.cli.output.progress import BAR_DELAY_SECONDS, ProgressBar
from visualizer.exporters import check_target
from visualizer.narration.agreement_messages import MEASURES, list_agreement_notes
from visualizer.narration.player_agreement_messages import list_player_agreement_notes
from visualizer.report import player_agreement_files
from visualizer.report.agreement_files import FILE_RENDERERS, make_table, summarize_agreement


@click.command(
    "evaluate",
    epilog=options.examples(
        "plyscope evaluate connect4 --depths 1-4 --positions 50",
        "plyscope evaluate connect4 --evaluations chains,threats -o agreement.svg",
        "plyscope evaluate connect4 --player mcts:iterations=1000 --player alphabeta:depth=4",
        "plyscope evaluate connect4 --player mcts:c=0.5 --player mcts:c=2 --iterations 10,100,1000 -o c.svg",
    ),
)
@click.argument("game")
@click.option("--evaluations", help="Evaluation functions, separated by commas: chains,threats. [default: all of the board]")
@click.option("--depths", default="1-6", show_default=True, help="Search depths: 1-6 or 2,4.")
@click.option(
    "--player",
    "players",
    multiple=True,
    help="Compare players instead of evaluation functions: mcts:iterations=1000, alphabeta:depth=4. Without a depth or "
    "iterations all of --depths or --iterations are measured. Can be repeated.",
)
@click.option(
    "--iterations", default="10,100,1000", show_default=True, help="Iterations of players such as mcts:c=0.5: 10,100,1000."
)
@click.option("--positions", type=int, default=200, show_default=True, help="Number of solved positions.")
@options.seed_option
@click.option(
    "--store", type=click.Path(), help="File that saves the results, so that they are not computed again: results.json."
)
@options.json_option
@options.output_option("File to write, for example agreement.svg. Data: .csv .json. Charts: .svg .png .pdf. Reports: .md .html.")
def evaluate_command(
    game: str,
    evaluations: str | None,
    depths: str,
    players: tuple[str, ...],
    iterations: str,
    positions: int,
    seed: int,
    store: str | None,
    as_json: bool,
    outputs: tuple[str, ...],
) -> None:
    """Measure how often evaluations or players move correctly.

    All of them search the same positions. The solver knows which moves are correct.
    """
    if players:
        if evaluations or store:
            raise PlyscopeError("--player replaces --evaluations and --store: name an evaluation as alphabeta:evaluation=chains")
        sizes = read_numbers(depths, "depths"), read_numbers(iterations, "numbers of iterations")
        evaluate_players(game, players, *sizes, positions, seed, as_json, outputs)
        return
    targets = [check_target(output, FILE_RENDERERS, "write agreement") for output in outputs]
    played = read_game(game)
    names = read_words(evaluations, "evaluations") or tuple(list_evaluations(played))
    check_evaluations(played, names)
    depth_numbers = read_numbers(depths, "depths")
    check_depths(depth_numbers)
    sample = PositionSample(game_text(played), positions, seed)
    with ProgressBar(MofNCompleteColumn(), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        on_progress = lambda words, done, total: bar.show(description=words, completed=done, total=total)  # noqa: E731
        results = AgreementStore(store, str(sample))
        pairs = [(name, depth) for name in names for depth in depth_numbers]
        for row in measure_missing_agreements(sample, pairs, results.rows, on_progress):
            results.add(row)
    found = Agreements(sample, tuple(results.rows[pair] for pair in pairs), results.rows[RANDOM_MOVE, NO_DEPTH])
    if as_json:
        click.echo(json.dumps(summarize_agreement(found)))
    else:
        console = PlainConsole()
        console.print(Text(f"{declared_name(played)}: {positions} solved positions, seed {seed}", style="bold"))
        for measure in MEASURES:
            table = make_table(found, measure)
            fitting = fit_columns(table, console.width)
            console.print(Text(table.caption, style="dim"))
            console.print(make_rich_table(fitting, console.width))
        if hidden := [name for name in table.head if name not in fitting.head]:
            console.print(Text(describe_hidden_columns(hidden), style="dim"))
        for note in list_agreement_notes(found):
            console.print(Text(note, style="dim"))
    write_files(targets, lambda target: write_chunks(target, [FILE_RENDERERS[target.suffix.lower()](found)]), quiet=as_json)


def evaluate_players(
    game: str,
    texts: tuple[str, ...],
    depths: Sequence[int],
    iterations: Sequence[int],
    positions: int,
    seed: int,
    as_json: bool,
    outputs: tuple[str, ...],
) -> None:
    """Measure players, and show their agreement with the solver."""
    targets = [check_target(output, player_agreement_files.FILE_RENDERERS, "write agreement") for output in outputs]
    played = read_game(game)
    check_depths(depths)
    players, sample = list_players(played, texts, depths, iterations), PositionSample(game_text(played), positions, seed)
    rows: list[PlayerAgreement] = []
    chance: dict[str, float] = {}
    with ProgressBar(MofNCompleteColumn(), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        on_progress = lambda words, done, total: bar.show(description=words, completed=done, total=total)  # noqa: E731
        for found in measure_players(sample, players, on_progress):
            if isinstance(found, PlayerAgreement):
                rows.append(found)
            else:
                chance = found
    agreements = PlayerAgreements(sample, tuple(rows), chance)
    if as_json:
        click.echo(json.dumps(player_agreement_files.summarize_player_agreement(agreements)))
    else:
        console, table = PlainConsole(), player_agreement_files.make_table(agreements)
        console.print(Text(f"{declared_name(played)}: {positions} solved positions, seed {seed}", style="bold"))
        console.print(Text(table.caption, style="dim"))
        console.print(make_rich_table(table, console.width))
        for note in list_player_agreement_notes(agreements):
            console.print(Text(note, style="dim"))
    renderers = player_agreement_files.FILE_RENDERERS
    write_files(targets, lambda target: write_chunks(target, [renderers[target.suffix.lower()](agreements)]), quiet=as_json)


class AgreementStore:
    """The results by evaluation and depth. A file, if there is one, also holds those of other samples."""

    def __init__(self, path: str | None, sample: str):
        self.path, self.sample = None if path is None else Path(path), sample
        self._all: dict[str, list[Agreement]] = {}
        if self.path is not None and self.path.exists():
            try:
                self._all = msgspec.json.decode(self.path.read_bytes(), type=dict[str, list[Agreement]])
            except (OSError, msgspec.DecodeError) as error:
                raise PlyscopeError(f"{self.path} is not a store of `plyscope evaluate`: {error}") from None
            for row in (row for rows in self._all.values() for row in rows):
                if not 0 <= row.best <= row.kept <= row.positions or row.positions < 1:
                    result = f"its result of {row.evaluation[:40]!r} at K={row.depth} is impossible"
                    raise PlyscopeError(f"{self.path} is not a store of `plyscope evaluate`: {result}")
        self.rows = {(row.evaluation, row.depth): row for row in self._all.get(sample, [])}

    def add(self, row: Agreement) -> None:
        """Add a result and write the file."""
        self.rows[row.evaluation, row.depth] = row
        if self.path is not None:
            self._all[self.sample] = list(self.rows.values())
            write_chunks(self.path, [msgspec.json.encode(self._all)])
