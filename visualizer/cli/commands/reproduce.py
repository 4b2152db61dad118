"""The command `plyscope reproduce`: measures the published figures of the student reports."""

import json

import click

from visualizer.cli import options
from visualizer.cli.exit_codes import EXIT_FAILED

UCT_EXPERIMENTS, BALLARD_EXPERIMENT = "uct", "ballard"


@click.command(
    "reproduce",
    epilog=options.examples(
        "plyscope reproduce", "plyscope reproduce k-tables --json", "plyscope reproduce uct", "plyscope reproduce ballard"
    ),
)
@click.argument("preset", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array and nothing else.")
def reproduce_command(preset: str | None, as_json: bool) -> None:
    """Check the figures that the five student reports published.

    PRESET limits this to one report: full-depth, connect-m, long-state, threats or k-tables. The name uct measures two published
    experiments with Monte-Carlo tree search instead: failures on random trees, and falls into traps on Connect 4. The name
    ballard measures the leaves that Star1 and Star2 save on random trees with chance.

    Exit code 0: every measured figure equals the published one. 1: at least one differs.
    """
    if preset == UCT_EXPERIMENTS:
        _reproduce_uct(as_json)
        return
    if preset == BALLARD_EXPERIMENT:
        _reproduce_ballard(as_json)
        return
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


def _reproduce_uct(as_json: bool) -> None:
    """Measure the experiments with UCT. They have no single published number, so there is nothing to be equal to."""
    from engine.analysis.uct_experiments import NOTES, measure_p_games, measure_traps
    from visualizer.cli.output.progress import activity_progress
    from visualizer.cli.output.search_output import show_failure_rates

    with activity_progress() as on_progress:
        rates = [*measure_p_games(on_progress=on_progress), *measure_traps(on_progress=on_progress)]
    if not as_json:
        show_failure_rates(rates, NOTES)
        return
    rows = [
        {
            "preset": UCT_EXPERIMENTS,
            "figure": f"{rate.experiment}: {rate.setting}",
            "published": None,
            "measured": rate.share if rate.trials else None,
            "equal": None,
            "interval": rate.interval,
            "failures": rate.failures,
            "trials": rate.trials,
        }
        for rate in rates
    ]
    click.echo(json.dumps(rows))


def _reproduce_ballard(as_json: bool) -> None:
    """Measure the leaves that Star1 and Star2 save. The published figures are ranges of another set-up: nothing is equal."""
    from engine.analysis.ballard_experiment import LEAF_MODELS, NOTES, measure_saved_leaves
    from visualizer.cli.output.progress import activity_progress
    from visualizer.cli.output.search_output import show_saved_leaves

    with activity_progress() as on_progress:
        measured = measure_saved_leaves(on_progress=on_progress)
    if not as_json:
        show_saved_leaves(measured, NOTES)
        return
    rows = [
        {
            "preset": BALLARD_EXPERIMENT,
            "figure": f"leaves saved by {saved.algorithm}, {LEAF_MODELS[saved.leaf_model]}, b = {saved.branching}",
            "published": saved.published,
            "measured": saved.mean,
            "equal": None,
            "interval": saved.interval,
            "deviation": saved.deviation,
            "algorithm": saved.algorithm,
            "leaf_model": saved.leaf_model,
            "branching": saved.branching,
            "trees": len(saved.shares),
        }
        for saved in measured
    ]
    click.echo(json.dumps(rows))
