"""The sentence for a step.

This is the one place that owns the words, but for those of moves, which a game declares. A sentence is a template with named
slots; `templates_json` sends all of them to the browser once, where `viewer/assets/sentences.js` makes the same choices and
fills the same slots. Values are MAX's throughout.
"""

from collections.abc import Callable
from typing import Any, cast

from engine.games.declarations import words_of
from engine.games.protocol import Replies
from engine.games.quirks import AS_TYPED, FRESH_ROOT_WINDOWS, NO_FULL_BOARD_TEST
from engine.record.columns import ROOT
from engine.tree.node import Node
from engine.tree.trace import ENTER, EVALUATE, LEAVE, LEAVE_CUT, RETURN, Step, Trace
from visualizer.text.numbers import number, telling_apart

TEMPLATES = {
    # a node is entered: by what is known of its window
    "enter.root": "The search starts at the root with {side} to move. Nothing is known yet: the window is {alpha} to {beta}.",
    "enter.root.minimax": "The search starts at the root with {side} to move.",
    "enter.minimax": "{mover} tries {move}, and the search goes down to depth {depth}.",
    "enter.full": "{mover} tries {move}. Neither side is sure of anything yet: the window is {alpha} to {beta}.",
    "enter.alpha": "{mover} tries {move}. MAX is already sure of at least {alpha}: the window is {alpha} to {beta}.",
    "enter.beta": "{mover} tries {move}. MIN is already sure of at most {beta}: the window is {alpha} to {beta}.",
    "enter.both": "{mover} tries {move}. MAX is already sure of at least {alpha}, MIN of at most {beta}: "
    "the window is {alpha} to {beta}.",
    "enter.fresh root windows": "{mover} tries {move}. Below every move of the root the original program starts again "
    "with the full window, {alpha} to {beta}.",
    # a leaf is evaluated
    "evaluate.terminal": "{over} {value}.",
    "evaluate.horizon": "The depth limit K = {K} is reached, so this position is evaluated: its value is {value}.",
    "evaluate.no full-board test": "The board is full with plies left. The original program does not test for that: "
    "the node gives back the number its value started with, {value}.",
    "evaluate.as typed": "The game is over with plies left. The program as typed gives back {value} then, whoever has won.",
    # a child comes back
    "return.first": "{Move} comes back with {value}, the first value for {side} here.{window}",
    "return.improves": "{Move} comes back with {value}, better for {side} than {before}: the value here is now {best}.{window}",
    "return.may improve": "{Move} comes back with {value}. That may be better for {side} than {before}, "
    "so the value here is now {best}.{window}",
    "return.same": "{Move} comes back with {value}, worse for {side} than {best}: nothing changes.",
    "return.tie": "{Move} comes back with {value} as well: a tie, so {side} keeps the earlier move and nothing changes.",
    "return.proved": "{Move} comes back with {value}. Until now {best} was only the best that {side} could hope for; "
    "this move is sure to bring that much. The number stays the same.",
    "return.bound": "{Move} comes back with {value}: it cannot be better for {side} than {best}, so nothing changes.",
    "return.as typed": "{Move} comes back with {value}. A MIN node of the program as typed starts with the value 0, "
    "and nothing here is lower: its value is {best}.{window}",
    "window.": "",
    "window.alpha": " That raises alpha, what MAX is sure of, to {alpha}.",
    "window.beta": " That lowers beta, what MIN is sure of, to {beta}.",
    "window.below": " MAX is sure of {alpha} elsewhere, so alpha stays.",
    "window.above": " MIN is sure of {beta} elsewhere, so beta stays.",
    "window.stays": " The window stays {alpha} to {beta}.",
    "window.fresh root windows": " The original program starts every move of the root with the full window, so that stays.",
    # a node is cut off
    "cutoff.better": "{side} already holds {value} here, but {other} is sure of {bound} {by} {where}; "
    "{other} will never allow this node, so {skipped} not looked at.",
    "cutoff.tie": "{side} already holds {value} here, and {other} is sure of {bound} {by} {where}; "
    "here {other} cannot do better than that, so {skipped} not looked at.",
    "cutoff.window": "{side} already holds {value} here, which reaches {bound}, the end of the window that the whole search "
    "began with; {other} cannot do better than that, so {skipped} not looked at.",
    # a node is left after its last move
    "leave.exact": "All moves have been looked at: the best for {side} is {move}, and this node is worth {value}.",
    "leave.bound": "All moves have been looked at. Because of cutoffs further down, all that is known is that this node is worth "
    "{value}: {side} gets that {by}.",
    "leave.hope": "All moves have been looked at. Because of cutoffs further down, all that is known is that this node is worth "
    "{value}: that is the best {side} could hope for here, and no single move is sure to bring it.",
    "leave.as typed": "All moves have been looked at. None is below 0, the value that a MIN node of the program as typed "
    "starts with, so this node is worth {value}.",
    "leave.root": "The search is done: the root is worth {value}, and the best move for {side} is {move}.",
    # a node is left whose subtree was not sent to the browser
    "hidden": "{side} gets {value} here. The {count} nodes below are not shown: open this subtree to see them.",
    # the last step of a search that did not come to its end
    "stopped.": "",
    "stopped.node limit": " Here the search was stopped: it had reached its limit of nodes.",
    "stopped.memory limit": " Here the search was stopped: its tree had taken as much memory as it may.",
    "stopped.cancelled": " Here the search was stopped: it was cancelled.",
    "stopped.interrupted": " Here the search was stopped: it was interrupted.",
    # parts of sentences
    "side.max": "MAX",
    "side.min": "MIN",
    "value.exact": "{number}",
    "value.lower": "at least {number}",
    "value.upper": "at most {number}",
    "where.root": "at the root",
    "where.path": "at node {node} (after {names})",
    "list.two": "{first} and {last}",
    "list.more": "{first} and {count} more",
}

