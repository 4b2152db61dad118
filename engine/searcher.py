"""The front door: `search` checks what is asked, runs the kernel or the readable text, and returns the recorded tree."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import root_window, run_as_published
from engine.algorithms.facts import MAX_DEPTH
from engine.budget import check_budget
from engine.errors import BadDepth, BadLimit, NotCompilable, PlyscopeError, UnknownName
from engine.games import quirks
from engine.games.connect import LONG, Connect
from engine.games.literal import Literal
from engine.games.nim import Nim
from engine.games.protocol import check_game
from engine.games.tictactoe import TicTacToe
from engine.record.columns import Columns, settle
from engine.record.recorder import INTERRUPTED, Record, SearchStopped, Tally
from engine.tree.tree import Search, SearchTree
from engine.whole_numbers import is_whole

MAX_NODES = 50_000_000


def search(
    game: Any,
    position: Any = None,
    depth: int | None = None,
    algorithm: str = "alphabeta",
    *,
    cut_on_equal: bool = True,
    as_published: bool = False,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
    max_memory: int | None = None,
) -> SearchTree:
    """Search `position` to `depth` plies and return the tree of all expanded nodes.

    `position` is a state or a move string (None: the start); `first` is the side that made its first move. `depth` None searches
    to the end. Cutoffs need a strictly better value with `cut_on_equal=False`. `on_progress` is called with the number of nodes
    about fifty times a second and stops the search by returning False. A search stopped by it, by `max_nodes`, by
    `max_memory` (bytes for the tree; None: half of what is free) or by Ctrl-C returns the tree so far, with `complete` False.
    `compiled` forces the kernel (True) or the readable text (False).

    >>> from engine import preset
    >>> tree = search(preset("k-tables"), "3", depth=3, algorithm="alphabeta")
    >>> tree.expanded, tree.root.value, tree.root.best_move
    (234, -3.0, 3)
    """
    if on_progress is not None and not callable(on_progress):
        raise PlyscopeError(f"on_progress is {on_progress!r}: a function of the number of nodes is needed")
    asked, quirk = read_question(game, position, depth, algorithm, cut_on_equal, as_published, max_nodes, compiled, first)
    check_budget(max_memory)
    machine = machine_for(asked, quirk)
    began = time.perf_counter()
    rounded = False
    if machine:
        table, stopped = machine.run(max_nodes, on_progress, max_memory)
    else:
        table, stopped, rounded = _run_readable(asked, quirk, max_nodes, on_progress, max_memory)
    return SearchTree(asked, table, time.perf_counter() - began, stopped, rounded)


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
    algorithm: str = "alphabeta",
    *,
    cut_on_equal: bool = True,
    as_published: bool = False,
    max_nodes: int = MAX_NODES,
    on_progress: Callable[[int], object] | None = None,
    compiled: bool | None = None,
    first: str | None = None,
) -> Unrecorded:
    """The same search with nothing written down: what recording costs is the difference."""
    asked, quirk = read_question(game, position, depth, algorithm, cut_on_equal, as_published, max_nodes, compiled, first)
    machine = machine_for(asked, quirk, recording=False)
    tally, stopped = Tally(max_nodes, on_progress), ""
    began = time.perf_counter()
    if machine:
        nodes, value, stopped = machine.run_unrecorded(max_nodes, on_progress)
    else:
        try:
            value = run_text(asked, quirk, tally)
        except SearchStopped as reason:
            value, stopped = float("nan"), str(reason)
        nodes = tally.nodes
    return Unrecorded(nodes, value, time.perf_counter() - began, stopped)


def search_to_the_end(*question: Any, **options: Any) -> SearchTree:
    """A search whose result is useless in part: Ctrl-C is not answered with the tree so far, but goes on to the caller."""
    tree = search(*question, **options)
    if tree.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    return tree


def read_question(
    game: Any,
    position: Any,
    depth: int | None,
    algorithm: str,
    cut_on_equal: bool,
    as_published: bool,
    max_nodes: int,
    compiled: bool | None,
    first: str | None,
) -> tuple[Search, str]:
    """The question, checked, and the quirk it brings back."""
    check_game(game)
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise UnknownName("algorithm", algorithm, ALGORITHMS)
    _check_limits(depth, max_nodes)
    quirk = quirk_brought_back(game) if as_published else ""
    if quirk and not ALGORITHMS[algorithm].kernel:
        raise PlyscopeError(f"no published program searches by {algorithm}: leave out as_published")
    root = read_position(game, position, first)
    if depth is not None and hasattr(game, "check_depth"):
        game.check_depth(depth, root)
    obstacle = obstacle_to_compiling(game) or ("" if ALGORITHMS[algorithm].kernel else f"{algorithm} has no compiled text")
    if quirk == quirks.NO_FULL_BOARD_TEST and not obstacle and game.evaluation == "spread":
        obstacle = "its quirk is made of ints, and spread of floats"
    if compiled and obstacle:
        raise NotCompilable(f"this search cannot run compiled: {obstacle}; leave out compiled=True")
    use_kernel = not obstacle if compiled is None else compiled
    text = _position_text(game, position)
    return Search(game, root, text, first, algorithm, depth, cut_on_equal, as_published, use_kernel), quirk


def _plies(asked: Search) -> int:
    return MAX_DEPTH + 1 if asked.K is None else asked.K


def machine_for(asked: Search, quirk: str, recording: bool = True) -> Any:
    """The kernel set up for this search; None if the readable text is to do it, as it does for a single node."""
    plies = _plies(asked)
    if not asked.compiled or plies == 0 or asked.game.is_over(asked.root):
        return None
    from engine.compiled.driver import CompiledSearch, load_kernel

    load_kernel("spread" if asked.game.evaluation == "spread" else "none")
    pruning = ALGORITHMS[asked.algorithm].windows
    return CompiledSearch(asked.game, asked.root, plies, pruning, asked.cut_on_equal, quirk, recording)


def run_text(asked: Search, quirk: str, record: Record | Tally) -> float:
    """Run the readable text of the algorithm."""
    game, root, plies, algorithm = asked.game, asked.root, _plies(asked), ALGORITHMS[asked.algorithm]
    if quirk and quirk != quirks.DOUBLED_LINKS:
        return run_as_published(game, record, root, plies, quirk, algorithm.windows, asked.cut_on_equal)
    return algorithm.run(game, record, root, plies, asked.cut_on_equal)


def _run_readable(
    asked: Search, quirk: str, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
) -> tuple[Columns, str, bool]:
    record = Record(max_nodes, ALGORITHMS[asked.algorithm].windows, on_progress, max_memory)
    stopped = ""
    try:
        run_text(asked, quirk, record)
    except SearchStopped as reason:
        stopped = str(reason)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    table = record.columns()
    if len(table.end) == 0:
        raise KeyboardInterrupt
    if stopped:
        low, high = root_window(quirk)
        settle(table, low, high)
    elif on_progress is not None:
        on_progress(len(table.end))
    return table, stopped, record.rounded


def _check_limits(depth: Any, max_nodes: Any) -> None:
    if not is_whole(max_nodes) or max_nodes < 1:
        raise BadLimit(f"a limit of {max_nodes!r} nodes: a whole number from 1 is needed")
    if depth is not None and (not is_whole(depth) or not 0 <= depth <= MAX_DEPTH):
        raise BadDepth(f"depth {depth!r} is not possible: give 0 to {MAX_DEPTH} plies, or none to search to the end")


def quirk_brought_back(game: Any) -> str:
    """The quirk that as_published means for this game."""
    if not getattr(game, "preset", ""):
        raise PlyscopeError("as_published needs a preset: only those have an original program whose quirks can be run")
    return game.quirk


def read_position(game: Any, position: Any, first: str | None = None) -> Any:
    """The state meant by a move string, a state, or None for the start. Our own games check a state that they are given."""
    if position is None and first is None:
        return game.start()
    reads = callable(getattr(game, "state", None)) and (
        position is None or isinstance(position, str) or isinstance(game, (Connect, Literal, Nim, TicTacToe))
    )
    if not reads and first is not None:
        raise PlyscopeError(f"{type(game).__name__} cannot read positions (it has no state() method), so `first` has no meaning")
    if not reads:
        return position
    options = {} if first is None else {"first": first}
    return game.state("" if position is None else position, **options)


def _position_text(game: Any, position: Any) -> str | None:
    """The position as it was written; None for a state, which has no short text."""
    if position is None:
        return ""
    if is_whole(position) and isinstance(game, Connect):
        return f"{LONG}{position}"
    return position if isinstance(position, str) else None


def obstacle_to_compiling(game: Any) -> str:
    """Why this game is searched by the readable text; empty if the kernel can do it."""
    if not isinstance(game, Connect):
        return "only Connect boards have a compiled search"
    from engine.compiled.driver import why_not

    return why_not(game)
