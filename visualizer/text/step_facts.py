"""What is known of a step, by name: what the rules for its words ask. The browser's is `viewer/assets/step_facts.js`."""

from typing import NamedTuple, cast

from engine.games.quirks import AS_TYPED
from engine.record.columns import INFINITY, STATUS_NAMES
from engine.record.recorder import STOPPED
from engine.tree.node import Node
from engine.tree.trace import ANSWER, DRIVER, ENTER, EVALUATE, LEAVE, LEAVE_CUT, RETURN, Step, Trace
from visualizer.text.rules import Facts

MOST_LISTED = 8  # moves of a list or a path that are all named; of more, NAMED are
NAMED = 6


class Fact(NamedTuple):
    values: tuple[str | bool, ...]  # the first where it does not apply
    meaning: str


EITHER = (False, True)
FACTS = {
    "step": Fact((ENTER, EVALUATE, RETURN, LEAVE_CUT, LEAVE, ANSWER, DRIVER), "what happens"),
    "hidden": Fact(EITHER, "leave: the subtree of the node was not sent to the browser, which alone knows of this"),
    "status": Fact(STATUS_NAMES, "how the node is left"),
    "side": Fact(("max", "min"), "who is to move at the node"),
    "mover": Fact(("", "max", "min"), "who moved there"),
    "root": Fact(EITHER, "the node is the root"),
    "driver": Fact(EITHER, "something makes several passes from the root"),
    "asked": Fact(EITHER, "enter: the window is narrower than what is known; only whether the move is better is asked: a probe"),
    "again": Fact(EITHER, "enter: the move is searched again after a probe; return: it will be"),
    "windows": Fact(EITHER, "the search hands alpha and beta down"),
    "alpha": Fact(("open", "sure"), "on entry it is what the search began with, or something that MAX is sure of"),
    "beta": Fact(("open", "sure"), "the same for MIN"),
    "plies left": Fact(EITHER, "the depth limit is not reached at the node"),
    "bound": Fact(("", "exact", "lower", "upper"), "what the value proves that is left or comes back"),
    "first": Fact(EITHER, "return: nothing has come back before"),
    "improves": Fact(EITHER, "return: the value of the node changes"),
    "narrows": Fact(("", "alpha", "beta"), "return: which end of the window moves"),
    "proved": Fact(EITHER, "return: the move is sure to bring its value to the side that makes it"),
    "equal": Fact(EITHER, "return: its value is the value of the node now; cutoff: the node's value is just the bound"),
    "kept": Fact(EITHER, "return: an earlier move is sure to bring the value of the node"),
    "started": Fact(EITHER, "return, leave: the node's value is the number it starts with, not brought by a first move"),
    "best": Fact(EITHER, "leave: a move proves the value"),
    "cause": Fact(
        ("", "root", "path", "probe"),
        "cutoff: where the other side is sure of something; nowhere: the whole search began so; or it is what a probe asked",
    ),
    "skipped": Fact(("", "one", "few", "many"), "cutoff: how many moves are; few are all named"),
    "stopped": Fact(("", *STOPPED), "why the search ends with this step although it is not done"),
}


NOTHING = {name: fact.values[0] for name, fact in FACTS.items()}


def facts_of(step: Step) -> Facts:
    """All facts of a step."""
    node, tree = step.node, step.node.tree
    known: dict[str, str | bool] = {
        "step": step.kind,
        "status": node.status,
        "side": side(node),
        "mover": "" if node.depth == 0 else side(node.parent),
        "root": node.depth == 0,
        "driver": bool(tree.notes),
        "windows": tree.windows,
        "alpha": "open" if node.alpha == node.path[0].alpha else "sure",
        "beta": "open" if node.beta == node.path[0].beta else "sure",
        "plies left": (K := limit(node)) is None or node.depth < K,
        "bound": step.bound,
        "stopped": tree.stopped if step.number == len(Trace(tree)) - 1 else "",
    }
    if step.kind == ENTER and node.depth > 0:
        known |= {"asked": is_probe(node), "again": node.probe is not None}
    elif step.kind == RETURN:
        known |= _facts_of_return(step, cast(Node, step.child))
    elif step.kind == LEAVE_CUT:
        known["equal"] = step.value == bound_reached(node)
        known["cause"] = _where(step)
        known["skipped"] = how_many(len(step.skipped_moves))
    elif step.kind == LEAVE:
        known["best"] = node.best_child is not None
        known["started"] = step.value == start_value(node)
    return NOTHING | known


def _facts_of_return(step: Step, child: Node) -> dict[str, str | bool]:
    node, first = step.node, best_before(step) is None
    return {
        "again": step.again is not None,
        "first": first,
        "improves": step.improves,
        "narrows": step.narrows,
        "proved": node.proved_by(child),
        "equal": step.value == step.best,
        "kept": any(row < child and row.value == step.best and node.proved_by(row) for row in node.children),
        "started": step.best == start_value(node) and not (first and step.value == step.best),
    }


def _where(step: Step) -> str:
    if step.cause is None:
        return "" if step.probe is None else "probe"
    return "root" if step.cause.ancestor.depth == 0 else "path"


def is_probe(node: Node) -> bool:
    """Whether the call has a narrower window than its parent had when it made it."""
    alpha, beta = Trace(node.tree).window_before(node)
    return node.alpha > alpha or node.beta < beta


def limit(node: Node) -> int | None:
    """The depth limit of the pass that the node belongs to."""
    return node.tree.passes[node.tree.pass_number(node)].K


def side(node: Node) -> str:
    return "max" if node.maximizing else "min"


def how_many(count: int) -> str:
    return "" if count == 0 else "one" if count == 1 else "few" if count <= MOST_LISTED else "many"


def best_before(step: Step) -> float | None:
    """The value at the node before its child came back; None if that is the first."""
    trace, node = Trace(step.node.tree), step.node
    earlier = [row for row in node.children if row < cast(Node, step.child)]
    return trace[trace.leave(earlier[-1]) + 1].best if earlier else None


def start_value(node: Node) -> float:
    """What the value of the node starts with."""
    if node.maximizing:
        return -INFINITY
    return 0.0 if node.tree.quirk == AS_TYPED else INFINITY


def bound_reached(node: Node) -> float:
    """What the other side is sure of, which a cutoff reaches."""
    return node.beta if node.maximizing else node.alpha


def numbers_of(step: Step) -> dict[str, float]:
    """The numbers of a step, by slot."""
    node, child = step.node, step.child
    numbers = {"alpha": step.alpha, "beta": step.beta}
    if step.value is not None:
        numbers |= {"value": step.value, "best": cast(float, step.best)}
    if child is not None:
        before = best_before(step)
        numbers["before"] = start_value(node) if before is None else before
        numbers["old"] = child.alpha if node.maximizing else child.beta
    if step.kind == LEAVE_CUT:
        numbers["bound"] = bound_reached(node)
    return numbers
