"""The facts about one node, found by probes: its fold, its windows, its cutoffs, its move, its board.

Everything is from the side of the node's mover: `good` is high where the mover likes it, and the window (low, high) is its
own: (alpha, beta) at MAX, (-beta, -alpha) at MIN. In negamax the children's numbers are the opponent's.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.checker.diagnosis.black_box import BlackBox, ChildCall, ProbeResult, answer_always, answer_in_order, remove_score
from engine.checker.diagnosis.evidence import format_number, format_scores
from engine.checker.diagnosis.program_view import Window
from engine.checker.recording.board_cells import changed_cells, changed_parts
from engine.checker.recording.state_encoding import is_number

MAX, MIN, LAST_CHILD, FIRST_CHILD, UNKNOWN_FOLD = "max", "min", "last", "first", "other"
AVERAGE_FOLD = "average"  # of a chance node
MIXED_FOLD = "mixed"  # the scores of some children are negated: after an extra turn the same side moves again
OPEN_WINDOW = (-math.inf, math.inf)
MAX_SIGNED_CHILDREN = 10
MAX_TESTED_PLACES = 12  # of the best move among many
LARGE_SPANS = 4.0  # times the score of a move that is scored without a call
MAX_AVERAGE_ERROR = 0.01  # of the span
MAX_WEIGHED_CHILDREN = 40
LARGE_SCORE = 1e6  # times the span
ROUNDING_SCALE = 1e3  # of scores of which a rounded average differs from every one
LOW, HIGH = -0.5, 0.45  # the window of the probes, as shares of the span
INSIDE, WORSE, BELOW, ABOVE = 0.1, -0.2, -0.7, 0.7


@dataclass
class NodeFacts:
    """A node and the facts about it. Numbers are from the side of its mover, in the program's own scale."""

    node: BlackBox
    children: int = 0
    fold: str = UNKNOWN_FOLD
    negated: bool = False  # negamax: the children's scores are negated first
    direct: ProbeResult = field(default_factory=ProbeResult)  # all children get the same score, window open
    starts_at: float | None = None  # its score if every child is extremely bad
    start: float | None = None  # its score if every child is worse than that
    start_below: float | None = None  # the score of the children in that case
    windows: list[list[Window]] = field(
        default_factory=list
    )  # of the children, for scores inside the window, below it and beyond it
    raw_windows: list[Window] = field(default_factory=list)  # of the first case, as the node passes them
    tried_above: int = 0  # children called if every score is beyond the bound
    tried_at: int = 0  # if every score equals the bound
    tried_inside: int = 0
    tried_below: int = 0
    tried_just_above_low: int = 0
    tried_just_below_high: int = 0
    window_decides: bool = False  # with an open window it never calls all of its children
    stops_early: bool = False  # it skips children although the window is open
    returned_above: float | None = None
    returned_below: float | None = None
    moves: list[Any] = field(default_factory=list)  # the move in the result, for each tested child as the best one
    noted: dict[str, list[Any]] = field(default_factory=dict)  # the same for globals and attributes
    ties: list[Any] = field(default_factory=list)  # the moves for equal children, with different random seeds
    lost: list[tuple[float, Any]] = field(default_factory=list)  # a bad score, and the move if all children have it
    rising: ProbeResult = field(default_factory=ProbeResult)  # every child scores higher than the ones before it
    falling: ProbeResult = field(default_factory=ProbeResult)
    left_after_cut: bool = False
    left: bool = False
    in_place: bool = False
    piled: bool = False
    span: float = 1.0
    is_fold_guessed: bool = False  # it may be the other one
    weights: list[float] = field(default_factory=list)  # of its children, if it returns a weighted sum of their scores
    offset: float = 0.0  # what it adds to that sum

    @property
    def sign(self) -> int:
        """Return -1 if lower scores are better for the node, else 1."""
        return -1 if self.fold == MIN else 1

    @property
    def known(self) -> bool:
        """Return True if the fold is max or min."""
        return self.fold in (MAX, MIN)

    @property
    def row(self) -> int:
        """Return the row of the node."""
        return self.node.row

    def move_in_result(self, outcome: ProbeResult) -> Any:
        """Return the part of a result beside the score."""
        if not self.node.snapshot.is_root:
            return remove_score(outcome.result, self.node.program.score.keys)
        scores = self.score_places()
        return remove_score(outcome.result, (scores[0],)) if scores else outcome.result

    def score_places(self) -> list[Any]:
        """Return the places in the result that have the score of one of the moves."""
        return [
            place for place, part in _result_items(self.rising.result) if is_number(part) and abs(part) in self.rising.answered
        ]

    def describe_tests(self) -> str:
        """Describe two tests with chosen scores: rising ones, then falling ones. Both are from the record of the probe."""
        rising = spread_scores(self.children, self.span)
        first, second = (
            f"with the scores {format_scores(scores)} for its moves it returns {format_number(outcome.value)}"
            for scores, outcome in ((rising, self.rising), (rising[::-1], self.falling))
        )
        return f"{first}; {second}"

    def child_score(self, good: float) -> float:
        """Return the child's score that has this goodness for the mover."""
        return good * self.sign * (-1 if self.negated else 1)

    def own_goodness(self, value: float) -> float:
        """Return how good a score of the node itself is."""
        return value * self.sign

    def window_for_node(self, low: float, high: float) -> Window:
        """Return the window to pass to the node."""
        return (low, high) if self.sign == 1 else (-high, -low)

    def window_from_child(self, window: Window) -> Window:
        """Return a child's window from the side of the node's mover."""
        turned = (self.sign == -1) != self.negated
        return (-window[1], -window[0]) if turned else window


