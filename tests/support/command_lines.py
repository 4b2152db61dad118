"""Command lines of `plyscope` that are parsed but not run."""

from visualizer.cli.command_line import plyscope


def parse_command_line(arguments):
    """Parse the arguments as `plyscope` does and return the name of the command. Bad usage raises an error."""
    with plyscope.make_context("plyscope", list(arguments)) as context:
        name, command, rest = plyscope.resolve_command(context, [*context._protected_args, *context.args])
        with command.make_context(name, rest, parent=context):
            return name
