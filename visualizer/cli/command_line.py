"""The group of commands. It lists them by purpose and loads the module of a command only when that command is used.

Each command is a module of `commands/`: `new-game` is `new_game_command` in `commands/new_game.py`.
"""

from importlib import import_module
from typing import Any

import click

SECTIONS = {
    "See a search": {
        "app": "Open the app in your browser.",
        "search": "Search a position, show the counts and write the tree to files.",
        "export": "Convert a saved tree (.parquet) to other formats.",
    },
    "Compare and measure": {
        "compare": "Compare algorithms at several depths.",
        "solve": "Find the exact result of a Connect position.",
        "evaluate": "Measure how often evaluations or players move correctly.",
        "reproduce": "Check the figures that the five student reports published.",
    },
    "Play": {
        "play": "Play against the computer in the terminal.",
        "tournament": "Let searches of different depths, or named players, compete.",
    },
    "Learn and teach": {
        "exercise": "Write an exercise as a page that grades the answer.",
        "exam": "Make exam sheets and their solutions.",
        "grade": "Grade the summaries that students downloaded.",
        "autograder": "Grade programs on Gradescope and PrairieLearn.",
    },
    "Your own programs and games": {
        "check": "Find mistakes in your own minimax or alpha-beta program.",
        "import": "Turn the trace of a program in any language into a tree.",
        "new-game": "Write an example game for you to change.",
    },
    "About": {
        "list": "List the games, evaluation functions and algorithms.",
    },
}
COMMANDS = {name: summary for commands in SECTIONS.values() for name, summary in commands.items()}
MODULE_NAMES = {"import": "import_trace"}  # `import` is a word of Python
COLUMN_CHARS = max(map(len, COMMANDS))


class CommandGroup(click.Group):
    """The group of commands. `plyscope` alone runs `plyscope app`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["app"])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return load_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from engine.core.errors import UnknownName

            raise UnknownName("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(COLUMN_CHARS), summary) for name, summary in commands.items()])


def load_command(name: str) -> click.Command:
    """Import the module of a command and return the command."""
    module = MODULE_NAMES.get(name, name.replace("-", "_"))
    command: click.Command = getattr(import_module(f"visualizer.cli.commands.{module}"), f"{module}_command")
    return command


@click.group(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`plyscope COMMAND --help` shows the options of a command and examples.",
)
@click.version_option(package_name="plyscope", prog_name="plyscope", help="Show the version and exit.")
@click.help_option("-h", "--help", help="Show this help and exit.")
def plyscope() -> None:
    """See what minimax and alpha-beta did.

    Without a command, plyscope opens the app in your browser.

    \b
    Most commands take a GAME:
      connect4, tictactoe, nim:3,4,5           a game
      connect:rows=4,cols=5,connect=4          a Connect board of any size
      k-tables, full-depth, connect-m,         a program from a student report
      long-state, threats
      "tree:[[3,12,8],[2,4,6],[14,5,2]]"       a tree of leaf values
      lecture.txt                              a tree in a file: .tree .txt .json .dot
      my_game.py:Game                          your own game

    \b
    Examples:
      plyscope                                 open the app
      plyscope search connect4 --depth 6       search and show the result
      plyscope list                            games, evaluation functions, algorithms
    """