def examine_node(
    node: BlackBox, span: float, worst: Callable[[NodeFacts], float], window: Window = OPEN_WINDOW
) -> NodeFacts | None:
    """Return the facts of a node, or None if it cannot be run or makes no calls."""
    facts = NodeFacts(node, span=span)
    tried = _run_equal_answers(node, (0.11 * span, 10.0 * span, -10.0 * span), window)
    if not tried or not tried[0].child_calls or _has_null_move(tried[0]):
        return None
    facts.direct = max(tried, key=lambda outcome: outcome.children)
    if node.role_index("alpha") is not None:
        closed = _run_equal_answers(node, (10.0 * span, -10.0 * span), (LOW * span, HIGH * span))
        facts.window_decides = max((outcome.children for outcome in closed), default=0) > facts.direct.children
        facts.direct = max([facts.direct, *closed], key=lambda outcome: outcome.children)
    facts.children = facts.direct.children
    _compare_boards(facts)
    if facts.children < 2:
        return facts
    window_open = _window_or_none(node, window)
    spread = spread_scores(facts.children, span)
    runs = [(order, node.run(answer_in_order(order), window=window_open)) for order in _order_scores(spread)]
    if any(outcome.failed for _, outcome in runs):
        return None
    facts.rising, facts.falling = runs[0][1], runs[1][1]
    facts.stops_early = any(outcome.children < facts.children for _, outcome in runs)
    if node.snapshot.is_root:
        _find_root_fold(facts, spread)
    else:
        _find_fold(facts, runs, window_open)
        constant = _find_constant(runs)
        if facts.fold == UNKNOWN_FOLD and constant is not None and span < LARGE_SPANS * abs(constant):
            return examine_node(node, LARGE_SPANS * abs(constant), worst, window)  # a move without a call decides
        if facts.fold == UNKNOWN_FOLD and (_find_weights(facts, window_open) or _takes_average(facts, runs, window_open)):
            facts.fold = AVERAGE_FOLD
        elif not facts.known and _has_mixed_signs(facts, window_open):
            facts.fold = MIXED_FOLD
    if facts.known:
        _probe_start(facts, worst(facts), window_open)
        _probe_moves(facts, spread, window_open)
        if facts.direct.child_calls[0].window is not None:
            _probe_windows(facts)
    return facts


def _has_null_move(outcome: ProbeResult) -> bool:
    """Return True if some of the children, but not all, have the node's own board: the side passes to save calls."""
    same = [call.board == outcome.board for call in outcome.child_calls]
    return isinstance(outcome.board, (list, dict)) and any(same) and not all(same)


def _has_mixed_signs(facts: NodeFacts, window: Window | None) -> bool:
    """Return True if the node takes the best of the scores of some children and the negated scores of others."""
    high, children = 0.5 * facts.span, range(min(facts.children, MAX_SIGNED_CHILDREN))

    def value_if_one_differs(child: int, score: float) -> Any:
        scores = [score if other == child else 0.0 for other in range(facts.children)]
        return facts.node.run(answer_in_order(scores), window=window).value

    seen = [{sign: value_if_one_differs(child, sign * high) for sign in (1, -1)} for child in children]
    for best in (high, -high):
        signs = [[sign for sign, value in values.items() if _is_equal(value, best)] for values in seen]
        if all(len(found) == 1 for found in signs) and {found[0] for found in signs} == {1, -1}:
            return True
    return False


