"""The command `plyscope solve`: finds the exact result of a position, and shows what each idea of the solver saves."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich import box
from rich.progress import TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from engine import Question, solve
from engine.games.boards import format_state
from engine.games.capabilities import declared_name, move_name
from engine.games.positions import read_position
from engine.games.registry import game_text, read_game
from engine.solver.ablation import MAX_RUNG_NODES, RungResult, halving_note, solve_by_rungs
from engine.solver.solver import Solution
from engine.solver.steppable_search import find_steppable_searches
from visualizer.cli import options
from visualizer.cli.exit_codes import exit_if_stopped
from visualizer.cli.output.console import PlainConsole, make_panel, make_text_column
from visualizer.cli.output.progress import BAR_DELAY_SECONDS, ProgressBar
from visualizer.narration.move_reasons import search_command
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import format_count


@click.command(
    "solve",
    epilog=options.examples(
        "plyscope solve connect4 --moves 1460263026002213432204 --columns",
        "plyscope solve connect:rows=4,cols=4 --rungs",
    ),
)
@options.position_options
@click.option("--columns", is_flag=True, help="Show the score of every column, which takes longer. --json always has them.")
@click.option("--weak", is_flag=True, help="Find only who wins, not how soon. This is faster.")
@click.option("--table-mb", type=int, default=64, show_default=True, help="Size of the transposition table in MB.")
@click.option("--max-nodes", type=int, help="Stop after this many positions. [default: no limit; with --rungs: 20 million each]")
@click.option(
    "--rungs", is_flag=True, help="Solve it several times, from plain minimax to the full solver, one idea more each time."
)
@options.json_option
def solve_command(
    game: str, moves: str | None, first: str | None, as_json: bool, rungs: bool, max_nodes: int | None, **settings: Any
) -> None:
    """Find the exact result of a Connect position.

    Shows who wins and in how many moves. The board must have the rule `first`. --rungs also shows how to step through a
    search with the same score.
    """
    if rungs:
        solve_on_rungs(game, moves, first, as_json, max_nodes)
    else:
        exit_if_stopped(solve_position(game, moves, first, as_json, max_nodes=max_nodes, **settings).stopped)


def solve_position(
    game: str,
    moves: str | None,
    first: str | None,
    as_json: bool,
    columns: bool,
    weak: bool,
    table_mb: int,
    max_nodes: int | None,
) -> Solution:
    """Solve a position and show the result."""
    question = Question(read_game(game), moves, first=first)
    with solving_progress() as on_progress:
        solution = solve(
            question.game,
            question.position,
            first=first,
            columns=columns or as_json,
            weak=weak,
            table_mb=table_mb,
            limit_nodes=max_nodes,
            on_progress=on_progress,
        )
    if as_json:
        click.echo(json.dumps(solution_summary(solution, question)))
    else:
        show_solution(solution, question)
    if not solution.complete:
        click.echo(
            f"plyscope: stopped ({solution.stopped}) after {solution.nodes:,} positions: the result is incomplete", err=True
        )
    return solution


@contextmanager
def solving_progress() -> Iterator[Callable[[int], None]]:
    """Show a progress bar if solving takes over a second."""
    with ProgressBar(make_text_column("{task.fields[nodes]:,} positions"), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        yield lambda nodes: bar.show(description="solving", nodes=nodes)


def solution_summary(solution: Solution, question: Question) -> dict[str, Any]:
    """Return a solution as the JSON of `plyscope solve`."""
    return {
        "game": game_text(solution.game) or declared_name(solution.game),
        "position": question.position_text or "",
        "score": solution.score,
        "words": solution.words,
        "columns": {str(column): score for column, score in solution.columns.items()},
        "best_moves": solution.best_moves,
        "weak": solution.weak,
        "nodes": solution.nodes,
        "seconds": solution.seconds,
        "complete": solution.complete,
        "stopped": solution.stopped or None,
    }


def show_solution(solution: Solution, question: Question) -> None:
    """Show the board, the result in a sentence, and the score of each column."""
    console = PlainConsole()
    game, state = solution.game, solution.state
    console.print(Text(f"{declared_name(game)} · {_describe_position(question)}", style="bold"))
    console.print(make_panel(Text(format_state(game, state))))
    side = "MAX" if game.maximizing(state) else "MIN"
    score = "" if solution.score is None else f" (score {solution.score:+d})" if solution.score else " (score 0)"
    to_move = "" if solution.over else "is to move and "
    console.print(Text(f"{side} {to_move}{solution.words}{score}.", style="bold"))
    if solution.columns:
        console.print(columns_table(solution))
    speed = f", {solution.nodes / max(solution.seconds, 1e-9) / 1e6:.1f} M positions/s" if solution.nodes > 1000 else ""
    console.print(Text(f"{solution.nodes:,} positions in {solution.seconds:.3f} s{speed}.", style="dim"))


def _describe_position(question: Question) -> str:
    moves = question.position_text
    return "the start" if not moves else f"after {describe_moves(question.game, moves)}"


def columns_table(solution: Solution) -> Table:
    """Return a table with the score of each column."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("column", "score"):
        table.add_column(name, justify="right")
    table.add_column("")
    for column, score in solution.columns.items():
        best = column in solution.best_moves
        style = "bold" if best else ""
        words = solution.column_words(column) + (", best" if best else "")
        table.add_row(Text(move_name(solution.game, column), style=style), Text(f"{score:+d}" if score else "0"), Text(words))
    return table


