"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import Any

import click

CommandFunction = Callable[..., Any]


def combine_options(*options: Callable[[CommandFunction], CommandFunction]) -> Callable[[CommandFunction], CommandFunction]:
    """Combine several options into one decorator. Help shows them in this order."""

    def decorate_command(command: CommandFunction) -> CommandFunction:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate_command


def examples(*commands: str) -> str:
    """Return the examples at the end of a command's help, one per line."""
    return "\b\n" + "\n".join(["Example:" if len(commands) == 1 else "Examples:", *(f"  {command}" for command in commands)])


position_options = combine_options(
    click.argument("game"),
    click.option("--moves", default=None, help="Start after these moves, for example 334 or 3,3,4."),
    click.option("--first", type=click.Choice(["max", "min"]), help="Side that makes the first move. [default: as in the game]"),
)
algorithm_option = click.option(
    "--algorithm",
    help="Algorithm, for example minimax or pvs, or your own: my_algorithm.py:NAME. `plyscope list` shows all. "
    "[default: alphabeta; with chance: expectiminimax; .test files: their agent]",
)
evaluation_option = click.option(
    "--evaluation", help="Evaluation function of a Connect board, for example chains. `plyscope list` shows all."
)
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Seed of the random numbers. The same seed gives the same result."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


def depth_option(meaning: str) -> Callable[[CommandFunction], CommandFunction]:
    """Return the option --depth with this help text."""
    return click.option("--depth", "-k", type=int, help=f"{meaning} [default: 4; k-tables: 3; trees: to the end]")


class SearchCommand(click.Command):
    """A command that searches. It also has the options of the algorithms. Those that were typed arrive as `options`."""

    iterates = False  # True: it also takes algorithms that run in iterations

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [
            *self.params,
            *map(_make_algorithm_option, _declared_options(self.iterates).values()),
            *super().get_params(ctx)[len(self.params) :],
        ]

    def invoke(self, ctx: click.Context) -> Any:
        typed = {name: ctx.params.pop(name) for name in _declared_options(self.iterates)}
        ctx.params["options"] = {
            option.name: option.read("1" if option.is_switch else typed[name])
            for name, option in _declared_options(self.iterates).items()
            if typed[name]
        }
        return super().invoke(ctx)


class AnySearchCommand(SearchCommand):
    """A command that searches with any algorithm, also with those that run in iterations."""

    iterates = True


def _declared_options(iterates: bool) -> dict[str, Any]:
    """Return the options of all algorithms by parameter name, if `iterates` also of those that run in iterations.

    A switch that is on in one algorithm and off in another has a flag for either.
    """
    from engine.algorithms import ALGORITHMS, all_algorithms

    declared: dict[str, Any] = {}
    for algorithm in (all_algorithms() if iterates else ALGORITHMS).values():
        for option in algorithm.options:
            declared.setdefault(_parameter_name(option), option)
    return declared


def _parameter_name(option: Any) -> str:
    return str(option.command_line_name[2:].replace("-", "_"))


def _make_algorithm_option(option: Any) -> click.Option:
    usual = "" if option.is_switch or option.default is None else f" [default: {_describe_default(option)}]"
    return click.Option(
        [option.command_line_name, _parameter_name(option)], is_flag=option.is_switch, help=f"{option.command_line_help}{usual}"
    )


def _describe_default(option: Any) -> str:
    """Return the default of an option, and the algorithms that have another default."""
    from engine.algorithms import all_algorithms

    usual: dict[Any, list[str]] = {}
    for name, algorithm in all_algorithms().items():
        for other in algorithm.options:
            if other.name == option.name:
                usual.setdefault(other.default, []).append(name)
    (first, _), *others = usual.items()
    return "; ".join([_format_value(first), *(f"{', '.join(names)}: {_format_value(value)}" for value, names in others)])


def _format_value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


max_nodes_option = click.option(
    "--max-nodes", type=int, help="Stop after this many nodes. [default: as many as fit into half of the free memory]"
)


def choose_max_nodes(max_nodes: int | None, max_memory: int | None = None) -> int:
    """Return the node limit: the one that was typed, or the number of nodes that fit into memory."""
    from engine.core.memory_budget import count_affordable_nodes, memory_budget

    return count_affordable_nodes(memory_budget(max_memory)) if max_nodes is None else max_nodes


class MemorySize(click.ParamType):
    """An amount of memory: 500MB, 2GB."""

    name = "AMOUNT"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> int:
        found = re.fullmatch(r"(\d{1,9})\s*([MG])B?", str(value).strip(), re.ASCII | re.IGNORECASE)
        if found is None or int(found[1]) == 0:
            self.fail(f"{value!r} is not an amount of memory: write, for example, 500MB or 2GB", parameter, context)
        return int(found[1]) << {"M": 20, "G": 30}[found[2].upper()]