def _find_constant(runs: list[tuple[list[float], ProbeResult]]) -> float | None:
    """Return the score that a node returns whatever its moves score, or None if there is no such score."""
    first = runs[0][1].value
    return first if is_number(first) and all(_is_equal(outcome.value, first) for _, outcome in runs) else None


def _find_weights(facts: NodeFacts, window: Window | None) -> bool:
    """Find the weight of each child's score in the result. Return False if the node does not return a weighted sum."""
    if facts.children > MAX_WEIGHED_CHILDREN:
        return False
    large = LARGE_SCORE * max(facts.span, 1.0)  # so large that a rounded result hardly differs
    places = range(facts.children)

    def find_value(scores: Sequence[float]) -> float:
        value = facts.node.run(answer_in_order(scores), window=window).value
        return float(value) if is_number(value) else math.nan

    window = None if window is None else (-math.inf, math.inf)  # the scores may lie outside the window of the program
    offset = find_value([0.0] * facts.children)
    weights = [(find_value([large if other == place else 0.0 for other in places]) - offset) / large for place in places]
    mixed = [large * (1 + place) / facts.children for place in places]
    expected = offset + sum(weight * score for weight, score in zip(weights, mixed, strict=True))
    is_sum = abs(find_value(mixed) - expected) < MAX_AVERAGE_ERROR * large and min(weights) > -MAX_AVERAGE_ERROR
    if is_sum and sum(weight > MAX_AVERAGE_ERROR for weight in weights) > 1:
        facts.weights, facts.offset = weights, offset
    return bool(facts.weights)


def _takes_average(facts: NodeFacts, runs: list[tuple[list[float], ProbeResult]], window: Window | None) -> bool:
    """Return True if a node returns a score between those of its moves, and half of it if they are halved."""
    rising, first = runs[0][0], runs[0][1].value
    halved = facts.node.run(answer_in_order([0.5 * score for score in rising]), window=window).value
    return (
        all(_is_between(outcome.value, order) for order, outcome in runs)
        and is_number(halved)
        and abs(halved - 0.5 * first) < MAX_AVERAGE_ERROR * facts.span
    )


def _is_between(value: Any, scores: Sequence[float]) -> bool:
    return is_number(value) and min(scores) < value < max(scores) and not any(_is_equal(value, score) for score in scores)


def _run_equal_answers(node: BlackBox, answers: Sequence[float], window: Window) -> list[ProbeResult]:
    """Run the node once for each number, which all children get. Leave out the runs that failed."""
    tried = [node.run(answer_always(answer), window=_window_or_none(node, window)) for answer in answers]
    return [outcome for outcome in tried if not outcome.failed]


def _window_or_none(node: BlackBox, window: Window) -> Window | None:
    return window if node.role_index("alpha") is not None else None


def spread_scores(children: int, span: float) -> list[float]:
    """Return rising numbers inside the span, no two of them opposites."""
    step = 1.15 / max(children - 1, 1)
    return [span * (-0.53 + step * place + 0.0137 * (place % 2)) for place in range(children)]


def _order_scores(rising: list[float]) -> list[list[float]]:
    """Return the numbers rising, falling, and with the best and the worst in the middle."""
    middle = len(rising) // 2
    best_inside = [*rising[:-1][:middle], rising[-1], *rising[:-1][middle:]]
    worst_inside = [*rising[1:][:middle], rising[0], *rising[1:][middle:]]
    return [rising, rising[::-1], best_inside, worst_inside, best_inside[::-1], worst_inside[::-1]]


def _find_fold(facts: NodeFacts, runs: list[tuple[list[float], ProbeResult]], window: Window | None) -> None:
    """Find which child's score the node returns.

    A program may change the score on the way (a later win is worth less). Then compare with the result for children that all
    have that score.
    """
    alike: dict[float, float | None] = {}

    def result_of_equal_scores(score: float) -> float | None:
        if score not in alike:
            alike[score] = facts.node.run(lambda child: score, window=window).value
        return alike[score]

    for negated, same in ((False, lambda score: score), (True, lambda score: -score), (None, result_of_equal_scores)):
        for fold, of in ((MAX, max), (MIN, min), (LAST_CHILD, lambda order: order[-1]), (FIRST_CHILD, lambda order: order[0])):
            if all(_is_equal(outcome.value, same(of(order))) for order, outcome in runs):
                facts.negated = bool(negated)
                if negated is None:
                    low, high = result_of_equal_scores(runs[0][0][0]), result_of_equal_scores(runs[0][0][-1])
                    if low is None or high is None or low == high or not _holds_for_large_scores(facts, of, runs[0][0], window):
                        return
                    facts.negated = low > high
                turned = {MAX: MIN, MIN: MAX}.get(fold, fold) if facts.negated else fold
                facts.fold = turned
                return


