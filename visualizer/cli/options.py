"""Options that several commands share."""

import re
from collections.abc import Callable
from typing import Any

import click

Runs = Callable[..., Any]


def together(*options: Callable[[Runs], Runs]) -> Callable[[Runs], Runs]:
    """Several options as one, shown in this order."""

    def decorate(command: Runs) -> Runs:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


position = together(
    click.argument("game"),
    click.option("--moves", default=None, help="Position, as the moves from the start: 334, or 3,3,4."),
    click.option("--first", type=click.Choice(["max", "min"]), help="The side that made the first of them."),
)
algorithm = click.option("--algorithm", default="alphabeta", show_default=True, help="See plyscope list.")
evaluation = click.option("--evaluation", help="Static evaluation of Connect boards: see plyscope list.")
seed = click.option("--seed", type=int, default=0, show_default=True, help="Of what is random.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")


class Searching(click.Command):
    """A command that searches: it has the options that the algorithms declare, and gets those that were given as `options`."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*self.params, *map(_of_algorithm, _declared().values()), *super().get_params(ctx)[len(self.params) :]]

    def invoke(self, ctx: click.Context) -> Any:
        typed = {name: ctx.params.pop(name) for name in _declared()}
        ctx.params["options"] = {
            option.name: option.read("1" if option.is_switch else typed[name])
            for name, option in _declared().items()
            if typed[name]
        }
        return super().invoke(ctx)


def _declared() -> dict[str, Any]:
    """The options of all algorithms by what they are called here: a switch that is on in one algorithm and off in another has a
    flag for either."""
    from engine.algorithms import ALGORITHMS

    declared: dict[str, Any] = {}
    for algorithm in ALGORITHMS.values():
        for option in algorithm.options:
            declared.setdefault(_parameter(option), option)
    return declared


def _parameter(option: Any) -> str:
    return str(option.typed[2:].replace("-", "_"))


def _of_algorithm(option: Any) -> click.Option:
    usual = "" if option.is_switch or option.default is None else f" [default: {_usual(option)}]"
    return click.Option([option.typed, _parameter(option)], is_flag=option.is_switch, help=f"{option.typed_line}{usual}")


def _usual(option: Any) -> str:
    """What an option is unless it is given, and in which algorithms it is something else."""
    from engine.algorithms import ALGORITHMS

    usual: dict[Any, list[str]] = {}
    for name, algorithm in ALGORITHMS.items():
        for other in algorithm.options:
            if other.name == option.name:
                usual.setdefault(other.default, []).append(name)
    (first, _), *others = usual.items()
    return "; ".join([_written(first), *(f"{', '.join(names)}: {_written(value)}" for value, names in others)])


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def max_nodes(meaning: str) -> Callable[[Runs], Runs]:
    return click.option("--max-nodes", type=int, default=50_000_000, show_default=True, help=meaning)


class Memory(click.ParamType):
    """An amount of memory: 500MB, 2GB."""

    name = "AMOUNT"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> int:
        found = re.fullmatch(r"(\d{1,9})\s*([MG])B?", str(value).strip(), re.ASCII | re.IGNORECASE)
        if found is None or int(found[1]) == 0:
            self.fail(f"{value!r} is no amount of memory: write it like 500MB or 2GB", parameter, context)
        return int(found[1]) << {"M": 20, "G": 30}[found[2].upper()]


max_memory = click.option(
    "--max-memory", type=Memory(), help="Stop when the tree has taken this much, as 500MB or 2GB. [default: half of what is free]"
)


def _of_a_server(name: str, variable: str, type: Any, meaning: str, **several: Any) -> Callable[[Runs], Runs]:
    envvar = f"PLYSCOPE_{name[2:].replace('-', '_').upper()}"
    return click.option(name, variable, type=type, envvar=envvar, show_envvar=True, help=meaning, **several)


access_to_a_server = together(
    _of_a_server("--allowed-host", "allowed_hosts", str, "Another name that the server answers to.", multiple=True),
    _of_a_server("--embed-in", "embedded_in", str, "A site that may show the app in a frame.", multiple=True),
)

limits_of_a_server = together(
    _of_a_server("--workers", "workers", click.IntRange(1, 1024), "Processes that search. [default: one less than cores]"),
    _of_a_server("--memory", "memory", Memory(), "For all trees together, as 500MB or 2GB. [default: half of what is free]"),
    _of_a_server("--max-nodes", "nodes", click.IntRange(1000), "Nodes of one search. [default: 5000000]"),
    _of_a_server("--max-seconds", "seconds", click.FloatRange(1), "Seconds of one search or comparison. [default: 60]"),
    _of_a_server("--scheduler", "scheduler", str, "Search on a dask cluster: the address of its scheduler, tcp://host:8786."),
)


def outputs(meaning: str) -> Callable[[Runs], Runs]:
    return click.option("--output", "-o", "outputs", multiple=True, help=meaning)


writes_trees = together(
    outputs("File to write; the format follows from the extension."),
    click.option("--text-style", default="full", show_default=True, help="Of .txt: full, or values (as k-tables prints them)."),
    click.option("--boards", is_flag=True, help="Boards at the nodes, in .svg, .html, .dot, .png, .pdf and .graphml."),
    click.option("--states", is_flag=True, help="States, in .txt and .csv; left out of trees of more than 20,000 nodes."),
    click.option("--to-depth", type=click.IntRange(0), help="Write the tree only down to this depth."),
    click.option("--subtree", type=click.IntRange(0), default=0, help="Write only the subtree of this node (row number)."),
    click.option("--around", type=click.IntRange(0), help="Write only the path to this node, with siblings, and its children."),
    click.option("--best-line", is_flag=True, help="Write only the principal variation with its siblings."),
    click.option("--first-nodes", type=click.IntRange(1), help="Write only the nodes visited first."),
    click.option("--collapse", type=click.IntRange(0), multiple=True, help="Draw the subtree of this node as one node."),
    click.option("--paper", default="a4", show_default=True, help="Of .pdf and .tex, a4 or letter."),
    click.option("--no-stubs", is_flag=True, help="Leave out the moves that cutoffs skipped."),
)
