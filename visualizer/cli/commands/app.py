"""The command `plyscope app`: serves the app and opens it in the browser."""

from typing import Any

import click

from visualizer.cli import options


@click.command(
    "app",
    epilog=options.examples(
        "plyscope app",
        "plyscope app --port 8501 --no-browser",
        "plyscope app --open run.parquet",
        "plyscope app --host 0.0.0.0 --run-programs",
    ),
)
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the server, for example 8080. [default: 8501 or a free one]")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on. 0.0.0.0 serves other computers, too.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--open", "tree_file", type=click.Path(), help="Show this saved tree (.parquet) or trace (.jsonl).")
@click.option(
    "--run-programs",
    is_flag=True,
    envvar="PLYSCOPE_RUN_PROGRAMS",
    show_envvar=True,
    help="Run programs of visitors who have the printed address, isolated by the Linux kernel.",
)
@options.server_access_options
@options.server_limit_options
def app_command(
    port: int | None,
    host: str,
    no_browser: bool,
    tree_file: str | None,
    run_programs: bool,
    allowed_hosts: tuple[str, ...],
    embedded_in: tuple[str, ...],
    **limits: Any,
) -> None:
    """Open the app in your browser.

    Only this computer can reach it, unless you change --host. Ctrl-C stops it.
    """
    from visualizer.app.request_guard import Access
    from visualizer.app.server import serve
    from visualizer.pool.limits import Limits

    chosen_limits = {name: value for name, value in limits.items() if value is not None}
    page = "" if tree_file is None else _open_tree_file(tree_file)
    access = Access(host, allowed_hosts, embedded_in)
    serve(host, port, not no_browser, page, limits=Limits(**chosen_limits), access=access, run_programs=run_programs)


def _open_tree_file(tree_file: str) -> str:
    """Load a tree for the pages. Return the part of the address that shows it."""
    from visualizer.app.state.opened_trees import open_tree
    from visualizer.cli.output.progress import load_with_progress

    return open_tree(load_with_progress(tree_file))