def _holds_for_large_scores(
    facts: NodeFacts, of: Callable[[list[float]], float], rising: list[float], window: Window | None
) -> bool:
    """Return True if the node returns the same as if all children had the score that `of` picks, for large scores, too.

    An average that is rounded to a whole number looks like another fold as long as the scores are small.
    """
    scores = [ROUNDING_SCALE * max(1.0, 1.0 / facts.span) * score for score in rising]
    return all(
        _is_equal(
            facts.node.run(answer_in_order(order), window=window).value,
            facts.node.run(answer_always(of(order)), window=window).value,
        )
        for order in (scores, scores[::-1])
    )


def _is_equal(one: Any, other: Any) -> bool:
    return one is not None and other is not None and (one == other or abs(one - other) < 1e-9 * max(1.0, abs(one)))


def _find_root_fold(facts: NodeFacts, spread: list[float]) -> None:
    """Find the fold of a root, which returns a move: the best child's, or the worst's in negamax and for MIN."""
    for fold, values in ((MAX, spread), (MIN, spread[::-1])):
        choices = [
            {facts.node.run(answer_in_order(order)).choice for order in _place_best(values, place)}
            for place in tested_places(facts.children)
        ]
        if all(len(choice) == 1 for choice in choices) and len(set.union(*choices)) == len(choices):
            facts.fold = fold
            if facts.children == 2:
                _find_fold_of_two_moves(facts, spread, set.union(*choices))
            return


def _find_fold_of_two_moves(facts: NodeFacts, rising: list[float], choices: set[str]) -> None:
    """Find the fold of a root with two moves, which fits MAX and MIN: the one without the best score has the worst.

    NaN is neither larger nor smaller than another score, so that the other move is chosen. This tells nothing where NaN is
    preferred, as by `np.argmax`: then the first of two NaN is chosen, which here is `second`.
    """

    def choose(one: float, two: float) -> str:
        return facts.node.run(answer_in_order([one, two])).choice

    first, second, neither = choose(rising[0], math.nan), choose(math.nan, rising[0]), choose(math.nan, math.nan)
    best = {abs(facts.rising.result[place]) for place in facts.score_places()}
    if {first, second} == choices and neither != second:
        facts.fold = MAX if facts.rising.choice == second else MIN
    elif best:
        facts.fold = MAX if best == {abs(max(rising))} else MIN
    else:
        facts.is_fold_guessed = True


def tested_places(children: int) -> list[int]:
    """Return the places where the best move is tested: all of a few moves, some of many.

    >>> tested_places(4), tested_places(49)
    ([0, 1, 2, 3], [0, 4, 9, 13, 17, 22, 26, 31, 35, 39, 44, 48])
    """
    if children <= MAX_TESTED_PLACES:
        return list(range(children))
    return [round(step * (children - 1) / (MAX_TESTED_PLACES - 1)) for step in range(MAX_TESTED_PLACES)]


def _place_best(spread: list[float], place: int) -> list[list[float]]:
    """Return the scores with the last one at `place`, the others in order and reversed."""
    return [[*others[:place], spread[-1], *others[place:]] for others in (spread[:-1], spread[-2::-1])]


def _result_items(result: Any) -> list[tuple[Any, Any]]:
    return list(enumerate(result) if isinstance(result, tuple) else result.items() if isinstance(result, dict) else ())


