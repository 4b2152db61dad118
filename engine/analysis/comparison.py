"""Compare algorithms, each with its own options, on one position, depth by depth: counts, values, times, savings of cutoffs.

The rows of a depth are completed together, because the timed runs of the algorithms take turns. A comparison can be observed
and stopped like a search; the rows so far are kept.
"""

import time
from collections.abc import Callable, Iterable
from math import isclose
from statistics import median
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.variants import Variant, make_variant, read_variants
from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM, Alignment, NotAligned
from engine.analysis.comparison_result import Comparison, ComparisonProgress, Level, Row, Seconds
from engine.analysis.minimal_tree import best_first_size, knuth_moore_size, minimal_tree_size, uniform_branching
from engine.analysis.node_estimate import estimate_nodes, max_tree_nodes
from engine.analysis.published_figures import published_searches
from engine.analysis.statistics import count_cutoffs_by_rank, count_node_types, effective_branching
from engine.compiled.compile_policy import compile_before_use
from engine.core.errors import PlyscopeError, UnknownName
from engine.core.parsing import is_whole, read_depths
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_algorithm, has_leaf_values_only, plies_to_end
from engine.games.chance_outcomes import has_chance
from engine.question import DEFAULT_ALGORITHM, Question, make_question
from engine.record.recorder import is_stop_request
from engine.searcher import MAX_NODES, check_question, list_suitable_algorithms, search_unrecorded
from engine.searcher import search_uninterrupted as search
from engine.tree.tree import SearchTree

DEFAULT_ALGORITHMS = (FULL_ALGORITHM, PRUNED_ALGORITHM)  # if no others are named
DEFAULT_DEPTHS = tuple(range(1, 7))
DEFAULT_REPEATS, MAX_REPEATS = 3, 1000
MAX_ROUNDING_ERROR = 1e-9  # of values of two searches where chance moves
WARM_UP_NODES = 1000  # nodes of each search before the measurements
MAX_WRITTEN_NODES = 2_000_000  # the text of a larger tree takes hundreds of megabytes
MAX_SAVINGS = 10  # cutoffs kept per depth


def default_comparison(game: Any) -> tuple[str, ...]:
    """Return the algorithms to compare on a game if none are named: where chance moves, all that can search it.

    Elsewhere minimax and alpha-beta, with the options that the game declares for the one it is usually searched by.
    """
    if has_chance(game):
        return tuple(list_suitable_algorithms(game))
    declared, options = declared_algorithm(game)
    return tuple(make_variant(name, **(options if name == declared else {})).text for name in DEFAULT_ALGORITHMS)


def compare(
    game: Any,
    position: Any = None,
    depths: Iterable[int | None] | str | None = None,
    algorithms: Iterable[str] | str | None = None,
    repeat: int = DEFAULT_REPEATS,
    *,
    max_nodes: int = MAX_NODES,
    compiled: bool | None = None,
    first: str | None = None,
    write: Callable[[SearchTree], object] | None = None,
    on_row: Callable[[Row], object] | None = None,
    on_progress: Callable[[ComparisonProgress], object] | None = None,
    keep_nodes: int = 0,
    clock: Callable[[], float] = time.perf_counter,
    **options: Any,
) -> Comparison:
    """Search `position` to each of the depths by each of the algorithms, `repeat` times, and return the differences.

    `algorithms`: None stands for minimax and alpha-beta; where chance moves, for expectiminimax, Star1 and Star2.
    An algorithm is a name, or a name with its own options ("alphabeta:strict": see algorithms/variants.py), by which its rows
    are found. `game` may be a `Question`, whose position and options are used then. An option applies to all algorithms that
    declare it, unless one has its own value.

    `depths` are ascending, or text such as "1-6" (None: 1 to 6, or all of a literal tree). `write` is called with every
    recorded tree and timed with it. `on_row` gets each row as it is completed. `on_progress` is called about fifty times a
    second and stops the comparison by returning False. Trees of at most `keep_nodes` are kept. A tree of minimax that would
    exceed `max_nodes` is not run. All errors in the question are raised before the first search.

    >>> from engine import preset
    >>> done = compare(preset("k-tables"), "3", "3", repeat=1)
    >>> [(row.algorithm, row.expanded, row.value, row.best_move) for row in done.rows]
    [('minimax', 400, -3.0, 3), ('alphabeta', 234, -3.0, 3)]
    >>> done.levels[0].saved, done.levels[0].best_first.nodes, done.levels[0].savings[0].saved
    (166, 76, 48)
    """
    comparison = plan_comparison(
        game, position, depths, algorithms, repeat, max_nodes=max_nodes, compiled=compiled, first=first, **options
    )
    for name, function in (("write", write), ("on_row", on_row), ("on_progress", on_progress)):
        if function is not None and not callable(function):
            raise PlyscopeError(f"{name} is {function!r}: a function is needed")
    comparison.writes = write is not None
    _ComparisonRun(comparison, write, on_row, on_progress, keep_nodes, clock).run()
    return comparison