# ---- rungs

MAX_BAR_CHARS = 26
GAME_OVER_NOTE = "The game is over in this position: there is nothing left to solve."


def solve_on_rungs(game: str, moves: str | None, first: str | None, as_json: bool, max_nodes: int | None) -> None:
    """Solve a position on every rung and show the cost of each."""
    question = Question(read_game(game), moves, first=first)
    state = read_position(question.game, question.position, first)
    if question.game.is_over(state) and not as_json:
        click.echo(GAME_OVER_NOTE)
        return
    limit = MAX_RUNG_NODES if max_nodes is None else max_nodes
    with ProgressBar(make_text_column("{task.fields[nodes]:,} positions"), TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
        on_progress = lambda name, nodes: bar.show(description=name, nodes=nodes)  # noqa: E731
        steps = list(solve_by_rungs(question.game, question.position, first=first, limit_nodes=limit, on_progress=on_progress))
    if as_json:
        click.echo(json.dumps(rungs_summary(steps, question)))
        return
    console = PlainConsole()
    console.print(Text(f"{declared_name(question.game)} · {_describe_position(question)}: solved rung by rung", style="bold"))
    console.print(_rungs_table(steps))
    for note in (
        halving_note(steps),
        "A position is a call of the search. A position that wins at once is not called: its parent sees the win.",
        BARS_NOTE,
    ):
        if note:
            console.print(Text(note, style="dim"))
    _show_step_commands(question)


def _show_step_commands(question: Question) -> None:
    """Show the commands for searches with the same score that are small enough to step through."""
    console = PlainConsole()
    for number, found in enumerate(find_steppable_searches(question.game, question.position, first=question.first)):
        if number == 0:
            console.print(Text("A recorded search finds the same score (the page Step can open it, too):", style="dim"))
        console.print(Text(f"  {search_command(found.question)}  # {format_count(found.nodes, 'node')}"), soft_wrap=True)


BARS_NOTE = "The bars are logarithmic: one block more means about twice as many positions."


def rungs_summary(steps: list[RungResult], question: Question) -> dict[str, Any]:
    """Return the rungs as JSON."""
    return {
        "game": game_text(question.game) or declared_name(question.game),
        "position": question.position_text or "",
        "rungs": [
            {
                "rung": step.rung.name,
                "nodes": step.nodes,
                "score": step.score,
                "seconds": step.seconds,
                "complete": not step.stopped,
            }
            for step in steps
        ],
    }


def _rungs_table(steps: list[RungResult]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rung", no_wrap=True)
    table.add_column("positions", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("", no_wrap=True)
    table.add_column("new idea")
    for step in steps:
        nodes = f"{step.nodes:,}" if not step.stopped else f"more than {step.nodes:,}"
        length = min(MAX_BAR_CHARS, step.nodes.bit_length())
        table.add_row(step.rung.name, nodes, f"{step.seconds:.3f}", Text("█" * length), Text(step.rung.line))
    return table