MOST_LISTED = 8  # moves of a list or a path that are all named; of more, NAMED are
NAMED = 6


def sentence(step: Step) -> str:
    """What happens in the step, and why."""
    key, filled = slots(step)
    return fill(key, **filled) + _stopped(step)


def slots(step: Step) -> tuple[str, dict[str, str]]:
    """The template of the step's sentence, and what goes into its slots."""
    return EXPLAIN[step.kind](step)


def templates_json() -> dict[str, Any]:
    """All that the browser needs to write the same sentences."""
    return {"templates": TEMPLATES, "mostListed": MOST_LISTED, "named": NAMED}


def fill(key: str, **filled: str) -> str:
    """The template with its slots filled."""
    return TEMPLATES[key].format(**filled)


# ---- one function for each kind of step


def _enter(step: Step) -> tuple[str, dict[str, str]]:
    node = step.node
    minimax = not node.tree.windows
    if node == ROOT:
        return "enter.root.minimax" if minimax else "enter.root", {"side": _side(node), **_window(step)}
    filled = {"mover": _side(node.parent), "move": _move("move", node), "depth": str(node.depth), **_window(step)}
    if minimax:
        return "enter.minimax", filled
    root = node.tree.root
    known = (node.alpha != root.alpha, node.beta != root.beta)
    if known == (False, False) and node.tree.quirk == FRESH_ROOT_WINDOWS:
        return f"enter.{FRESH_ROOT_WINDOWS}", filled
    return {(0, 0): "enter.full", (1, 0): "enter.alpha", (0, 1): "enter.beta", (1, 1): "enter.both"}[known], filled


def _evaluate(step: Step) -> tuple[str, dict[str, str]]:
    node, tree = step.node, step.node.tree
    filled = {"value": telling_apart(node.value, node.alpha, node.beta)(node.value), "K": str(tree.K)}
    if node.status == "horizon":
        return "evaluate.horizon", filled
    quirk, plies_left = tree.quirk, tree.K is None or node.depth < tree.K
    if plies_left and quirk in (NO_FULL_BOARD_TEST, AS_TYPED):
        return f"evaluate.{quirk}", filled
    return "evaluate.terminal", {**filled, "over": words_of(tree.game).over}


def _return(step: Step) -> tuple[str, dict[str, str]]:
    node, child = step.node, cast(Node, step.child)
    value, best = cast(float, step.value), cast(float, step.best)
    before = best_before(node, child)
    first = before is None
    written = telling_apart(value, best, before, step.alpha, step.beta)
    filled = {
        "Move": _move("Move", child),
        "value": _value(step.bound, value, written),
        "side": _side(node),
        "best": written(best),
        "before": "" if before is None else written(before),
        "window": fill(_window_change(step), **_window(step, written)),
    }
    if node.tree.quirk == AS_TYPED and not node.maximizing and best == 0 <= value and not (first and value == 0):
        return "return.as typed", filled
    hoped = not node.proved_by(child)  # it is no better than its value, and maybe worse
    if step.improves:
        return "return.first" if first else "return.may improve" if hoped else "return.improves", filled
    if hoped:
        return "return.bound", filled
    if value != best:
        return "return.same", filled
    kept = any(row < child and row.value == best and node.proved_by(row) for row in node.children)
    return "return.tie" if kept else "return.proved", filled