def plan_comparison(
    game: Any,
    position: Any = None,
    depths: Iterable[int | None] | str | None = None,
    algorithms: Iterable[str] | str | None = None,
    repeat: int = DEFAULT_REPEATS,
    *,
    max_nodes: int = MAX_NODES,
    compiled: bool | None = None,
    first: str | None = None,
    **options: Any,
) -> Comparison:
    """Return the comparison before its first search. Raise an error if anything in the request is wrong."""
    base = make_question(game, position, None, DEFAULT_ALGORITHM, first=first)
    variants = read_variants(default_comparison(base.game) if algorithms is None else algorithms)
    if isinstance(game, Question):
        known = {option.name for one in variants for option in one.spec.options}
        options = {**{option.name: value for option, value in game.chosen if option.name in known}, **options}
    by_variant = build_questions(base, variants, options)
    searches = {text: check_question(question, max_nodes, compiled) for text, question in by_variant.items()}
    readable = tuple(text for text, search in searches.items() if not search.compiled)
    root = next(iter(searches.values())).root
    plies = read_depths(depths) if depths is not None else _default_depths(base.game, root)
    questions = {(depth, text): question.replace(depth=depth) for depth in plies for text, question in by_variant.items()}
    for question in questions.values():
        check_question(question, max_nodes, not readable)
    if not is_whole(repeat) or not 1 <= repeat <= MAX_REPEATS:
        raise PlyscopeError(f"{repeat!r} repeats: a whole number from 1 to {MAX_REPEATS} is needed")
    return Comparison(questions, root, int(repeat), int(max_nodes), readable)


def build_questions(base: Question, variants: Iterable[Variant], options: dict[str, Any]) -> dict[str, Question]:
    """Return the question of each variant, by its text: the shared options that it declares, and its own."""
    shared = _split_options(tuple(dict.fromkeys(one.algorithm for one in variants)), options)
    found = {
        one.text: base.replace(algorithm=one.algorithm, depth=None, **{**shared[one.algorithm], **one.options})
        for one in variants
    }
    for text, question in found.items():
        same = next(other for other, earlier in found.items() if earlier == question)
        if same != text:
            raise PlyscopeError(f"{same} and {text} are the same search here: leave one of them out")
    return found


