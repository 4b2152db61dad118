"""The command `plyscope import`: turns the trace of another program into a tree."""

from typing import Any

import click

from visualizer.cli import options


@click.command(
    "import",
    epilog=options.examples("plyscope import trace.jsonl -o run.parquet", "plyscope import trace.jsonl -o tree.svg --to-depth 3"),
)
@click.argument("trace_file", type=click.Path())
@options.tree_file_options
def import_trace_command(trace_file: str, **files: Any) -> None:
    """Turn the trace of a program in any language into a tree.

    The program writes a trace (.jsonl), one line for each call of its search. The guide
    engine/tree/README.md describes the lines and has writers for Python, Java, C++ and JavaScript. `plyscope check trace.jsonl`
    looks for mistakes in it.
    """
    from visualizer.cli.output.console import PlainConsole
    from visualizer.cli.output.output_files import OutputFiles
    from visualizer.cli.output.progress import load_trace
    from visualizer.narration.numbers import format_count

    output_files = OutputFiles(**files)
    tree = load_trace(trace_file)
    counts = f"{format_count(tree.expanded, 'call')}, {format_count(tree.leaves, 'leaf', 'leaves')}"
    PlainConsole().print(f"read {counts}, {format_count(tree.cutoffs, 'cutoff')}")
    output_files.write_tree(tree, quiet=False)
