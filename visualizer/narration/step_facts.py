"""The facts of a step, by name. The rules that choose its sentence test them. The browser uses
`viewer/assets/model/step_facts.js`."""

from typing import NamedTuple, cast

from engine.core.stop_reason import StopReason
from engine.games.chance_outcomes import needed_range
from engine.games.quirks import AS_TYPED
from engine.record.columns import BOUND_NAMES, INFINITY, NONE, STATUS_NAMES
from engine.tree.expectation import Expectation
from engine.tree.node import Node
from engine.tree.trace import DRIVER, ENTER, EVALUATE, LEAVE, LEAVE_CUT, RETURN, STEP_KINDS, TABLE_ANSWER, Step
from visualizer.narration.rules import Facts

MAX_LISTED_MOVES = 8  # longer lists and paths are shortened to SHORTENED_LIST_MOVES
SHORTENED_LIST_MOVES = 6
CHANCE_DIGITS = 9  # decimals of sums of fractions that are shown
MAX_ROUNDED_NUMBER = 1e6  # larger numbers are shown as they are


class Fact(NamedTuple):
    """The possible values of a fact, and its meaning."""

    values: tuple[str | bool, ...]  # the first is the default, where the fact does not apply
    meaning: str


BOOLEAN_VALUES = (False, True)
FACTS = {
    "step": Fact(STEP_KINDS, "what happens"),
    "hidden": Fact(BOOLEAN_VALUES, "leave: the subtree of the node was not sent to the browser (only the browser sets this)"),
    "status": Fact(STATUS_NAMES, "how the node is left"),
    "side": Fact(("max", "min", "chance"), "who is to move at the node"),
    "mover": Fact(("", "max", "min", "chance"), "who moved there"),
    "drawn": Fact(BOOLEAN_VALUES, "chance moves in the game"),
    "probed": Fact(("", "some", "all"), "cutoff at a chance node: whether some of its children are probes, or all"),
    "left": Fact(
        ("", "known", "unknown"), "return at a chance node: outcomes are left, and whether the record knows how many there are"
    ),
    "range": Fact(
        ("", "open", "settled"), "the same: bounds of the expectation are known; settled: it cannot change with the outcomes left"
    ),
    "adds": Fact(BOOLEAN_VALUES, "cutoff at a chance node: its value is the sum so far + the rest at the end of the range"),
    "decides": Fact(BOOLEAN_VALUES, "return at a chance node: its value is outside the window now, so it is left next"),
    "root": Fact(BOOLEAN_VALUES, "the node is the root of a pass"),
    "pass": Fact(("only", "earlier", "last"), "which pass of the search; only: a search without a driver"),
    "windows": Fact(BOOLEAN_VALUES, "the search passes alpha and beta down"),
    "alpha": Fact(("open", "sure", "asked"), "on entry: as the pass started, a value that MAX is sure of, or set by a probe"),
    "beta": Fact(("open", "sure", "asked"), "the same for MIN"),
    "call": Fact(("plain", "probe", "below", "again"), "enter: a plain call, a probe, a call inside a probe, or a re-search"),
    "guessed": Fact(BOOLEAN_VALUES, "the pass started with a window that is not open on both sides"),
    "advised": Fact(BOOLEAN_VALUES, "enter: an entry of the table says which move is tried first"),
    "linked": Fact(BOOLEAN_VALUES, "table: the node that the entry comes from is known"),
    "draft": Fact(("", "same", "deeper"), "table: the depth of that search, compared with the depth needed here"),
    "reaches": Fact(("", "alpha", "beta"), "table: the end of the window that the answer reaches"),
    "beyond": Fact(
        BOOLEAN_VALUES, "the step is part of the quiescence search: beyond the depth limit, or at it after the node was entered"
    ),
    "stands": Fact(BOOLEAN_VALUES, "the value of the node starts with its static value: it stands pat first"),
    "pat": Fact(BOOLEAN_VALUES, "return, leave, cutoff, driver: the value of the node is still the static value"),
    "quiet": Fact(BOOLEAN_VALUES, "evaluate, beyond the depth limit: the node has no noisy move"),
    "sure by": Fact(("", "move", "pat"), "cutoff: the reason why the other side is sure of the bound"),
    "plies left": Fact(BOOLEAN_VALUES, "the depth limit is not reached at the node"),
    "bound": Fact(("", *BOUND_NAMES), "the bound that the returned value proves"),
    "first": Fact(BOOLEAN_VALUES, "return: no value has returned before"),
    "repeated": Fact(BOOLEAN_VALUES, "return: the move is searched again next, and nothing changes until then"),
    "improves": Fact(BOOLEAN_VALUES, "return: the value of the node changes"),
    "narrows": Fact(("", "alpha", "beta"), "return: which end of the window moves"),
    "proved": Fact(BOOLEAN_VALUES, "return: the move guarantees its value to the side that makes it"),
    "equal": Fact(BOOLEAN_VALUES, "return: its value is now the value of the node; cutoff: the node's value equals the bound"),
    "kept": Fact(BOOLEAN_VALUES, "return: an earlier move guarantees the value of the node"),
    "started": Fact(BOOLEAN_VALUES, "return, leave: the node's value is still its initial value, not the value of a first move"),
    "amiss": Fact(
        BOOLEAN_VALUES, "leave, cutoff: a program (not one as published) returns another value than the best that it got"
    ),
    "best": Fact(
        BOOLEAN_VALUES,
        "leave: a move or standing pat proves the value; driver: a move proves it, in this pass or an earlier one as deep",
    ),
    "fails": Fact(
        ("", "low", "high"),
        "driver: the value is outside the window that the pass started with; cutoff at a chance node: the end that it reaches",
    ),
    "cause": Fact(
        ("", "root", "path", "probe", "below"),
        "cutoff: where the bound comes from: the window of the pass, a move, the node's own probe, a probe further up",
    ),
    "skipped": Fact(("", "unknown", "one", "few", "many"), "cutoff: the number of skipped moves; a few are all named"),
    "stopped": Fact(tuple(StopReason), "why the search ends with this step, early"),
}


