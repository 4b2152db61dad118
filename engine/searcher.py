"""The front door: `search` checks what is asked, runs the kernel or the readable text, and returns the recorded tree."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import root_window, run_as_published
from engine.algorithms.move_ordering import BEST
from engine.algorithms.spec import AS_PUBLISHED, CUT_ON_EQUAL, LADDER, MAX_DEPTH, QUIESCENCE
from engine.core.errors import BadLimit, BadOption, NotCompilable, PlyscopeError
from engine.core.memory_budget import check_budget
from engine.core.parsing import is_whole
from engine.games import quirks
from engine.games.capabilities import check_depth, kernel_board, name_of, preset_of, quirk_of, tells_noisy_moves
from engine.games.positions import read_position
from engine.question import USUAL_ALGORITHM, Question, Search, as_question
from engine.record.columns import settle
from engine.record.recorder import INTERRUPTED, NODE_LIMIT, Record, SearchStopped, Tally
from engine.tree.tree import SearchTree

MAX_NODES = 50_000_000


def search(
    game: Any,
    position: Any = None,
    depth: int | None = None,
    algorithm: str = USUAL_ALGORITHM,
    *,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
    max_memory: int | None = None,
    **options: Any,
) -> SearchTree:
    """Search `position` to `depth` plies and return the tree of all expanded nodes.

    `position` is a state or a move string (None: the start); `first` is the side that made its first move. `depth` None searches
    to the end. `options` are those that the algorithm declares: of alpha-beta `cut_on_equal=False` (cutoffs need a strictly
    better value) and `as_published=True` (the quirks of a preset's original program). All this may be one `Question` instead:
    `search(question)`. `on_progress` is called with the number of nodes about fifty times a second and stops the search by
    returning False. A search stopped by it, by `max_nodes`, by `max_memory` (bytes for the tree; None: half of what is free) or
    by Ctrl-C returns the tree so far, with `complete` False. `compiled` forces the kernel (True) or the readable text (False);
    None takes the kernel where there is one, and while that is not compiled yet, the readable text for small searches.

    >>> from engine import preset
    >>> tree = search(preset("k-tables"), "3", depth=3, algorithm="alphabeta")
    >>> tree.expanded, tree.root.value, tree.root.best_move
    (234, -3.0, 3)
    """
    if on_progress is not None and not callable(on_progress):
        raise PlyscopeError(f"on_progress is {on_progress!r}: a function of the number of nodes is needed")
    asked = checked(as_question(game, position, depth, algorithm, first=first, **options), max_nodes, compiled)
    check_budget(max_memory)
    if compiled is None and (kernel := unready_kernel(asked)) is not None and kernel.allowance:
        few = min(kernel.allowance, max_nodes)
        tree = _search_readable(asked._replace(compiled=False), few, on_progress, max_memory)
        kernel.spend(tree.expanded)
        if tree.stopped != NODE_LIMIT or few == max_nodes:
            return tree
    machine = machine_for(asked)
    if machine is None:
        return _search_readable(asked, max_nodes, on_progress, max_memory)
    began = time.perf_counter()
    table, stopped = machine.run(max_nodes, on_progress, max_memory)
    return SearchTree(asked, table, time.perf_counter() - began, stopped, notes=machine.passes(), evaluations=machine.evaluations)


class Unrecorded(NamedTuple):
    """A search that was only timed."""

    expanded: int
    value: float  # nan if it was stopped
    seconds: float
    stopped: str = ""  # why it ended early; Ctrl-C is not kept here but goes on to the caller


def search_unrecorded(
    game: Any,
    position: Any = None,
    depth: int | None = None,
    algorithm: str = USUAL_ALGORITHM,
    *,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
    **options: Any,
) -> Unrecorded:
    """The same search with nothing written down: what recording costs is the difference."""
    asked = checked(as_question(game, position, depth, algorithm, first=first, **options), max_nodes, compiled)
    machine = machine_for(asked, recording=False)
    tally, stopped = Tally(max_nodes, on_progress), ""
    began = time.perf_counter()
    if machine:
        nodes, value, stopped = machine.run_unrecorded(max_nodes, on_progress)
    else:
        try:
            value = run_text(asked, tally)
        except SearchStopped as reason:
            value, stopped = float("nan"), str(reason)
        nodes = tally.nodes
    return Unrecorded(nodes, value, time.perf_counter() - began, stopped)


def search_to_the_end(*asked: Any, **options: Any) -> SearchTree:
    """A search whose result is useless in part: Ctrl-C is not answered with the tree so far, but goes on to the caller."""
    tree = search(*asked, **options)
    if tree.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    return tree


def checked(question: Question, max_nodes: int, compiled: bool | None) -> Search:
    """The question with everything looked at that can be wrong with it, and what it comes to."""
    if not is_whole(max_nodes) or max_nodes < 1:
        raise BadLimit(f"a limit of {max_nodes!r} nodes: a whole number from 1 is needed")
    game, algorithm = question.game, ALGORITHMS[question.algorithm]
    quirk = quirk_brought_back(game) if question.options.get("as_published") else ""
    if others := [option.name for option, _ in question.chosen if quirk and option not in (CUT_ON_EQUAL, AS_PUBLISHED)]:
        raise PlyscopeError(f"as_published runs the original program, which knows no {others[0]}: leave out one of the two")
    _check_quiescence(question)
    root = read_position(game, question.position, question.first)
    check_depth(game, question.depth, root)
    obstacle = obstacle_to_compiling(game) or algorithm.why_readable(question.options)
    if quirk == quirks.NO_FULL_BOARD_TEST and not obstacle and kernel_board(game).evaluation == "spread":
        obstacle = "its quirk is made of ints, and spread of floats"
    if not obstacle and algorithm.kernel_for(question.options) == LADDER:
        from engine.compiled.ladder_driver import why_not

        obstacle = why_not(kernel_board(game), question.options)
    if compiled and obstacle:
        raise NotCompilable(f"this search cannot run compiled: {obstacle}; leave out compiled=True")
    return Search(question, root, quirk, not obstacle if compiled is None else compiled)


def _check_quiescence(question: Question) -> None:
    """Quiescence needs a game that says which moves are noisy, and an order that does not know better."""
    plies = question.options.get(QUIESCENCE.name, 0)
    if plies and not tells_noisy_moves(question.game):
        raise BadOption(
            f"quiescence = {plies} needs noisy moves, and {name_of(question.game)} does not say which moves are noisy: search it "
            "without, or declare noisy_moves(state)"
        )
    if plies and question.options["order"] == BEST:
        raise BadOption(
            f"quiescence = {plies} and order = best do not go together: the oracle knows the values of a search that ends at the "
            "horizon; take another order, or no quiescence"
        )


def _plies(asked: Search) -> int:
    return MAX_DEPTH + 1 if asked.question.depth is None else asked.question.depth


def _needs_kernel(asked: Search) -> bool:
    """Whether the kernel is to run a search: the readable text does a single node."""
    return asked.compiled and _plies(asked) > 0 and not asked.question.game.is_over(asked.root)


def unready_kernel(asked: Search) -> Any:
    """Return the kernel that a search needs while it would have to be compiled; None if the search can start at once."""
    if not _needs_kernel(asked):
        return None
    algorithm, options = ALGORITHMS[asked.question.algorithm], asked.question.options
    if algorithm.kernel_for(options) == LADDER:
        from engine.compiled.ladder_driver import unready_ladder

        return unready_ladder(algorithm.table_entries(options) > 0)
    from engine.compiled import alphabeta_driver

    return alphabeta_driver.unready_kernel(_kind_of_number(asked))


def _kind_of_number(asked: Search) -> str:
    """An evaluation that stands for all whose values are of the same type: the kernel is compiled once for each type."""
    return "spread" if kernel_board(asked.question.game).evaluation == "spread" else "none"


def machine_for(asked: Search, recording: bool = True) -> Any:
    """The kernel set up for this search; None if the readable text is to do it."""
    if not _needs_kernel(asked):
        return None
    question, plies = asked.question, _plies(asked)
    algorithm, board, options = ALGORITHMS[question.algorithm], kernel_board(question.game), question.options
    if algorithm.kernel_for(options) == LADDER:
        from engine.compiled.ladder_driver import LadderSearch, load_ladder

        load_ladder(algorithm.table_entries(options) > 0)

        def drive(machine: LadderSearch) -> float:
            return algorithm.run(question.game, machine, asked.root, plies, options)

        return LadderSearch(board, asked.root, plies, drive, options, algorithm.links, recording)
    from engine.compiled.alphabeta_driver import CompiledSearch, load_kernel

    load_kernel(_kind_of_number(asked))
    return CompiledSearch(board, asked.root, plies, algorithm.windows, options["cut_on_equal"], asked.quirk, recording)


def run_text(asked: Search, record: Record | Tally) -> float:
    """Run the readable text of the algorithm."""
    question, root, plies = asked.question, asked.root, _plies(asked)
    algorithm, quirk = ALGORITHMS[question.algorithm], asked.quirk
    if quirk and quirk != quirks.DOUBLED_LINKS:
        cut_on_equal = question.options["cut_on_equal"]
        return run_as_published(question.game, record, root, plies, quirk, algorithm.windows, cut_on_equal)
    return algorithm.run(question.game, record, root, plies, question.options)


def _search_readable(
    asked: Search, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
) -> SearchTree:
    """The tree by the readable text."""
    began = time.perf_counter()
    record, stopped = _run_readable(asked, max_nodes, on_progress, max_memory)
    seconds, table = time.perf_counter() - began, record.columns()
    if stopped:
        settle(table, *root_window(asked.quirk))
    return SearchTree(asked, table, seconds, stopped, record.rounded, record.passes(), record.evaluations)


def _run_readable(
    asked: Search, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
) -> tuple[Record, str]:
    algorithm = ALGORITHMS[asked.question.algorithm]
    entries = algorithm.table_entries(asked.question.options)
    statics = algorithm.stands_pat(asked.question.options)
    record = Record(max_nodes, algorithm.windows, on_progress, max_memory, algorithm.links, entries, statics)
    stopped = ""
    try:
        run_text(asked, record)
    except SearchStopped as reason:
        stopped = str(reason)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    rows = len(record.columns().end)
    if rows == 0:
        raise KeyboardInterrupt
    if not stopped and on_progress is not None:
        on_progress(rows)
    return record, stopped


def quirk_brought_back(game: Any) -> str:
    """The quirk that as_published means for this game."""
    if not preset_of(game):
        raise PlyscopeError("as_published needs a preset: only those have an original program whose quirks can be run")
    return quirk_of(game)


def obstacle_to_compiling(game: Any) -> str:
    """Why this game is searched by the readable text; empty if the kernel can do it."""
    board = kernel_board(game)
    if board is None:
        return "only Connect boards have a compiled search"
    from engine.compiled.alphabeta_driver import why_not

    return why_not(board)