def _window_change(step: Step) -> str:
    """The template for what a return does to the window."""
    node = step.node
    if step.narrows:
        return f"window.{step.narrows}"
    if not step.improves or not node.tree.windows:
        return "window."
    if node.tree.quirk == FRESH_ROOT_WINDOWS and node == ROOT:
        return f"window.{FRESH_ROOT_WINDOWS}"
    root = node.tree.root
    known = node.alpha != root.alpha if node.maximizing else node.beta != root.beta
    return ("window.below" if node.maximizing else "window.above") if known else "window.stays"


def _cutoff(step: Step) -> tuple[str, dict[str, str]]:
    node, cause = step.node, step.cause
    value = cast(float, step.value)
    bound = node.beta if node.maximizing else node.alpha
    written = telling_apart(value, bound)
    filled = {
        "side": _side(node),
        "other": TEMPLATES["side.min" if node.maximizing else "side.max"],
        "value": written(value),
        "bound": written(bound),
        "skipped": _skipped(node),
    }
    if cause is None:
        return "cutoff.window", filled
    filled |= {"by": _move("by", cause.child), "where": _where(cause.ancestor)}
    return "cutoff.tie" if value == bound else "cutoff.better", filled


def _leave(step: Step) -> tuple[str, dict[str, str]]:
    node, best = step.node, step.node.best_child
    written = telling_apart(node.value, *(child.value for child in node.children))
    filled = {"side": _side(node), "value": _value(step.bound, node.value, written)}
    if best is None:
        started_lower = node.tree.quirk == AS_TYPED and not node.maximizing and node.value == 0
        return "leave.as typed" if started_lower else "leave.hope", filled
    filled |= {"move": _move("move", best), "by": _move("by", best)}
    if node == ROOT:
        return "leave.root", filled
    return "leave.exact" if step.bound == "exact" else "leave.bound", filled


EXPLAIN = {ENTER: _enter, EVALUATE: _evaluate, RETURN: _return, LEAVE_CUT: _cutoff, LEAVE: _leave}


def _stopped(step: Step) -> str:
    """What the last step of a stopped search adds to its sentence."""
    tree = step.node.tree
    last = bool(tree.stopped) and step.number == len(Trace(tree)) - 1
    return fill(f"stopped.{tree.stopped if last else ''}")


def best_before(node: Node, child: Node) -> float | None:
    """The value at the node before the child came back."""
    trace = Trace(node.tree)
    earlier = [row for row in node.children if row < child]
    return trace[trace.leave_step(earlier[-1]) + 1].best if earlier else None


# ---- parts of sentences


def _side(node: Node) -> str:
    return TEMPLATES["side.max" if node.maximizing else "side.min"]


def _window(step: Step, written: Callable[[float], str] | None = None) -> dict[str, str]:
    written = written or telling_apart(step.alpha, step.beta)
    return {"alpha": written(step.alpha), "beta": written(step.beta)}


def _value(bound: str, value: float, written: Callable[[float], str] = number) -> str:
    return fill(f"value.{bound}", number=written(value))


def _move(form: str, node: Node) -> str:
    """The move that led to the node, in the words of its game: as "move", as "Move" at the start of a sentence, or "by" it."""
    words = getattr(words_of(node.tree.game), form.lower())
    return (words[:1].upper() + words[1:] if form == "Move" else words).replace("{name}", node.move_name)


def _where(node: Node) -> str:
    if node == ROOT:
        return fill("where.root")
    names = [row.move_name for row in node.path[1:]]
    shown = names if len(names) <= MOST_LISTED else ["…", *names[-NAMED:]]
    return fill("where.path", node=f"{int(node):,}", names=", ".join(shown))


def _skipped(node: Node) -> str:
    words, replies = words_of(node.tree.game), Replies(node.tree.game, node.state)
    names = [replies.name(code) for code in node.skipped_moves]
    return (words.one if len(names) == 1 else words.many).replace("{names}", _list(names))


def _list(names: list[str]) -> str:
    """The names with an "and" before the last."""
    if len(names) == 1:
        return names[0]
    if len(names) > MOST_LISTED:
        return fill("list.more", first=", ".join(names[:NAMED]), count=str(len(names) - NAMED))
    return fill("list.two", first=", ".join(names[:-1]), last=names[-1])
