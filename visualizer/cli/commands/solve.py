"""The command `plyscope solve`: what is true of a position."""

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
from engine.games.boards import show_state
from engine.games.capabilities import move_name, name_of
from engine.games.positions import read_position
from engine.games.registry import game_text, read_game
from engine.solver.ablation import NODES_OF_A_RUNG, Climbed, climb, halving_note
from engine.solver.solver import Solution
from engine.solver.steppable_search import steppable
from visualizer.cli.output.console import PlainConsole, panel, text_column
from visualizer.cli.output.progress import PATIENCE, Bar
from visualizer.narration.move_reasons import search_command
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import counted


def solve_command(
    game: str,
    moves: str | None,
    first: str | None,
    as_json: bool,
    columns: bool,
    weak: bool,
    table_mb: int,
    max_nodes: int | None,
) -> Solution:
    """Solve a position and say what came out."""
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
        click.echo(json.dumps(summary(solution, question)))
    else:
        show_solution(solution, question)
    if not solution.complete:
        click.echo(f"plyscope: stopped ({solution.stopped}) after {solution.nodes:,} positions: not all is known", err=True)
    return solution


@contextmanager
def solving_progress() -> Iterator[Callable[[int], None]]:
    """For what takes over a second."""
    with Bar(text_column("{task.fields[nodes]:,} positions"), TimeElapsedColumn(), after=PATIENCE) as bar:
        yield lambda nodes: bar.show(description="solving", nodes=nodes)


def summary(solution: Solution, question: Question) -> dict[str, Any]:
    """A solution as the JSON of `plyscope solve`."""
    return {
        "game": game_text(solution.game) or name_of(solution.game),
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
    """The board, the truth in a sentence, and what each column brings."""
    console = PlainConsole()
    game, state = solution.game, solution.state
    console.print(Text(f"{name_of(game)} · {_where(question)}", style="bold"))
    console.print(panel(Text(show_state(game, state))))
    side = "MAX" if game.maximizing(state) else "MIN"
    score = "" if solution.score is None else f" (score {solution.score:+d})" if solution.score else " (score 0)"
    console.print(Text(f"{side} {'' if solution.over else 'is to move and '}{solution.words}{score}.", style="bold"))
    if solution.columns:
        console.print(columns_table(solution))
    speed = f", {solution.nodes / max(solution.seconds, 1e-9) / 1e6:.1f} M a second" if solution.nodes > 1000 else ""
    console.print(Text(f"{solution.nodes:,} positions in {solution.seconds:.3f} s{speed}.", style="dim"))


def _where(question: Question) -> str:
    moves = question.position_text
    return "the start" if not moves else f"after {spoken_moves(question.game, moves)}"


def columns_table(solution: Solution) -> Table:
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

BAR = 26  # characters at most
OVER = "The game is over in this position: there is nothing left to solve."


def rungs_command(game: str, moves: str | None, first: str | None, as_json: bool, max_nodes: int | None) -> None:
    """Solve a position on every rung and say what each took."""
    question = Question(read_game(game), moves, first=first)
    state = read_position(question.game, question.position, first)
    if question.game.is_over(state) and not as_json:
        click.echo(OVER)
        return
    limit = NODES_OF_A_RUNG if max_nodes is None else max_nodes
    with Bar(text_column("{task.fields[nodes]:,} positions"), TimeElapsedColumn(), after=PATIENCE) as bar:
        told = lambda name, nodes: bar.show(description=name, nodes=nodes)  # noqa: E731
        steps = list(climb(question.game, question.position, first=first, limit_nodes=limit, on_progress=told))
    if as_json:
        click.echo(json.dumps(rungs_summary(steps, question)))
        return
    console = PlainConsole()
    console.print(Text(f"{name_of(question.game)} · {_where(question)}: solved rung by rung", style="bold"))
    console.print(_rungs_table(steps))
    for note in (halving_note(steps), "A position is a call of the search; one that wins at once is seen by its parent.", BARS):
        if note:
            console.print(Text(note, style="dim"))
    _say_how_to_step(question)


def _say_how_to_step(question: Question) -> None:
    """What to type to see such a search, where it is small enough to be looked at."""
    console = PlainConsole()
    for number, found in enumerate(steppable(question.game, question.position, first=question.first)):
        if number == 0:
            console.print(Text("A recorded search finds the same score; Truth on the page Step opens it, too:", style="dim"))
        console.print(Text(f"  {search_command(found.question)}  # {counted(found.nodes, 'node')}"), soft_wrap=True)


BARS = "The bars are logarithmic: one sign more is about twice as many positions."


def rungs_summary(steps: list[Climbed], question: Question) -> dict[str, Any]:
    """The rungs as JSON."""
    return {
        "game": game_text(question.game) or name_of(question.game),
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


def _rungs_table(steps: list[Climbed]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("rung", no_wrap=True)
    table.add_column("positions", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("", no_wrap=True)
    table.add_column("what is new")
    for step in steps:
        nodes = f"{step.nodes:,}" if not step.stopped else f"more than {step.nodes:,}"
        length = min(BAR, step.nodes.bit_length())
        table.add_row(step.rung.name, nodes, f"{step.seconds:.3f}", Text("█" * length), Text(step.rung.line))
    return table
