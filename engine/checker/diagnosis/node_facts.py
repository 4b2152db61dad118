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
from engine.checker.diagnosis.program_view import Window, changed_cells, changed_parts
from engine.checker.recording.state_encoding import is_number

MAX, MIN, LAST_CHILD, FIRST_CHILD, UNKNOWN_FOLD = "max", "min", "last", "first", "other"
OPEN_WINDOW = (-math.inf, math.inf)
LOW, HIGH = -0.5, 0.45  # of the span: the window of the probes
INSIDE, WORSE, BELOW, ABOVE = 0.1, -0.2, -0.7, 0.7


@dataclass
class NodeFacts:
    """A node and the facts about it. Numbers are from the side of its mover, in the program's own scale."""

    node: BlackBox
    children: int = 0
    fold: str = UNKNOWN_FOLD
    negated: bool = False  # the fold is of the children's opposites: negamax
    direct: ProbeResult = field(default_factory=ProbeResult)  # all children answered alike, window open
    starts_at: float | None = None  # what it returns where every child is worse than anything
    start: float | None = None  # what it returns though every child is worse
    start_below: float | None = None  # the answer that was given then
    windows: list[list[Window]] = field(default_factory=list)  # of the children: better then worse; below the window; beyond it
    raw_windows: list[Window] = field(default_factory=list)  # as they were passed
    asked_above: int = 0  # children asked though the first is beyond the bound
    asked_at: int = 0  # at the bound
    asked_inside: int = 0
    asked_below: int = 0
    asked_just_above_low: int = 0
    asked_just_below_high: int = 0
    window_decides: bool = False  # with an open window it never asks for all of its children
    stops_early: bool = False  # it skips children though the window is open
    returned_above: float | None = None
    returned_below: float | None = None
    moves: list[Any] = field(default_factory=list)  # what is returned beside the score as the best child is moved around
    noted: dict[str, list[Any]] = field(default_factory=dict)  # the same of globals and attributes
    ties: list[Any] = field(default_factory=list)  # result with all children equal, by chance
    lost: list[tuple[float, Any]] = field(default_factory=list)  # the move where all children are that bad
    rising: ProbeResult = field(default_factory=ProbeResult)  # every child is higher than those before it
    falling: ProbeResult = field(default_factory=ProbeResult)
    left_after_cut: bool = False
    left: bool = False
    in_place: bool = False
    piled: bool = False
    span: float = 1.0

    @property
    def sign(self) -> int:
        """Return -1 if the node's own score is better the lower it is, else 1."""
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
        """Return what a result has beside the score."""
        if not self.node.kept.is_root:
            return remove_score(outcome.result, self.node.program.score.keys)
        scores = [
            place for place, part in _result_items(self.rising.result) if is_number(part) and abs(part) in self.rising.answered
        ]
        return remove_score(outcome.result, (scores[0],)) if scores else outcome.result

    def child_score(self, good: float) -> float:
        """Return the child's score that is that good for the mover."""
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
    if not tried or not tried[0].asked:
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
    spread = _spread_scores(facts.children, span)
    runs = [(order, node.run(answer_in_order(order), window=window_open)) for order in _order_scores(spread)]
    if any(outcome.failed for _, outcome in runs):
        return None
    facts.rising, facts.falling = runs[0][1], runs[1][1]
    facts.stops_early = any(outcome.children < facts.children for _, outcome in runs)
    if node.kept.is_root:
        _find_root_fold(facts, spread)
    else:
        _find_fold(facts, runs, window_open)
    if facts.known:
        _probe_start(facts, worst(facts), window_open)
        _probe_moves(facts, spread, window_open)
        if facts.direct.asked[0].window is not None:
            _probe_windows(facts)
    return facts


def _run_equal_answers(node: BlackBox, answers: Sequence[float], window: Window) -> list[ProbeResult]:
    """Run the node with all children answered alike, once for each number. Leave out the runs that failed."""
    tried = [node.run(answer_always(answer), window=_window_or_none(node, window)) for answer in answers]
    return [outcome for outcome in tried if not outcome.failed]


def _window_or_none(node: BlackBox, window: Window) -> Window | None:
    return window if node.role_index("alpha") is not None else None


def _spread_scores(children: int, span: float) -> list[float]:
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
                    if low is None or high is None or low == high:
                        return
                    facts.negated = low > high
                turned = {MAX: MIN, MIN: MAX}.get(fold, fold) if facts.negated else fold
                facts.fold = turned
                return


def _is_equal(one: Any, other: Any) -> bool:
    return one is not None and other is not None and (one == other or abs(one - other) < 1e-9 * max(1.0, abs(one)))


def _find_root_fold(facts: NodeFacts, spread: list[float]) -> None:
    """Find the fold of a root, which returns a move: the best child's, or the worst's in negamax and for MIN."""
    for fold, values in ((MAX, spread), (MIN, spread[::-1])):
        choices = [
            {facts.node.run(answer_in_order(order)).choice for order in _place_best(values, place)}
            for place in range(facts.children)
        ]
        if all(len(choice) == 1 for choice in choices) and len(set.union(*choices)) == len(choices):
            facts.fold = fold
            return


