"""The command `plyscope new-game`: writes an example game for the user to change."""

import click

from visualizer.cli import options


@click.command("new-game", epilog=options.examples("plyscope new-game my_game", "plyscope new-game my_othello --like othello"))
@click.argument("name")
@click.option("--like", default="sticks", show_default=True, help="Example to copy: sticks or othello.")
def new_game_command(name: str, like: str) -> None:
    """Write an example game for you to change.

    NAME.py will have a class with six methods, comments and a test.
    """
    from visualizer.cli.examples import write_new_game

    target = write_new_game(name, like)
    click.echo(f"Wrote {target}. Try: plyscope search {target}:Game --depth 4")
