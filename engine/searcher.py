"""The entry point: `search` checks the question, runs the kernel or the readable algorithm, and returns the recorded tree."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS, all_algorithms, find_algorithm
from engine.algorithms.alphabeta_core import AlphaBetaSearch
from engine.algorithms.as_published import root_window, run_as_published
from engine.algorithms.move_ordering import BEST
from engine.algorithms.pass_runner import PassRunner
from engine.algorithms.spec import AS_PUBLISHED, CUT_ON_EQUAL, LADDER, MAX_DEPTH, QUIESCENCE, Algorithm
from engine.core.errors import BadLimit, BadOption, NotCompilable, PlyscopeError, short_repr
from engine.core.memory_budget import check_budget
from engine.core.parsing import is_whole
from engine.core.stop_reason import StopReason
from engine.games import quirks
from engine.games.capabilities import (
    can_list_noisy_moves,
    check_depth,
    declared_algorithm,
    declared_name,
    game_preset,
    game_quirk,
    kernel_board,
)
from engine.games.chance_outcomes import declared_range, has_chance, needed_range
from engine.games.positions import read_position
from engine.question import DEFAULT_ALGORITHM, CheckedSearch, Question, make_question
from engine.record.columns import complete_open_rows
from engine.record.recorder import NodeCounter, Record, SearchStopped
from engine.tree.iteration_search import check_playout, search_in_iterations, time_iterations, why_not_compiled
from engine.tree.tree import SearchTree

MAX_NODES = 50_000_000


def search(
    game: Any,
    position: Any = None,
    depth: int | None = None,
    algorithm: str = DEFAULT_ALGORITHM,
    *,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
    max_memory: int | None = None,
    **options: Any,
) -> SearchTree:
    """Search `position` to `depth` plies and return the tree of all expanded nodes.

    `position` is a state or a move string (None: the start); `first` is the side that made its first move. `depth` None
    searches to the end. `options` are those that the algorithm declares: for alpha-beta `cut_on_equal=False` (cutoffs need a
    strictly better value) and `as_published=True` (the quirks of a preset's original program). All this may be one `Question`
    instead: `search(question)`. `on_progress` is called with the number of nodes about fifty times a second and stops the
    search by returning False. A search stopped by it, by `max_nodes`, by `max_memory` (bytes for the tree; None: half of the
    free memory) or by Ctrl-C returns the tree so far, with `complete` False. `compiled` forces the kernel (True) or the
    readable algorithm (False). None takes the kernel if there is one; while it is not compiled yet, small searches use the
    readable algorithm.

    >>> from engine import preset
    >>> tree = search(preset("k-tables"), "3", depth=3, algorithm="alphabeta")
    >>> tree.expanded, tree.root.value, tree.root.best_move
    (234, -3.0, 3)
    """
    if on_progress is not None and not callable(on_progress):
        raise PlyscopeError(f"on_progress is {on_progress!r}: pass a function that takes the number of nodes")
    checked = check_question(make_question(game, position, depth, algorithm, first=first, **options), max_nodes, compiled)
    check_budget(max_memory)
    if find_algorithm(checked.question.algorithm).iterate is not None:
        return search_in_iterations(checked, max_nodes, on_progress, max_memory, compiled is None)
    if compiled is None and (kernel := find_unready_kernel(checked)) is not None and kernel.row_allowance:
        limit = min(kernel.row_allowance, max_nodes)
        tree = _search_readable(checked._replace(compiled=False), limit, on_progress, max_memory)
        kernel.spend_allowance(tree.expanded)
        if tree.stopped != StopReason.NODE_LIMIT or limit == max_nodes:
            return tree
    kernel_search = create_kernel_search(checked)
    if kernel_search is None:
        return _search_readable(checked, max_nodes, on_progress, max_memory)
    began = time.perf_counter()
    table, stopped = kernel_search.run(max_nodes, on_progress, max_memory)
    return SearchTree(
        checked, table, time.perf_counter() - began, stopped, notes=kernel_search.passes(), evaluations=kernel_search.evaluations
    )


def continue_search(
    tree: SearchTree,
    iterations: int = 1_000,
    *,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    max_memory: int | None = None,
) -> SearchTree:
    """Return the tree after more iterations of a search that ran in iterations. `tree` itself does not change.

    The result is the tree of one search with all these iterations, since each iteration has random numbers of its own. A search
    that was stopped goes on where it stopped. The limits are those of `search`; they hold for the whole tree.

    >>> from engine import connect
    >>> tree = search(connect(), "33", algorithm="mcts", iterations=500, seed=7)
    >>> longer = continue_search(tree, 1_000)
    >>> once = search(connect(), "33", algorithm="mcts", iterations=1_500, seed=7)
    >>> longer.iterations, longer.visits.tolist() == once.visits.tolist()
    (1500, True)
    """
    if not tree.has_iterations:
        raise PlyscopeError(f"{tree.algorithm} does not run in iterations: search to a larger depth instead")
    if not is_whole(iterations) or iterations < 1:
        raise BadOption(f"iterations = {short_repr(iterations)}: a whole number from 1 is needed")
    question = tree.question.replace(iterations=tree.iterations + iterations)
    checked = check_question(question, max_nodes, compiled)
    check_budget(max_memory)
    return search_in_iterations(checked, max_nodes, on_progress, max_memory, compiled is None, tree)


class UnrecordedSearch(NamedTuple):
    """The result of a search that was only timed."""

    expanded: int
    value: float  # nan if the search was stopped
    seconds: float
    stopped: StopReason = StopReason.NOT_STOPPED  # never INTERRUPTED: Ctrl-C is passed on to the caller


def search_unrecorded(
    game: Any,
    position: Any = None,
    depth: int | None = None,
    algorithm: str = DEFAULT_ALGORITHM,
    *,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
    **options: Any,
) -> UnrecordedSearch:
    """Run the same search without recording. The difference is the cost of recording."""
    checked = check_question(make_question(game, position, depth, algorithm, first=first, **options), max_nodes, compiled)
    if find_algorithm(checked.question.algorithm).iterate is not None:
        return UnrecordedSearch(*time_iterations(checked, max_nodes, on_progress))
    kernel_search = create_kernel_search(checked, recording=False)
    counter, stopped = NodeCounter(max_nodes, on_progress), StopReason.NOT_STOPPED
    began = time.perf_counter()
    if kernel_search:
        nodes, value, stopped = kernel_search.run_unrecorded(max_nodes, on_progress)
    else:
        try:
            value = run_readable(checked, counter)
        except SearchStopped as stop:
            value, stopped = float("nan"), stop.reason
        nodes = counter.nodes
    return UnrecordedSearch(nodes, value, time.perf_counter() - began, stopped)


def search_uninterrupted(*arguments: Any, **options: Any) -> SearchTree:
    """Search where a partial result is useless: Ctrl-C does not return the tree so far, but is passed on to the caller."""
    tree = search(*arguments, **options)
    if tree.stopped == StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return tree


def check_question(question: Question, max_nodes: int, compiled: bool | None) -> CheckedSearch:
    """Check a question completely and return it with the facts that follow from it."""
    if not is_whole(max_nodes) or max_nodes < 1:
        raise BadLimit(f"{max_nodes!r} is not a node limit: choose a whole number from 1")
    game, algorithm = question.game, find_algorithm(question.algorithm)
    quirk = find_published_quirk(game) if question.options.get("as_published") else ""
    if others := [option.name for option, _ in question.chosen if quirk and option not in (CUT_ON_EQUAL, AS_PUBLISHED)]:
        raise PlyscopeError(f"as_published runs the original program, which has no option {others[0]}: leave out one of the two")
    _check_quiescence(question)
    check_chance(question)
    root = read_position(game, question.position, question.first)
    check_depth(game, question.depth, root)
    obstacle = why_game_not_compiled(game) or algorithm.why_options_not_compiled(question.options)
    if algorithm.iterate is not None:
        check_playout(question)
        obstacle = obstacle or why_not_compiled(game)
    if quirk == quirks.NO_FULL_BOARD_TEST and not obstacle and kernel_board(game).evaluation == "spread":
        obstacle = "its quirk needs ints, but the evaluation spread has floats"
    if not obstacle and algorithm.choose_kernel(question.options) == LADDER:
        from engine.compiled.ladder_driver import why_search_not_compiled

        obstacle = why_search_not_compiled(kernel_board(game), question.options)
    if compiled and obstacle:
        raise NotCompilable(f"this search cannot run compiled: {obstacle}; leave out compiled=True")
    return CheckedSearch(question, root, quirk, not obstacle if compiled is None else compiled)


def _check_quiescence(question: Question) -> None:
    """Check that the game declares noisy moves, and that the move order is not the oracle, if quiescence is chosen."""
    plies = question.options.get(QUIESCENCE.name, 0)
    if plies and not can_list_noisy_moves(question.game):
        raise BadOption(
            f"quiescence = {plies} needs noisy moves, and {declared_name(question.game)} does not declare any: "
            "use quiescence = 0, or declare noisy_moves(state)"
        )
    if plies and question.options["order"] == BEST:
        raise BadOption(
            f"quiescence = {plies} and order = best cannot be combined: the order comes from a search that ends at the depth "
            "limit; choose another order, or quiescence = 0"
        )


def list_suitable_algorithms(game: Any, with_iterations: bool = False) -> list[str]:
    """Return the algorithms to offer for a game: where chance moves, those that can search it, elsewhere the others.

    Where chance moves, Star1 and Star2 are offered only if the range of values is known. `with_iterations`: also those that
    run in iterations.

    >>> from engine import preset
    >>> list_suitable_algorithms(preset("k-tables"))[:2]
    ['minimax', 'alphabeta']
    """
    offered, drawn = all_algorithms() if with_iterations else ALGORITHMS, has_chance(game)
    unbounded = drawn and declared_range(game) is None
    return [
        name
        for name, algorithm in offered.items()
        if _is_suitable(algorithm, drawn) and not (unbounded and algorithm.windows and algorithm.iterate is None)
    ]


def _is_suitable(algorithm: Algorithm, with_chance: bool) -> bool:
    """Return True if an algorithm is offered for games with chance, or without. Searches in iterations may be for both."""
    return bool(algorithm.chance_columns) == with_chance or (algorithm.iterate is not None and not with_chance)


def default_algorithm(game: Any) -> tuple[str, dict[str, Any]]:
    """Return the algorithm to use for a game if none is chosen, and its options.

    >>> from engine import chance, literal, preset
    >>> default_algorithm(preset("k-tables")), default_algorithm(literal([chance((1, 2))]))
    (('alphabeta', {}), ('expectiminimax', {}))
    """
    name, options = declared_algorithm(game)
    suitable = list_suitable_algorithms(game)
    return (name, options) if name else (DEFAULT_ALGORITHM if DEFAULT_ALGORITHM in suitable else suitable[0], {})


def check_chance(question: Question) -> None:
    """Check that the algorithm can search a game with chance, and that the game declares what the algorithm needs there."""
    if not has_chance(question.game):
        return
    algorithm = find_algorithm(question.algorithm)
    if not algorithm.chance_columns:
        able = [name for name, other in all_algorithms().items() if _is_suitable(other, with_chance=True)]
        raise PlyscopeError(
            f"{algorithm.name} cannot search {declared_name(question.game)}, in which chance moves: use "
            f"{', '.join(able[:-1])} or {able[-1]}"
        )
    if algorithm.windows:
        needed_range(question.game)


def _max_plies(checked: CheckedSearch) -> int:
    return MAX_DEPTH + 1 if checked.question.depth is None else checked.question.depth


def _needs_kernel(checked: CheckedSearch) -> bool:
    """Return True if the kernel is to run a search. The readable algorithm handles a single node."""
    return checked.compiled and _max_plies(checked) > 0 and not checked.question.game.is_over(checked.root)


def find_unready_kernel(checked: CheckedSearch) -> Any:
    """Return the kernel that must be compiled before the search; None if the search can start at once."""
    if not _needs_kernel(checked):
        return None
    algorithm, options = find_algorithm(checked.question.algorithm), checked.question.options
    if algorithm.choose_kernel(options) == LADDER:
        from engine.compiled.ladder_driver import find_unready_ladder_kernel

        return find_unready_ladder_kernel(algorithm.choose_additions(options).table)
    from engine.compiled import alphabeta_driver

    return alphabeta_driver.find_unready_kernel(_representative_evaluation(checked))


def _representative_evaluation(checked: CheckedSearch) -> str:
    """Return an evaluation that represents all with values of the same type: the kernel is compiled once for each type."""
    return "spread" if kernel_board(checked.question.game).evaluation == "spread" else "none"


def create_kernel_search(checked: CheckedSearch, recording: bool = True) -> Any:
    """Return the kernel set up for this search; None if the readable algorithm is to run it."""
    if not _needs_kernel(checked):
        return None
    question, plies = checked.question, _max_plies(checked)
    algorithm, board, options = find_algorithm(question.algorithm), kernel_board(question.game), question.options
    if algorithm.choose_kernel(options) == LADDER:
        from engine.compiled.ladder_driver import LadderKernelSearch, load_ladder_kernel

        additions = algorithm.choose_additions(options)
        load_ladder_kernel(additions.table)

        def drive(runner: PassRunner) -> float:
            return algorithm.run_passes(runner, question.game, checked.root, plies, options)  # type: ignore[misc] # LADDER has it

        return LadderKernelSearch(board, checked.root, plies, drive, options, additions, algorithm.links, recording)
    from engine.compiled.alphabeta_driver import AlphaBetaKernelSearch, load_kernel

    load_kernel(_representative_evaluation(checked))
    return AlphaBetaKernelSearch(board, checked.root, plies, algorithm.windows, options["cut_on_equal"], checked.quirk, recording)


def run_readable(checked: CheckedSearch, record: Record | NodeCounter) -> float:
    """Run the readable algorithm and return the value."""
    question, root, plies = checked.question, checked.root, _max_plies(checked)
    algorithm, options, quirk = find_algorithm(question.algorithm), question.options, checked.quirk
    if quirk and quirk != quirks.DOUBLED_LINKS:
        return run_as_published(question.game, record, root, plies, quirk, algorithm.windows, options["cut_on_equal"])
    if algorithm.run is not None:
        return algorithm.run(question.game, record, root, plies, options)
    runner = AlphaBetaSearch(question.game, record, options, algorithm.choose_additions(options))
    return algorithm.run_passes(runner, question.game, root, plies, options)  # type: ignore[misc] # every algorithm has one


def _search_readable(
    checked: CheckedSearch, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
) -> SearchTree:
    """Return the tree of the readable algorithm."""
    began = time.perf_counter()
    record, stopped = _record_readable(checked, max_nodes, on_progress, max_memory)
    seconds, table = time.perf_counter() - began, record.columns()
    if stopped:
        complete_open_rows(table, *root_window(checked.quirk))
    return SearchTree(checked, table, seconds, stopped, record.rounded, record.passes(), record.evaluations)


def _record_readable(
    checked: CheckedSearch, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
) -> tuple[Record, StopReason]:
    """Run the readable algorithm. Return its record and why it stopped."""
    algorithm = find_algorithm(checked.question.algorithm)
    entries = algorithm.max_table_entries(checked.question.options)
    extra_columns = algorithm.extra_columns(checked.question.options, has_chance(checked.question.game))
    record = Record(max_nodes, algorithm.windows, on_progress, max_memory, extra_columns, entries)
    stopped = StopReason.NOT_STOPPED
    try:
        run_readable(checked, record)
    except SearchStopped as stop:
        stopped = stop.reason
    except KeyboardInterrupt:
        stopped = StopReason.INTERRUPTED
    rows = len(record.columns().end)
    if rows == 0:
        raise KeyboardInterrupt
    if not stopped and on_progress is not None:
        on_progress(rows)
    return record, stopped


def find_published_quirk(game: Any) -> str:
    """Return the quirk that as_published restores for this game. Raise PlyscopeError if it is not a preset."""
    if not game_preset(game):
        raise PlyscopeError("as_published needs a preset: only presets have an original program with quirks")
    return game_quirk(game)


def why_game_not_compiled(game: Any) -> str:
    """Return the reason why this game cannot be searched by the kernel; empty if it can."""
    board = kernel_board(game)
    if board is None:
        return "only Connect boards have a compiled search"
    from engine.compiled.alphabeta_driver import why_board_not_compiled

    return why_board_not_compiled(board)