def _place_best(spread: list[float], place: int) -> list[list[float]]:
    """Return the scores with the last one at `place`, the others in order and reversed."""
    return [[*others[:place], spread[-1], *others[place:]] for others in (spread[:-1], spread[-2::-1])]


def _result_items(result: Any) -> list[tuple[Any, Any]]:
    return list(enumerate(result) if isinstance(result, tuple) else result.items() if isinstance(result, dict) else ())


def _probe_start(facts: NodeFacts, worst: float, window: Window | None) -> None:
    abyss = -1e15 * facts.span
    outcome = facts.node.run(lambda child: facts.child_score(abyss), window=window)
    if outcome.value is not None and not facts.node.kept.is_root:
        facts.starts_at = -math.inf * facts.sign if _is_equal(facts.own_goodness(outcome.value), abyss) else outcome.value
    outcome = facts.node.run(lambda child: facts.child_score(worst), window=window)
    for good in dict.fromkeys((worst, *(-abs(score) for score in facts.node.program.returned_constants() if score), -facts.span)):
        lost = facts.node.run(answer_always(facts.child_score(good)), window=window)
        if not lost.failed:
            facts.lost.append((good, facts.move_in_result(lost)))
    if outcome.value is not None and not facts.node.kept.is_root and facts.own_goodness(outcome.value) > worst + 1e-9:
        again = facts.node.run(
            lambda child: facts.child_score(worst * 0.98), window=window
        ).value  # a changed score follows, a start does not
        if again is not None and _is_equal(again, outcome.value):
            facts.start, facts.start_below = outcome.value, facts.child_score(worst)


def _probe_moves(facts: NodeFacts, spread: list[float], window: Window | None) -> None:
    good = [facts.child_score(value) for value in spread]
    outcomes = [facts.node.run(answer_in_order(_place_best(good, place)[0]), window=window) for place in range(facts.children)]
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
    window = None if node.kept.is_root else facts.window_for_node(low, high)

    def run(*goods: float) -> ProbeResult:
        return node.run(answer_in_order([facts.child_score(good * span) for good in goods]), window=window)

    for goods in ((INSIDE, WORSE, WORSE - 0.1), (BELOW, BELOW - 0.1), (ABOVE, ABOVE)):
        outcome = run(*goods)
        facts.windows.append(
            [facts.window_from_child(asked.window) for asked in _first_calls(outcome.asked) if asked.window is not None]
        )
        if len(facts.windows) == 1:
            facts.raw_windows = [asked.window for asked in _first_calls(outcome.asked) if asked.window is not None]
    above, at, inside, below = run(ABOVE), run(HIGH), run(INSIDE), run(BELOW)
    facts.asked_above, facts.asked_at = above.children, at.children
    facts.asked_inside, facts.asked_below = inside.children, below.children
    facts.asked_just_above_low, facts.asked_just_below_high = run(LOW + 0.01).children, run(HIGH - 0.06).children
    moved = set().union(*(changed_parts(changed_cells(facts.direct.board, asked.board)) for asked in facts.direct.asked))
    facts.left_after_cut = bool(changed_parts(above.board_left) & moved) and above.children < facts.children
    if above.value is not None and below.value is not None and not node.kept.is_root:
        facts.returned_above, facts.returned_below = facts.own_goodness(above.value), facts.own_goodness(below.value)


def _first_calls(asked: Sequence[ChildCall]) -> list[ChildCall]:
    """Return the first call of each child."""
    return [first for _, first in sorted({call.child: call for call in reversed(asked)}.items())]


def _compare_boards(facts: NodeFacts) -> None:
    outcome = facts.direct
    facts.left = bool(outcome.board_left)
    facts.in_place = any(asked.in_place for asked in outcome.asked)
    added = [
        set(changed_cells(outcome.board, asked.board).items())
        for asked in _first_calls(outcome.asked)
        if _has_hashable_changes(asked, outcome)
    ]
    nested = len(added) > 1 and all(earlier < later for earlier, later in itertools.pairwise(added))
    shared = all(asked.with_sibling for asked in _first_calls(outcome.asked)[1:])
    facts.piled = nested and shared and (facts.left if facts.in_place else True)
    if facts.children == 1 and len(outcome.asked) > 1:  # one board for all of them, with all the moves on it
        sharing = [asked.with_sibling and not asked.same_object for asked in outcome.asked[1:]]
        facts.piled = all(sharing) and len(changed_cells(outcome.board, outcome.asked[0].board)) == len(outcome.asked)


def _has_hashable_changes(asked: ChildCall, outcome: ProbeResult) -> bool:
    try:
        set(changed_cells(outcome.board, asked.board).items())
    except TypeError:
        return False
    return True
