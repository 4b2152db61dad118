"""The lines of a student's search that the steps of its record are at, read from the source.

A step highlights one line. It is the only one that the step can be at. If there are several, it is the line that begins the
smallest block with all of them, or the first test of several.
"""

import ast
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from engine.algorithms.templates import Conditions

SIDES = ("max", "min")
LOOPS = (ast.For, ast.While, ast.GeneratorExp, ast.ListComp, ast.SetComp)


class StepLine(NamedTuple):
    """A line of a source, counted from 0, and the steps that are at it: with these facts, and with this value."""

    line: int
    when: Conditions
    value: float | None = None  # None: any


def find_step_lines(lines: Sequence[str], searches: frozenset[str], facts: Conditions) -> list[StepLine]:
    """Return the lines of a function for the steps with these facts. There are none if the text cannot be parsed."""
    try:
        parsed = ast.parse(textwrap.dedent("\n".join(lines))).body
    except (SyntaxError, ValueError, RecursionError):
        return []
    if len(parsed) != 1 or not isinstance(parsed[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
        return []
    function = _SearchFunction(parsed[0], searches)
    sides = SIDES if "side" not in facts else (str(facts["side"]),)
    found = [_at_line(parsed[0])._replace(when={**facts, "step": "enter"})]
    for kind, find in function.finders().items():
        places = [find(side) for side in sides]
        if places[0] == places[-1]:
            found += [step._replace(when={**facts, "step": kind}) for step in places[0]]
        else:
            steps = [(side, step) for side, of_side in zip(sides, places, strict=True) for step in of_side]
            found += [step._replace(when={**facts, "step": kind, "side": side}) for side, step in steps]
    return found


class _SearchFunction:
    """The statements of one function of a search."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, searches: frozenset[str]):
        self.node = node
        self.above = {child: parent for parent in _walk(node) for child in ast.iter_child_nodes(parent)}
        nodes = list(_walk(node))
        self.calls = [one for one in nodes if isinstance(one, ast.Call) and _called_name(one) in searches]
        first = min((call.lineno for call in self.calls), default=node.end_lineno or 0)
        returns = [one for one in nodes if isinstance(one, ast.Return) and not self._is_in_loop(one)]
        self.early = [one for one in returns if one.lineno < first]
        self.late = [one for one in returns if one not in self.early]
        self.in_loop = [one for one in nodes if isinstance(one, ast.Return) and self._is_always_in_loop(one)]
        self.cuts = [one for one in nodes if isinstance(one, ast.If) and self._is_in_loop(one) and _leaves_loop(one)]
        self.is_negamax = any(isinstance(self.above.get(call), ast.UnaryOp) for call in self.calls)

    def finders(self) -> dict[str, Callable[[str], tuple[StepLine, ...]]]:
        """Return for each kind of step how to find its lines, given the side to move."""
        return {
            "evaluate": self._find_leaf_lines,
            "return": lambda side: self._find_one(self.calls, side),
            "cutoff": lambda side: self._find_one(self.cuts, side) or self._find_one(self.late, side),
            "leave": self._find_leave_lines,
        }

    def _find_one(self, nodes: Sequence[ast.AST], side: str) -> tuple[StepLine, ...]:
        """Return the line of the statement with all the nodes of a side, or nothing if there are none."""
        chains = [self._statements_around(node) for node in nodes if self._side_of(node) in ("", side)]
        if not chains:
            return ()
        common = [one for one in chains[0] if all(one in chain for chain in chains)]
        return (_at_line(common[0]),)

    def _find_leave_lines(self, side: str) -> tuple[StepLine, ...]:
        """Return the line of the return after the moves. One in the loop comes first, if it is known to be of this side."""
        is_known = all(self._side_of(one) or not self._is_in_branch(one) for one in self.in_loop)
        return (is_known and self._find_one(self.in_loop, side)) or self._find_one([*self.in_loop, *self.late], side)

    def _is_in_branch(self, node: ast.AST) -> bool:
        return any(isinstance(one, ast.If) for one in self._statements_around(node))

    def _find_leaf_lines(self, side: str) -> tuple[StepLine, ...]:
        """Return the lines of a call that makes no calls: by its value, if that tells which statement returns it."""
        early = [one for one in self.early if self._side_of(one) in ("", side)]
        if not early:
            return self._find_one(self.late, side)
        values = [_read_number(one.value) for one in early]
        known = [value for value in values if value is not None]
        if len(early) > 1 and len(set(known)) == len(early) and not self.is_negamax:
            exact = [_at_line(one)._replace(value=value) for one, value in zip(early, values, strict=True)]
            return (*exact, *self._find_one(self.late, side))
        if len(early) == 1:
            return (_at_line(early[0]),)
        return (_at_line(self._statements_around(early[0])[-2]),)  # the first test

    def _statements_around(self, node: ast.AST) -> list[ast.stmt]:
        """Return the statements that contain a node, from the smallest to the whole function."""
        chain: list[ast.stmt] = []
        at: ast.AST | None = node
        while at is not None:
            chain += [at] if isinstance(at, ast.stmt) else []
            at = self.above.get(at)
        return chain

    def _is_in_loop(self, node: ast.AST) -> bool:
        """Return True if a node is in a loop that makes calls of the search."""
        at = self.above.get(node)
        while at is not None:
            if isinstance(at, LOOPS) and any(call in set(_walk(at)) for call in self.calls):
                return True
            at = self.above.get(at)
        return False

    def _is_always_in_loop(self, node: ast.AST) -> bool:
        """Return True for a statement that every round of a loop over the moves reaches, such as a return after one move."""
        return isinstance(self.above.get(node), LOOPS) and self._is_in_loop(node)

    def _side_of(self, node: ast.AST) -> str:
        """Return the side that a node belongs to, by the test that chooses between both sides; "" if it belongs to both."""
        child, at = node, self.above.get(node)
        while at is not None:
            if isinstance(at, ast.If) and child is not at.test and (side := _tested_side(at.test)):
                return side if child in at.body else SIDES[1 - SIDES.index(side)]
            child, at = at, self.above.get(at)
        return self._side_after_return(node)

    def _side_after_return(self, node: ast.AST) -> str:
        """Return the side of a node after `if maximizing: … return best`."""
        top = self._statements_around(node)
        place = self.node.body.index(top[-2]) if len(top) > 1 else 0
        for before in self.node.body[:place]:
            is_left = isinstance(before, ast.If) and not before.orelse and isinstance(before.body[-1], ast.Return)
            if is_left and isinstance(before, ast.If) and (side := _tested_side(before.test)):
                return SIDES[1 - SIDES.index(side)]
        return ""


def _tested_side(test: ast.expr) -> str:
    """Return the side for which a test is true: "max" for `maximizing`, "min" for `not maximizing`; "" if it is another test.

    >>> [_tested_side(ast.parse(text, mode="eval").body) for text in ("is_max", "not is_max", "turn == MIN", "depth == 0")]
    ['max', 'min', 'min', '']
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        side = _tested_side(test.operand)
        return SIDES[1 - SIDES.index(side)] if side else ""
    is_equal = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is))
    if isinstance(test, ast.Compare) and is_equal and isinstance(test.comparators[0], ast.Constant):
        if test.comparators[0].value is True:
            return _tested_side(test.left)
        if test.comparators[0].value is False:
            return _tested_side(ast.UnaryOp(ast.Not(), test.left))
    if not (is_equal or isinstance(test, (ast.Name, ast.Attribute))):
        return ""
    words = re.findall(r"(?i)(?<![a-z])(max|min)(?:im\w*|_\w*|player)?(?![a-z])", ast.unparse(test).replace("_", " "))
    sides = {word.lower() for word in words}
    return sides.pop() if len(sides) == 1 else ""


def _read_number(value: ast.expr | None) -> float | None:
    """Return the number that a statement returns, or the first one of a tuple; None if it is computed."""
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    sign = -1.0 if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else 1.0
    number = value.operand if isinstance(value, ast.UnaryOp) else value
    if not isinstance(number, ast.Constant) or isinstance(number.value, bool) or not isinstance(number.value, (int, float)):
        return None
    return sign * number.value


def _at_line(statement: ast.stmt) -> StepLine:
    return StepLine(statement.lineno - 1, {})


def _leaves_loop(test: ast.If) -> bool:
    return isinstance(test.body[-1], (ast.Break, ast.Return))


def _called_name(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, without inner functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _walk(child)