def _probe_start(facts: NodeFacts, worst: float, window: Window | None) -> None:
    abyss = -1e15 * facts.span
    outcome = facts.node.run(lambda child: facts.child_score(abyss), window=window)
    if outcome.value is not None and not facts.node.snapshot.is_root:
        facts.starts_at = -math.inf * facts.sign if _is_equal(facts.own_goodness(outcome.value), abyss) else outcome.value
    outcome = facts.node.run(lambda child: facts.child_score(worst), window=window)
    lost_leaf = [-math.inf] if any(isinstance(value, float) and math.isinf(value) for value in facts.node.program.values) else []
    for good in dict.fromkeys(
        (*lost_leaf, worst, *(-abs(score) for score in facts.node.program.returned_constants() if score), -facts.span)
    ):
        lost = facts.node.run(answer_always(facts.child_score(good)), window=window)
        if not lost.failed:
            facts.lost.append((good, facts.move_in_result(lost)))
    if outcome.value is not None and not facts.node.snapshot.is_root and facts.own_goodness(outcome.value) > worst + 1e-9:
        again = facts.node.run(
            lambda child: facts.child_score(worst * 0.98), window=window
        ).value  # a modified score changes too, a starting value does not
        if again is not None and _is_equal(again, outcome.value):
            facts.start, facts.start_below = outcome.value, facts.child_score(worst)


def _probe_moves(facts: NodeFacts, spread: list[float], window: Window | None) -> None:
    good = [facts.child_score(value) for value in spread]
    outcomes = [
        facts.node.run(answer_in_order(_place_best(good, place)[0]), window=window) for place in tested_places(facts.children)
    ]
    facts.moves = [facts.move_in_result(outcome) for outcome in outcomes]
    for outcome in outcomes:
        for name, value in outcome.world.items():
            facts.noted.setdefault(name, []).append(value)
    if facts.node.is_outermost:
        runs = [
            facts.node.run(lambda child: facts.child_score(0.1 * facts.span), window=window, seed=seed) for seed in range(1, 7)
        ]
        facts.ties = [facts.move_in_result(outcome) for outcome in runs]


def _probe_windows(facts: NodeFacts) -> None:
    span, node = facts.span, facts.node
    low, high = LOW * span, HIGH * span
    window = None if node.snapshot.is_root else facts.window_for_node(low, high)

    def run(*goods: float) -> ProbeResult:
        return node.run(answer_in_order([facts.child_score(good * span) for good in goods]), window=window)

    for goods in ((INSIDE, WORSE, WORSE - 0.1), (BELOW, BELOW - 0.1), (ABOVE, ABOVE)):
        outcome = run(*goods)
        facts.windows.append(
            [facts.window_from_child(call.window) for call in _first_calls(outcome.child_calls) if call.window is not None]
        )
        if len(facts.windows) == 1:
            facts.raw_windows = [call.window for call in _first_calls(outcome.child_calls) if call.window is not None]
    above, at, inside, below = run(ABOVE), run(HIGH), run(INSIDE), run(BELOW)
    facts.tried_above, facts.tried_at = above.children, at.children
    facts.tried_inside, facts.tried_below = inside.children, below.children
    facts.tried_just_above_low, facts.tried_just_below_high = run(LOW + 0.01).children, run(HIGH - 0.06).children
    moved = set().union(*(changed_parts(changed_cells(facts.direct.board, call.board)) for call in facts.direct.child_calls))
    facts.left_after_cut = bool(changed_parts(above.board_left) & moved) and above.children < facts.children
    if above.value is not None and below.value is not None and not node.snapshot.is_root:
        facts.returned_above, facts.returned_below = facts.own_goodness(above.value), facts.own_goodness(below.value)


def _first_calls(child_calls: Sequence[ChildCall]) -> list[ChildCall]:
    """Return the first call of each child."""
    return [first for _, first in sorted({call.child: call for call in reversed(child_calls)}.items())]


def _compare_boards(facts: NodeFacts) -> None:
    outcome = facts.direct
    facts.left = bool(outcome.board_left)
    facts.in_place = any(call.in_place for call in outcome.child_calls)
    added = [
        set(changed_cells(outcome.board, call.board).items())
        for call in _first_calls(outcome.child_calls)
        if _has_hashable_changes(call, outcome)
    ]
    nested = len(added) > 1 and all(earlier < later for earlier, later in itertools.pairwise(added))
    shared = all(call.with_sibling for call in _first_calls(outcome.child_calls)[1:])
    facts.piled = nested and shared and (facts.left if facts.in_place else True)
    if facts.children == 1 and len(outcome.child_calls) > 1:  # one board for all children, with all the moves on it
        sharing = [call.with_sibling and not call.same_object for call in outcome.child_calls[1:]]
        facts.piled = all(sharing) and len(changed_cells(outcome.board, outcome.child_calls[0].board)) == len(outcome.child_calls)


def _has_hashable_changes(call: ChildCall, outcome: ProbeResult) -> bool:
    try:
        set(changed_cells(outcome.board, call.board).items())
    except TypeError:
        return False
    return True
