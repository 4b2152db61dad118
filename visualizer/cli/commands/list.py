"""The command `plyscope list`: lists everything that can be chosen."""

import json

import click

from visualizer.cli import options


@click.command("list", epilog=options.examples("plyscope list", "plyscope list --json"))
@options.json_option
def list_command(as_json: bool) -> None:
    """List the games, evaluation functions and algorithms."""
    from visualizer.cli.output import search_output

    if as_json:
        click.echo(json.dumps(search_output.summarize_choices()))
    else:
        search_output.show_choices()