DEFAULT_FACTS = {name: fact.values[0] for name, fact in FACTS.items()}


def collect_facts(step: Step) -> Facts:
    """Return all facts of a step."""
    node, tree = step.node, step.node.tree
    K = tree.passes[tree.pass_number(node)].K
    ends = [find_bound_origin(node, field) for field in ("alpha", "beta")]
    known: dict[str, str | bool] = {
        "step": step.kind,
        "status": node.status,
        "side": side_to_move(node),
        "mover": "" if node.depth == 0 else side_to_move(node.parent),
        "root": node.depth == 0,
        "pass": _classify_pass(node),
        "windows": tree.windows,
        "guessed": tree.windows and tree.passes[tree.pass_number(node)].window != (-INFINITY, INFINITY),
        "alpha": ends[0][0],
        "beta": ends[1][0],
        "plies left": K is None or node.depth < K,
        "bound": step.bound,
        "drawn": len(tree.columns.weight) > 0,
        "stopped": tree.stopped if step.number == len(tree.timeline) - 1 else "",
    }
    if tree.quiescence and K is not None:
        known |= _quiescence_facts(step, node.depth - K)
    if step.kind in (LEAVE, LEAVE_CUT):
        known["amiss"] = step.value != step.best and not tree.quirk
    if step.kind == DRIVER:
        known["fails"] = "low" if node.value <= node.alpha else "high" if node.value >= node.beta else ""
    if step.kind == ENTER:
        known["call"] = _classify_call(node, ends)
        known["advised"] = linked_row(node) != NONE and node.probe is None and node.static is None and node.size > 1
    elif step.kind == RETURN:
        known |= _return_facts(step, cast(Node, step.child))
    elif step.kind == TABLE_ANSWER:
        known["linked"] = linked_row(node) != NONE
        known["draft"] = "" if not known["linked"] else "deeper" if extra_plies(node) > 0 else "same"
        known["reaches"] = "alpha" if node.value <= node.alpha else "beta" if node.value >= node.beta else ""
    elif step.kind == LEAVE_CUT:
        known["equal"] = step.value == cutoff_bound(node)
        known["cause"] = _classify_cause(step)
        known["sure by"] = "" if step.cause is None else "pat" if step.cause.child is None else "move"
        known["skipped"] = classify_count(len(step.skipped_moves))
        if node.turn == "chance":
            probes = [child.status == "probe" for child in node.children]
            known["probed"] = "all" if all(probes) else "some" if any(probes) else ""
            known["fails"] = "high" if node.fails_high else "low"
            known |= _chance_cutoff_facts(step)
    elif step.kind in (LEAVE, DRIVER):
        best = node.proving_child if step.kind == LEAVE else node.best_child
        known["best"] = best is not None or (step.kind == LEAVE and node.stands_pat)
        known["started"] = step.value == start_value(node)
    return DEFAULT_FACTS | known


