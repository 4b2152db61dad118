"""The pseudo-code of a search, the line that a step is at, and that line with the numbers of the step.

Lines that steps are at have a name, which says when: `line_name` chooses it from the step, and so does
`viewer/assets/pseudocode.js`, which gets everything else from `pseudocode_json`.
"""

from typing import Any, cast

from engine.algorithms import ALGORITHMS
from engine.algorithms.facts import Algorithm, Code
from engine.games.quirks import AS_TYPED
from engine.record.columns import INFINITY
from engine.tree.node import Node
from engine.tree.trace import ENTER, EVALUATE, LEAVE_CUT, RETURN, Step
from engine.tree.tree import SearchTree
from visualizer.text.numbers import telling_apart
from visualizer.text.sentences import best_before

NUMBERS = {  # what stands beside a line: its numbers at the step
    "enter": "α = {alpha}, β = {beta}",
    "terminal": "returns {value}",
    "horizon": "returns {value}",
    "max.value": "max({before}, {score}) = {best}",
    "min.value": "min({before}, {score}) = {best}",
    "max.window": "max({old}, {score}) = {alpha}",
    "min.window": "min({old}, {score}) = {beta}",
    "max.cutoff": "{value} {sign} β = {bound}",
    "min.cutoff": "{value} {sign} α = {bound}",
    "leave": "returns {value}",
}
SIGNS = {True: {"max": "≥", "min": "≤"}, False: {"max": ">", "min": "<"}}  # by cut_on_equal and side


def pseudocode_json() -> dict[str, Any]:
    """All that the browser needs to show the code and to find the line of a step."""
    both = (False, True)  # cut_on_equal
    code = {name: [_code_json(algorithm, equal) for equal in both] for name, algorithm in ALGORITHMS.items()}
    return {"code": code, "numbers": NUMBERS}


def _code_json(algorithm: Algorithm, cut_on_equal: bool) -> dict[str, Any]:
    lines = algorithm.pseudocode(cut_on_equal)
    return {"lines": [words for _, words in lines], "places": {line: place for place, (line, _) in enumerate(lines) if line}}


def code_of(tree: SearchTree) -> Code:
    """The pseudo-code that goes with the search."""
    return ALGORITHMS[tree.algorithm].pseudocode(tree.cut_on_equal)


def code_line(step: Step) -> int:
    """The line of the pseudo-code that the step is at."""
    name = line_name(step)
    return next(place for place, (line, _) in enumerate(code_of(step.node.tree)) if line == name)


def line_name(step: Step) -> str:
    """The name of that line."""
    side = "max" if step.node.maximizing else "min"
    if step.kind == ENTER:
        return "enter"
    if step.kind == EVALUATE:
        return "horizon" if step.node.status == "horizon" else "terminal"
    if step.kind == RETURN:
        return f"{side}.window" if step.narrows else f"{side}.value"
    return f"{side}.cutoff" if step.kind == LEAVE_CUT else "leave"


def line_numbers(step: Step) -> str:
    """The line with the numbers of the step: what the test compares, what the maximum is taken of.

    >>> from engine import Trace, literal, search
    >>> steps = Trace(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))
    >>> [line_numbers(steps[at]) for at in (4, 5, 11, 12, 17)]
    ['min(∞, 3) = 3', 'α = −∞, β = 3', 'returns 3', 'max(−∞, 3) = 3', '2 ≤ α = 3']
    """
    node, name = step.node, line_name(step)
    if name == "enter" and not node.tree.windows:
        return ""
    side = "max" if node.maximizing else "min"
    numbers = {"alpha": step.alpha, "beta": step.beta}
    if step.value is not None:
        numbers |= {"value": step.value, "score": step.value, "best": cast(float, step.best)}
    if step.kind == RETURN:
        child = cast(Node, step.child)
        numbers |= {"before": _before(node, child), "old": child.alpha if node.maximizing else child.beta}
    if step.kind == LEAVE_CUT:
        numbers["bound"] = node.beta if node.maximizing else node.alpha
    written = telling_apart(*numbers.values())
    sign = SIGNS[node.tree.cut_on_equal][side]
    return NUMBERS[name].format(sign=sign, **{name: written(value) for name, value in numbers.items()})


def _before(node: Node, child: Node) -> float:
    """The value of the node when the child comes back: what it starts with, if that is the first."""
    before = best_before(node, child)
    if before is not None:
        return before
    if node.maximizing:
        return -INFINITY
    return 0.0 if node.tree.quirk == AS_TYPED else INFINITY