def _split_options(names: tuple[str, ...], options: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return for each algorithm the options that it declares.

    Raise an error for an option that none declares, and for a shared one that not all declare.
    """
    declared = {name: {option.name: option for option in ALGORITHMS[name].options} for name in names}
    everything = {name: option for known in declared.values() for name, option in known.items()}
    for option, value in options.items():
        if option not in everything:
            raise UnknownName(f"option of {' or '.join(names)}", option, everything)
        without_it = [name for name, known in declared.items() if option not in known]
        if everything[option].shared and value != everything[option].default and without_it:
            raise PlyscopeError(
                f"{option} does not apply to {', '.join(without_it)}, so they cannot be compared: leave one of them out"
            )
    return {name: {option: value for option, value in options.items() if option in declared[name]} for name in names}


def _default_depths(game: Any, root: Any) -> tuple[int | None, ...]:
    return (plies_to_end(game, root),) if has_leaf_values_only(game) else DEFAULT_DEPTHS


class _ComparisonCancelled(Exception):
    """Raised to leave a comparison that its caller cancels."""


class _MeasuredTimes:
    """The measured times of one row."""

    def __init__(self) -> None:
        self.alone: list[float] = []
        self.recorded: list[float] = []
        self.written: list[float] = []


class _ComparisonRun:
    """One running comparison."""

    def __init__(
        self,
        comparison: Comparison,
        write: Callable[[SearchTree], object] | None,
        on_row: Callable[[Row], object] | None,
        on_progress: Callable[[ComparisonProgress], object] | None,
        keep_nodes: int,
        clock: Callable[[], float],
    ):
        self.comparison, self.write, self.on_row, self.on_progress = comparison, write, on_row, on_progress
        self.keep_nodes, self.clock = keep_nodes, clock
        self.done = 0
        self.runs = 2 * comparison.repeat * len(comparison.depths) * len(comparison.algorithms)
        other = comparison.options.get("cut_on_equal") is False or comparison.options.get("quiescence", 0) > 0
        self.published = {} if other else published_searches(comparison.game, comparison.root)

    def run(self) -> None:
        try:
            with compile_before_use():
                self._warm_up()
                for depth in self.comparison.depths:
                    self._compare_depth(depth)
        except _ComparisonCancelled:
            self.comparison.stopped = StopReason.CANCELLED
        except KeyboardInterrupt:
            self.comparison.stopped = StopReason.INTERRUPTED

    def _warm_up(self) -> None:
        """Run every search once, up to some nodes, without measuring: everything is compiled and loaded before the clock
        runs.
        """
        comparison = self.comparison
        trees = {}
        for algorithm in comparison.algorithms:
            question = comparison.questions[comparison.depths[0], algorithm]
            search_unrecorded(question, max_nodes=WARM_UP_NODES, compiled=comparison.compiled)
            trees[algorithm] = search(question, max_nodes=WARM_UP_NODES, compiled=comparison.compiled)
        for tree in trees.values() if self.write is not None else ():
            self.write(tree)  # type: ignore[misc]
        _make_level(comparison, comparison.depths[0], [], trees)

    def _compare_depth(self, depth: int | None) -> None:
        """Measure all rows of one depth. In each round the algorithms take turns."""
        comparison = self.comparison
        times = {algorithm: _MeasuredTimes() for algorithm in comparison.algorithms}
        trees: dict[str, SearchTree] = {}
        rows = {
            algorithm: row
            for algorithm in comparison.algorithms
            if (row := self._refuse_large_search(depth, algorithm)) is not None
        }
        for _ in range(comparison.repeat):
            for algorithm in comparison.algorithms:
                if algorithm in rows:
                    self.done += 2
                    continue
                trees.pop(algorithm, None)  # free its memory for the next one
                tree = self._measure_round(depth, algorithm, times[algorithm])
                if tree.complete:
                    trees[algorithm] = tree
                else:
                    rows[algorithm] = Row(depth, algorithm, f"stopped ({tree.stopped}) after {tree.expanded:,} nodes")
        for algorithm, tree in trees.items():
            rows[algorithm] = self._make_row(depth, algorithm, tree, times[algorithm])
            if len(tree) <= self.keep_nodes:
                comparison.trees[depth, algorithm] = tree
        ordered = [rows[algorithm] for algorithm in comparison.algorithms]
        level = _make_level(comparison, depth, ordered, trees)
        comparison.rows += ordered
        comparison.levels.append(level)
        for row in ordered if self.on_row is not None else ():
            self.on_row(row)  # type: ignore[misc]

    def _refuse_large_search(self, depth: int | None, algorithm: str) -> Row | None:
        """Return the row of a search without pruning that is not run, because it would exceed the node limit; else None."""
        comparison = self.comparison
        question = comparison.questions[depth, algorithm]
        if ALGORITHMS[question.algorithm].windows or max_tree_nodes(comparison.game, depth) <= comparison.max_nodes:
            return None
        self._report_progress(depth, algorithm, 0)
        expected = estimate_nodes(question, compiled=comparison.compiled)
        return Row(depth, algorithm, f"not run, {expected}", expected.nodes) if expected.nodes > comparison.max_nodes else None

    def _measure_round(self, depth: int | None, algorithm: str, times: _MeasuredTimes) -> SearchTree:
        """Run one round: the recorded search, the writing of its tree, and the search alone."""
        limits: dict[str, Any] = {
            "max_nodes": self.comparison.max_nodes,
            "compiled": self.comparison.compiled,
            "on_progress": lambda nodes: self._report_progress(depth, algorithm, nodes),
        }
        question = self.comparison.questions[depth, algorithm]
        began = self.clock()
        tree = search(question, **limits)
        recorded = self.clock() - began
        self.done += 1
        times.recorded.append(recorded)
        if not tree.complete:
            self.done += 1
            return tree
        if self.write is not None and len(tree) <= MAX_WRITTEN_NODES:
            began = self.clock()
            self.write(tree)
            times.written.append(recorded + self.clock() - began)
        began = self.clock()
        search_unrecorded(question, **limits)
        times.alone.append(self.clock() - began)
        self.done += 1
        return tree

    def _report_progress(self, depth: int | None, algorithm: str, nodes: int) -> None:
        """Report the progress. Leave the comparison, out of the running search, if the answer is to stop."""
        if self.on_progress is not None:
            answer = self.on_progress(ComparisonProgress(depth, algorithm, self.done, self.runs, nodes))
            if is_stop_request(answer):
                raise _ComparisonCancelled

    def _make_row(self, depth: int | None, algorithm: str, tree: SearchTree, times: _MeasuredTimes) -> Row:
        best = tree.root.best_child
        pruning = tree.windows
        counted = tree.statistics()
        return Row(
            depth,
            algorithm,
            **counted._asdict(),
            value=tree.root.value,
            best_move=None if best is None else best.move,
            best_move_name=tree.root.best_move_name,
            alone=_summarize_times(times.alone),
            recorded=_summarize_times(times.recorded),
            written=_summarize_times(times.written),
            effective_branching=effective_branching(tree),
            cutoffs_by_rank=tuple(count_cutoffs_by_rank(tree)) if pruning else (),
            node_types=count_node_types(tree) if pruning else None,
            published=self.published.get((-1 if depth is None else depth, algorithm)),
            extra=tuple(counted.extra_counts.items()),
            rounded=tree.rounded,
        )


def _summarize_times(times: list[float]) -> Seconds | None:
    return Seconds(median(times), min(times), max(times)) if times else None


def _is_consistent(comparison: Comparison, depth: int | None, rows: list[Row]) -> bool:
    """Return True if searches for the same value agree: by law, and if they go equally far beyond the horizon.

    Where chance moves, values are sums of fractions, which are equal up to rounding; of equal moves any may be chosen.
    """
    values: dict[int, list[Any]] = {}
    moves: dict[int, set[Any]] = {}
    for row in rows:
        question = comparison.questions[depth, row.algorithm]
        if "value" not in ALGORITHMS[question.algorithm].laws:
            continue
        plies, drawn = question.options.get("quiescence", 0), has_chance(question.game)
        known = values.setdefault(plies, [])
        if not (drawn and known and isclose(row.value or 0.0, known[0] or 0.0, abs_tol=MAX_ROUNDING_ERROR)):
            known.append(row.value)
        if question.ordered and not drawn:  # they choose the same of equal moves
            moves.setdefault(plies, set()).add(row.best_move)
    return all(len(set(found)) == 1 for found in (*values.values(), *moves.values()))


def _make_level(comparison: Comparison, depth: int | None, rows: list[Row], trees: dict[str, SearchTree]) -> Level:
    known = [row for row in rows if row.expanded is not None]
    agree = _is_consistent(comparison, depth, known)
    minimax, alphabeta = trees.get(FULL_ALGORITHM), trees.get(PRUNED_ALGORITHM)
    if minimax is None or not minimax.complete:
        return Level(depth, agree)
    branching = uniform_branching(minimax)
    formula = knuth_moore_size(branching) if branching is not None else None
    level = Level(depth, agree, None, best_first_size(minimax), formula, minimal_tree_size(minimax))
    if alphabeta is None or not alphabeta.complete or not alphabeta.question.ordered or alphabeta.quiescence:
        return level
    try:
        alignment = Alignment(minimax, alphabeta)
    except NotAligned as error:  # the game changes from search to search
        return level._replace(agree=False, note=str(error))
    return level._replace(saved=alignment.only_minimax, savings=tuple(alignment.largest_savings(MAX_SAVINGS)))
