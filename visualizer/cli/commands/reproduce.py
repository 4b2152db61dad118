"""The command `plyscope reproduce`: measures the published figures of the student reports."""

import json

import click

from visualizer.cli import options
from visualizer.cli.exit_codes import EXIT_FAILED


@click.command("reproduce", epilog=options.examples("plyscope reproduce", "plyscope reproduce k-tables --json"))
@click.argument("preset", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array and nothing else.")
def reproduce_command(preset: str | None, as_json: bool) -> None:
    """Check the figures that the five student reports published.

    PRESET limits this to one report: full-depth, connect-m, long-state, threats or k-tables.

    Exit code 0: every measured figure equals the published one. 1: at least one differs.
    """
    from engine.analysis.published_figures import reproduce_figures
    from visualizer.cli.output import search_output
    from visualizer.cli.output.progress import figure_progress

    with figure_progress() as on_figure:
        figures = reproduce_figures(preset, on_figure)
    if as_json:
        click.echo(json.dumps([{**figure._asdict(), "equal": figure.equal} for figure in figures]))
    else:
        search_output.show_figures(figures, preset)
    if not all(figure.equal for figure in figures):
        raise SystemExit(EXIT_FAILED)
