"""Runs the searches that work in iterations, compiled or readable, and returns their trees."""

import time
from collections.abc import Callable
from typing import Any

from engine.algorithms import find_algorithm
from engine.algorithms.monte_carlo.outcomes import NO_PLAYOUT, has_whole_outcomes
from engine.core.errors import BadOption
from engine.core.stop_reason import StopReason
from engine.games.capabilities import has_leaf_values_only, has_priors, kernel_board, value_range
from engine.games.chance_outcomes import has_chance
from engine.question import CheckedSearch, Question
from engine.record.grown_tree import GrownTree, number_nodes
from engine.record.iteration_record import IterationRecord
from engine.record.recorder import SearchStopped
from engine.tree.tree import SearchTree

OnProgress = Callable[[int], object] | None


def why_not_compiled(game: Any) -> str:
    """Return the reason why a Connect game cannot be searched by the kernel; empty if it can."""
    if value_range(game) is not None:
        return "the game declares value_range, so its outcomes are not whole"
    return "the game declares prior(state)" if has_priors(game) else ""


def check_playout(question: Question) -> None:
    """Refuse a search without playouts if positions that are not over have no value."""
    if question.options["playout"] == NO_PLAYOUT and has_leaf_values_only(question.game):
        raise BadOption(
            "playout = 'none' needs a value at every position, but this game has values only at its leaves: use random"
        )


def search_in_iterations(
    checked: CheckedSearch,
    max_nodes: int,
    on_progress: OnProgress,
    max_memory: int | None,
    may_interpret: bool,
    earlier: SearchTree | None = None,
) -> SearchTree:
    """Return the tree of a search in iterations. `on_progress` gets the number of iterations.

    It goes on where the search of `earlier` ended, a search of the same position with the same options but fewer iterations.
    """
    question, algorithm = checked.question, find_algorithm(checked.question.algorithm)
    extras = algorithm.extra_columns(question.options, has_chance(question.game))
    grown, spent = (None, 0.0) if earlier is None else (number_nodes(earlier), earlier.seconds)
    if _needs_kernel(checked, may_interpret):
        from engine.compiled.mcts_driver import load_mcts_kernel

        load_mcts_kernel()
        began = time.perf_counter() - spent
        kernel_search = _create_kernel_search(checked, recording=True)
        if grown is not None:
            kernel_search.restore(grown)
        stopped = kernel_search.run(max_nodes, on_progress, max_memory)
        columns, log = kernel_search.finish(extras)
        return SearchTree(checked, columns, time.perf_counter() - began, stopped, log=log)
    began = time.perf_counter() - spent
    record, stopped = _record_readable(checked, max_nodes, on_progress, max_memory, grown)
    columns, log = record.finish(extras)
    return SearchTree(checked._replace(compiled=False), columns, time.perf_counter() - began, stopped, log=log)


def time_iterations(checked: CheckedSearch, max_nodes: int, on_progress: OnProgress) -> tuple[int, float, float, StopReason]:
    """Return the nodes, the root's value, the seconds and the stop reason of the same search without its log."""
    if not _needs_kernel(checked, may_interpret=False):
        tree = search_in_iterations(checked._replace(compiled=False), max_nodes, on_progress, None, may_interpret=False)
        return tree.expanded, tree.root.value, tree.seconds, tree.stopped
    from engine.compiled.mcts_driver import load_mcts_kernel

    load_mcts_kernel()
    began = time.perf_counter()
    kernel_search = _create_kernel_search(checked, recording=False)
    stopped = kernel_search.run(max_nodes, on_progress, None)
    return *kernel_search.counts(), time.perf_counter() - began, stopped


def _needs_kernel(checked: CheckedSearch, may_interpret: bool) -> bool:
    """Return True if the kernel is to run a search. A position that is over has nothing to select.

    While the kernel is not compiled yet, small searches use the readable algorithm.
    """
    if not checked.compiled or checked.question.game.is_over(checked.root):
        return False
    from engine.compiled.mcts_driver import find_unready_mcts_kernel

    kernel = find_unready_mcts_kernel() if may_interpret else None
    if kernel is None or checked.question.options["iterations"] * PLAYOUT_ROWS > kernel.row_allowance:
        return True
    kernel.spend_allowance(checked.question.options["iterations"] * PLAYOUT_ROWS)
    return False


PLAYOUT_ROWS = 20  # an iteration with its playout takes as long as this many rows of a readable search


def _create_kernel_search(checked: CheckedSearch, recording: bool) -> Any:
    from engine.compiled.mcts_driver import MctsKernelSearch

    question = checked.question
    return MctsKernelSearch(kernel_board(question.game), checked.root, question.algorithm, question.options, recording)


def _record_readable(
    checked: CheckedSearch, max_nodes: int, on_progress: OnProgress, max_memory: int | None, grown: GrownTree | None
) -> tuple[IterationRecord, StopReason]:
    question = checked.question
    record = IterationRecord(
        question.game, max_nodes, has_whole_outcomes(question.game, question.options), on_progress, max_memory
    )
    try:
        if grown is not None:
            record.restore(grown, checked.root)
        find_algorithm(question.algorithm).iterate(question.game, record, checked.root, question.options)  # type: ignore[misc]
        return record, StopReason.NOT_STOPPED
    except SearchStopped as stop:
        reason = stop.reason
    except KeyboardInterrupt:
        if not record.nodes:
            raise
        reason = StopReason.INTERRUPTED
    record.discard_unfinished()
    return record, reason