def _quiescence_facts(step: Step, plies: int) -> dict[str, str | bool]:
    """Return the facts of a step in a search with quiescence. The node is `plies` beyond the depth limit; below 0 it is
    before it.
    """
    node, at_limit = step.node, step.kind not in (ENTER, TABLE_ANSWER, DRIVER) and step.node.status != "terminal"
    return {
        "beyond": plies > 0 or (plies == 0 and at_limit),
        "stands": node.static is not None,
        "pat": step.kind != ENTER and node.static is not None and step.best == node.static,
        "quiet": step.kind == EVALUATE and 0 <= plies < node.tree.quiescence,
    }


def is_decided_by(node: Node, child: Node) -> bool:
    """Return True if a search with windows left a chance node because of what this outcome brought."""
    return child == node.children[-1] and node.status != "open" and not node.alpha < node.value < node.beta


def _chance_cutoff_facts(step: Step) -> dict[str, str | bool]:
    """Return how the value of a cut chance node compares with the window, in the digits that are shown."""
    numbers, rest = collect_numbers(step), collect_probabilities(step)["rest"]
    added = round_number(sum_latest(step.node) + rest * numbers["extreme"])
    return {
        "equal": numbers["value"] == numbers["bound"],
        "adds": round_number(rest) > 0 and added == numbers["value"],
    }


def _chance_return_facts(expected: Expectation) -> dict[str, str | bool]:
    """Return what is known of a chance node after an outcome has come back."""
    if expected.counted == expected.outcomes:
        return {}
    low, high = map(round_number, expected.bounds or (0.0, 1.0))
    spread = "" if expected.bounds is None else "settled" if low >= high else "open"
    return {"left": "unknown" if expected.outcomes is None else "known", "range": spread}


def _return_facts(step: Step, child: Node) -> dict[str, str | bool]:
    node, first = step.node, step.before is None
    chance = _chance_return_facts(expectation_after(step)) if node.turn == "chance" else {}
    return chance | {
        "decides": node.turn == "chance" and node.tree.windows and is_decided_by(node, child),
        "first": first,
        "repeated": child.is_repeated,
        "improves": step.improves,
        "narrows": step.narrows,
        "proved": node.is_proved_by(child),
        "equal": step.value == step.best,
        "kept": _has_earlier_proof(cast(float, step.best), node, child),
        "started": step.best == start_value(node) and not (first and step.value == step.best),
    }


def linked_row(node: Node) -> int:
    """Return the earlier row that this one refers to, or -1 if none was recorded."""
    links = node.tree.columns.link
    return int(links[node]) if len(links) else NONE


def extra_plies(node: Node) -> int:
    """Return how many plies deeper the linked node was searched than this node needs."""
    return _remaining_plies(node.tree[linked_row(node)]) - _remaining_plies(node)


def _remaining_plies(node: Node) -> int:
    """Return the plies still to be searched at the node. In a search to the end they only serve for comparison."""
    return (node.tree.passes[node.tree.pass_number(node)].K or 0) - node.depth


def _classify_pass(node: Node) -> str:
    tree = node.tree
    return "only" if not tree.notes else "last" if tree.pass_number(node) == len(tree.passes) - 1 else "earlier"


def _classify_call(node: Node, ends: list[tuple[str, Node]]) -> str:
    if node.probe is not None:
        return "again"
    probes = [call for end, call in ends if end == "asked"]
    return "plain" if not probes else "probe" if node in probes else "below"


def _classify_cause(step: Step) -> str:
    if step.cause is None:
        return "" if step.probe is None else "probe" if step.probe == step.node else "below"
    return "root" if step.cause.ancestor.depth == 0 else "path"