max_memory_option = click.option(
    "--max-memory",
    type=MemorySize(),
    help="Stop when the tree takes this much memory, for example 500MB or 2GB. [default: half of the free memory]",
)


def _server_option(
    name: str, variable: str, type: Any, meaning: str, **several: Any
) -> Callable[[CommandFunction], CommandFunction]:
    """Return an option of the server that can also be set by an environment variable."""
    envvar = f"PLYSCOPE_{name[2:].replace('-', '_').upper()}"
    return click.option(name, variable, type=type, envvar=envvar, show_envvar=True, help=meaning, **several)


server_access_options = combine_options(
    _server_option(
        "--allowed-host",
        "allowed_hosts",
        str,
        "Another name of the server, for example class.example.org. Can be repeated.",
        multiple=True,
    ),
    _server_option(
        "--allow-embedding",
        "embedded_in",
        str,
        "Site that may show the app in a frame, for example https://course.example.org. Can be repeated.",
        multiple=True,
    ),
)

server_limit_options = combine_options(
    _server_option("--workers", "workers", click.IntRange(1, 1024), "Number of worker processes. [default: cores - 1]"),
    _server_option(
        "--memory",
        "memory",
        MemorySize(),
        "Memory for all trees together, for example 500MB or 2GB. [default: half of the free memory]",
    ),
    _server_option("--max-nodes", "nodes", click.IntRange(1000), "Node limit of one search. [default: from --memory]"),
    _server_option("--max-seconds", "seconds", click.FloatRange(1), "Time limit of one search or comparison. [default: 60]"),
    _server_option("--scheduler", "scheduler", str, "Search on the dask cluster of this scheduler, for example tcp://host:8786."),
)


def output_option(meaning: str) -> Callable[[CommandFunction], CommandFunction]:
    """Return the option --output with this help text."""
    return click.option("--output", "-o", "outputs", multiple=True, help=meaning)


def interactive_options(meaning: str) -> Callable[[CommandFunction], CommandFunction]:
    """Return the options --interactive, with this help text, and --title."""
    return combine_options(
        click.option("--interactive", is_flag=True, help=meaning),
        click.option("--title", default="", help="Title of an interactive page."),
    )


curves_option = click.option(
    "--curves",
    multiple=True,
    help="File for visits and means of each move over the iterations, with exact values, regret and depth (mcts, puct, "
    "mcts-solver), for example curves.csv. Data: .csv .json. Charts: .svg .png .pdf. Reports: .md .html. Can be repeated.",
)
tree_file_options = combine_options(
    output_option("File to write, for example tree.svg. The extension sets the format. Can be repeated."),
    click.option(
        "--view",
        "picture",
        type=click.Choice(["tree", "overview"]),
        default="tree",
        show_default=True,
        help="Picture: the tree, or an overview of the whole search, of any size (.svg .png .pdf).",
    ),
    click.option(
        "--colour",
        default="how-left",
        show_default=True,
        help="Colours of an overview: how-left (by a cutoff, after all moves, as a leaf), value, saved (skipped moves) "
        "or node-type (PV, CUT, ALL).",
    ),
    click.option(
        "--text-style", default="full", show_default=True, help="Style of .txt: full, or values (only values, as in k-tables)."
    ),
    click.option("--boards", is_flag=True, help="Draw a board at each node (.svg .html .dot .png .pdf .graphml)."),
    click.option("--states", is_flag=True, help="Write the state of each node (.txt .csv; up to 20,000 nodes)."),
    click.option("--to-depth", type=click.IntRange(0), help="Write the tree only down to this depth, for example 2."),
    click.option("--subtree", type=click.IntRange(0), default=0, help="Write only the subtree of this node, for example 17."),
    click.option("--around", type=click.IntRange(0), help="Write only the path to this node with siblings, and its children."),
    click.option("--best-line", is_flag=True, help="Write only the principal variation and its siblings."),
    click.option("--first-nodes", type=click.IntRange(1), help="Write only the first nodes that were visited, for example 100."),
    click.option(
        "--collapse", type=click.IntRange(0), multiple=True, help="Draw the subtree of this node as one node. Can be repeated."
    ),
    click.option(
        "--min-visits", type=click.IntRange(0), help="Write only nodes with this many visits (mcts, puct, mcts-solver)."
    ),
    click.option("--paper", default="a4", show_default=True, help="Paper size of .pdf and .tex: a4 or letter."),
    click.option("--no-stubs", is_flag=True, help="Leave out the skipped moves."),
    interactive_options("Make .html a page to step through the search, without a server."),
    click.option("--steps", help="Steps of an animation (.gif .webp), for example 0-80; at most 400. [default: all]"),
    click.option("--size", default="1280x720", show_default=True, help="Size of an animation in pixels (.gif .webp)."),
    click.option(
        "--theme",
        type=click.Choice(["light", "dark"]),
        default="light",
        show_default=True,
        help="Colours of an animation (.gif .webp). Pictures as .svg and .html follow the screen.",
    ),
)