def find_bound_origin(node: Node, field: str) -> tuple[str, Node]:
    """Return the origin of one end of the window on entry, and the call that had it first.

    It is as the pass started (open), a move guarantees it (sure), or a probe set it (asked).
    """
    path = node.path
    bound = getattr(node, field)
    for above, below in zip(reversed(path[:-1]), reversed(path), strict=False):
        if getattr(above, field) != bound:
            raised = above.turn == ("max" if field == "alpha" else "min")  # by that side
            brought = raised and (above.static == bound or _has_earlier_proof(bound, above, below))
            return ("sure" if brought or node.tree.quirk else "asked"), below
    return "open", path[0]


def _has_earlier_proof(value: float, node: Node, before: Node) -> bool:
    """Return True if an earlier child guarantees the node this value. A probe that is searched again does not count."""
    earlier = (child for child in node.children_worth(value) if child < before)
    return any(node.is_proved_by(child) and not child.is_repeated for child in earlier)


def side_to_move(node: Node) -> str:
    return node.turn


def classify_count(count: int) -> str:
    return "unknown" if count == 0 else "one" if count == 1 else "few" if count <= MAX_LISTED_MOVES else "many"


def start_value(node: Node) -> float:
    """Return the initial value of the node."""
    if node.turn == "chance":
        return 0.0
    if node.maximizing:
        return -INFINITY
    return 0.0 if node.tree.quirk == AS_TYPED else INFINITY


def cutoff_bound(node: Node) -> float:
    """Return the bound of the other side, which a cutoff reaches; at a chance node the end of the window."""
    return node.beta if node.fails_high else node.alpha


def collect_numbers(step: Step) -> dict[str, float]:
    """Return the numbers of a step, by slot."""
    node, child = step.node, step.child
    on_entry = step.kind == ENTER  # standing pat may have narrowed the window since
    numbers = {"alpha": node.alpha if on_entry else step.alpha, "beta": node.beta if on_entry else step.beta}
    if node.static is not None:
        numbers["static"] = node.static
    if step.value is not None:
        numbers |= {"value": step.value, "best": start_value(node) if step.best is None else step.best}
    if child is not None:
        numbers["before"] = start_value(node) if step.before is None else step.before
        numbers["old"] = child.alpha if node.maximizing else child.beta
    if step.kind == LEAVE_CUT:
        numbers["bound"] = cutoff_bound(node)
        if node.turn == "chance":
            numbers["extreme"] = needed_range(node.tree.game)[0 if node.fails_high else 1]
            numbers["total"] = sum_latest(node)
    if step.kind == RETURN and node.turn == "chance" and (bounds := expectation_after(step).bounds) is not None:
        numbers["low"], numbers["high"] = bounds
    if len(node.tree.columns.weight):
        numbers = {name: round_number(number) for name, number in numbers.items()}
    return numbers


def latest_calls(node: Node) -> list[Node]:
    """Return the last call of each outcome of a chance node: the probe, if no full call follows."""
    return list({child.move: child for child in node.children}.values())


def sum_latest(node: Node) -> float:
    """Return the sum of probability times value over the outcomes of a chance node."""
    return sum(child.probability * child.value for child in latest_calls(node))


def expectation_after(step: Step) -> Expectation:
    """Return what is known of a chance node after a step."""
    return step.node.tree.timeline.expectation_at(step.node, step.number)


def round_number(number: float) -> float:
    """Return a number without the rounding error of sums of fractions, where chance moves.

    >>> round_number(2e-11), round_number(0.1 + 0.2)
    (0.0, 0.3)
    """
    return round(number, CHANCE_DIGITS) if abs(number) < MAX_ROUNDED_NUMBER else number


def collect_probabilities(step: Step) -> dict[str, float]:
    """Return the probabilities of a step, by slot: of the outcome it is about, and at a cutoff of those never looked at."""
    node, outcome = step.node, step.child or step.node
    known = {"weight": outcome.probability}
    if step.kind == LEAVE_CUT and node.turn == "chance":
        known["rest"] = 1 - sum(child.probability for child in latest_calls(node))
    return known
