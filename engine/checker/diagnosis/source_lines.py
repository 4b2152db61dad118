"""Choose the line to look at for a mistake: by what the mistake is about, in the source of the function that makes it.

The record proves that a function makes a mistake. The source then shows which of its statements can be the cause: a recursive
call, the update of a bound, the test that cuts off, the start of the best score. If no statement fits, it is the `def` line.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.checker.recording.argument_roles import ArgumentRoles


@dataclass(frozen=True)
class FunctionText:
    """A function with the names that matter in it."""

    node: ast.FunctionDef
    searches: frozenset[str]  # plain names of the functions of the search
    roles: ArgumentRoles
    lines: frozenset[int] = frozenset()  # of the calls with the mistake; other branches are left out
    side: str = ""  # "max" or "min", if only one side makes the mistake

    @property
    def bounds(self) -> set[str]:
        return {name for name in (self.roles.alpha, self.roles.beta) if name}

    def iterate_nodes(self) -> Iterator[ast.AST]:
        """Yield the nodes of the body in the order of the source, without inner functions and branches with other calls."""
        return (node for statement in self.node.body for node in _walk(statement, self._is_other_branch))

    def _is_other_branch(self, node: ast.AST, child: ast.AST) -> bool:
        """Return True if `child` is in a branch of a test that makes only calls other than those with the mistake."""
        if not isinstance(node, ast.If) or child is node.test or not self._meant_calls:
            return False
        branch = node.body if child in node.body else node.orelse
        calls = [part for statement in branch for part in _walk(statement) if self._is_search_call(part)]
        return bool(calls) and not any(call in self._meant_calls for call in calls)

    @cached_property
    def _meant_calls(self) -> list[ast.AST]:
        return [node for node in _walk(self.node) if self._is_search_call(node) and self._is_meant(node)]

    def _is_search_call(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and _called_name(node) in self.searches

    def _is_meant(self, node: ast.AST) -> bool:
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        return any(first <= line <= last for line in self.lines)

    @cached_property
    def calls(self) -> list[ast.Call]:
        """Return the calls of the search: those with the mistake, if they are known."""
        found = [node for node in self.iterate_nodes() if isinstance(node, ast.Call) and self._is_search_call(node)]
        return [call for call in found if self._is_meant(call)] or found

    @cached_property
    def loops(self) -> list[ast.AST]:
        """Return the loops that contain a call of the search."""
        kinds = (ast.For, ast.While, ast.GeneratorExp, ast.ListComp)
        return [
            node for node in self.iterate_nodes() if isinstance(node, kinds) and any(call in _walk(node) for call in self.calls)
        ]

    def in_loops(self) -> Iterator[ast.AST]:
        """Yield the nodes of the loops over the moves."""
        seen: set[int] = set()
        for loop in self.loops:
            for node in _walk(loop):
                if id(node) not in seen:
                    seen.add(id(node))
                    yield node


def choose_line(mistake: str, text: FunctionText) -> int:
    """Return the number of the line to look at."""
    for chooser in (CHOOSERS.get(mistake, _no_line), FALLBACKS.get(mistake, _no_line)):
        found = next(iter(chooser(text)), None)
        if found is not None:
            return int(getattr(found, "lineno", text.node.lineno))
    return text.node.lineno


def _never(node: ast.AST, child: ast.AST) -> bool:
    return False


def _walk(node: ast.AST, is_left_out: Callable[[ast.AST, ast.AST], bool] = _never) -> Iterator[ast.AST]:
    """Yield a node and all nodes below in the order of the source, without inner functions. A long `elif` chain is deep."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        inside = [child for child in ast.iter_child_nodes(node) if not isinstance(child, (ast.FunctionDef, ast.ClassDef))]
        waiting += [child for child in reversed(inside) if not is_left_out(node, child)]


def _called_name(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in _walk(node) if isinstance(part, ast.Name)}


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _target_names(statement: ast.AST) -> set[str]:
    """Return the last names of the targets of an assignment: `best` of `self.best = …`."""
    targets = (
        statement.targets
        if isinstance(statement, ast.Assign)
        else [statement.target]
        if isinstance(statement, (ast.AugAssign, ast.AnnAssign))
        else []
    )
    parts = (part for target in targets for part in _walk(target))
    return {part.id if isinstance(part, ast.Name) else part.attr for part in parts if isinstance(part, (ast.Name, ast.Attribute))}


def _assignments(nodes: Iterator[ast.AST]) -> Iterator[ast.Assign | ast.AugAssign]:
    return (node for node in nodes if isinstance(node, (ast.Assign, ast.AugAssign)))


def _leaves_loop(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and any(isinstance(last, (ast.Break, ast.Return)) for last in node.body[-1:])


# ---- the statements that a mistake can be in


def _no_line(text: FunctionText) -> Sequence[ast.AST]:
    return ()


def _search_calls(text: FunctionText) -> Sequence[ast.AST]:
    return text.calls


def _loop_lines(text: FunctionText) -> Sequence[ast.AST]:
    return text.loops


def _calls_with_other_window(text: FunctionText) -> Sequence[ast.AST]:
    """Return the calls that do not pass both bounds on."""
    return [call for call in text.calls if not text.bounds <= set().union(*(_names_in(value) for value in _values(call)))]


def _calls_with_swapped_window(text: FunctionText) -> Sequence[ast.AST]:
    """Return the calls with beta before alpha, or with -alpha before -beta."""
    found = []
    for call in text.calls:
        passed = [value for value in _values(call) if _names_in(value) & text.bounds]
        if len(passed) == 2:
            is_negated = isinstance(passed[0], ast.UnaryOp)
            if (text.roles.alpha in _names_in(passed[0])) == is_negated:
                found.append(call)
    return found


def _calls_with_same_depth(text: FunctionText) -> Sequence[ast.AST]:
    return [call for call in text.calls if any(isinstance(one, ast.Name) and one.id == text.roles.depth for one in _values(call))]


def _calls_with_depth_by_two(text: FunctionText) -> Sequence[ast.AST]:
    return [
        call
        for call in text.calls
        for value in _values(call)
        if isinstance(value, ast.BinOp) and isinstance(value.right, ast.Constant) and value.right.value == 2
    ] or [one for one in _assignments(text.iterate_nodes()) if text.roles.depth in _target_names(one)]


def _calls_with_same_side(text: FunctionText) -> Sequence[ast.AST]:
    """Return the calls that pass the side on as it is, then those that pass the same constant as another call does."""
    same = [call for call in text.calls if any(isinstance(one, ast.Name) and one.id == text.roles.side for one in _values(call))]
    constants = [[one.value for one in _values(call) if isinstance(one, ast.Constant)] for call in text.calls]
    return [*same, *(call for at, call in enumerate(text.calls) if constants[at] and constants[at] in constants[:at])]


def _calls_without_minus(text: FunctionText) -> Sequence[ast.AST]:
    negated = {
        id(part)
        for node in text.iterate_nodes()
        if (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub))
        for part in _walk(node.operand if isinstance(node, ast.UnaryOp) else node.right)
    }
    return [call for call in text.calls if id(call) not in negated]


def _repeated_calls(text: FunctionText) -> Sequence[ast.AST]:
    dumps = [ast.dump(call) for call in text.calls]
    return [call for at, call in enumerate(text.calls) if dumps[at] in dumps[:at]]


def _cutoff_tests(text: FunctionText) -> Sequence[ast.AST]:
    tests = [node for node in text.in_loops() if _leaves_loop(node)]
    return sorted(tests, key=lambda node: not (isinstance(node, ast.If) and _names_in(node.test) & text.bounds))


def _bound_updates(text: FunctionText) -> list[ast.Assign | ast.AugAssign]:
    return [one for one in _assignments(text.in_loops()) if _target_names(one) & text.bounds]


def _updates_with_wrong_function(text: FunctionText) -> Sequence[ast.AST]:
    """Return `alpha = min(…)` and `beta = max(…)`."""
    wrong = {(text.roles.alpha, "min"), (text.roles.beta, "max")}
    return [
        one
        for one in _bound_updates(text)
        if isinstance(one.value, ast.Call) and any((name, _called_name(one.value)) in wrong for name in _target_names(one))
    ]


def _updates_without_function(text: FunctionText) -> Sequence[ast.AST]:
    return [
        one
        for one in _bound_updates(text)
        if not isinstance(one.value, ast.Call) or _called_name(one.value) not in ("max", "min")
    ]


def _scores_kept(text: FunctionText) -> Sequence[ast.AST]:
    """Return the assignments in the loop that store the score of a call."""
    return [one for one in _assignments(text.in_loops()) if any(call in _walk(one.value) for call in text.calls)]


def _folds(text: FunctionText) -> Sequence[ast.AST]:
    """Return the calls of max and min, else the comparisons, in the loops and in the returns."""
    nodes = list(text.iterate_nodes())
    return [
        *(
            node
            for node in nodes
            if isinstance(node, ast.Call) and _called_name(node) in ("max", "min") and not _is_bound_fold(node, text)
        ),
        *(node for node in text.in_loops() if isinstance(node, ast.Compare)),
    ]


def _best_scores(text: FunctionText) -> Sequence[ast.Assign]:
    """Return the assignments in the loops that keep the best score: `best = max(best, score)`, or `best = score` in a test.

    They are those of the side of the mistake. There are none if both sides have their own and the side is not known.
    """
    found = [one for one in text.in_loops() if isinstance(one, ast.Assign) and not _target_names(one) & text.bounds]
    kept = [
        (side, one) for one in found if isinstance(one.value, ast.Call) and (side := _called_name(one.value)) in ("max", "min")
    ]
    for test in text.in_loops():
        if isinstance(test, ast.If) and isinstance(test.test, ast.Compare):
            kept += [(side, one) for one in test.body if isinstance(one, ast.Assign) and (side := _kept_side(test.test, one))]
    sides = {side for side, _ in kept}
    fitting = sides if len(sides) == 1 and not text.side else {text.side}
    return [one for side, one in kept if side in fitting]


def _kept_side(test: ast.Compare, assigned: ast.Assign) -> str:
    """Return the side that keeps a score by `if score > best: best = score`, or "" if this is something else."""
    sides = {ast.Gt: "max", ast.GtE: "max", ast.Lt: "min", ast.LtE: "min"}
    side = sides.get(type(test.ops[0]), "")
    names = _target_names(assigned)
    if not side or len(test.ops) > 1 or not names & (_names_in(test.left) ^ _names_in(test.comparators[0])):
        return ""
    return side if names & _names_in(test.comparators[0]) else {"max": "min", "min": "max"}[side]


def describe_missing_update(text: FunctionText, is_max: bool, is_negamax: bool) -> str:
    """Say which bound never changes, and the statement to add. The statement is left out if the best score has no name."""
    bound = text.roles.alpha if is_max or is_negamax else text.roles.beta
    if bound is None:
        return ""
    side, verb, fold = ("MAX", "raises", "max") if is_max else ("MIN", "lowers", "min")
    words = f"it never raises {bound}" if is_negamax else f"{side} never {verb} {bound}"
    best = next(iter(_best_scores(text)), None)
    names = [] if best is None else [part.id for part in best.targets if isinstance(part, ast.Name)]
    if best is None or not names:
        return words
    statement = f"{bound} = {'max' if is_negamax else fold}({bound}, {names[0]})"
    return f"{words}, and {statement} is missing after line {best.end_lineno}"


def _is_bound_fold(call: ast.Call, text: FunctionText) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Name) and call.args[0].id in text.bounds


def _early_returns(text: FunctionText) -> Sequence[ast.AST]:
    """Return the returns in a loop, the last one first. The first ones may be cutoffs."""
    return [node for node in text.in_loops() if isinstance(node, ast.Return)][::-1]


def _wrong_returns(text: FunctionText) -> Sequence[ast.AST]:
    """Return the last return if the loop compares scores, since it should return the best one."""
    compares = any(isinstance(node, ast.Compare) for node in text.in_loops())
    return [node for node in text.iterate_nodes() if isinstance(node, ast.Return)][-1:] if compares else []


def _board_copies(text: FunctionText) -> Sequence[ast.AST]:
    """Return the assignments in the loop that make the board of a call."""
    passed = {name for call in text.calls for value in _values(call)[:2] for name in _names_in(value)}
    return [
        one for one in _assignments(text.in_loops()) if _target_names(one) & passed and text.roles.side not in _target_names(one)
    ]


def _end_tests(text: FunctionText) -> Sequence[ast.AST]:
    """Return the tests before any call of the search that end it."""
    first = min((call.lineno for call in text.calls), default=0)
    return [node for node in text.iterate_nodes() if _leaves_loop(node) and getattr(node, "lineno", first) < first]


def _finite_starts(text: FunctionText) -> Sequence[ast.AST]:
    """Return the assignments before the loops that start the best score with a number, those with 0 first."""
    last = max((getattr(loop, "lineno", 0) for loop in text.loops), default=text.node.lineno)
    starts = [one for one in _assignments(text.iterate_nodes()) if one.lineno < last and _start_numbers(one.value)]
    return sorted(starts, key=lambda one: 0 not in _start_numbers(one.value))


def _start_numbers(value: ast.expr) -> list[float]:
    """Return the numbers in the value of an assignment: alone, or in a list."""
    parts = value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
    plain = [part.operand if isinstance(part, ast.UnaryOp) else part for part in parts]
    return [part.value for part in plain if isinstance(part, ast.Constant) and isinstance(part.value, (int, float))]


def _first_returns(text: FunctionText) -> Sequence[ast.AST]:
    """Return the returns before any call of the search: the scores of leaves."""
    first = min((call.lineno for call in text.calls), default=0)
    returns = [node for node in text.iterate_nodes() if isinstance(node, ast.Return) and node.lineno < first]
    return sorted(returns, key=lambda node: not any(isinstance(part, ast.Call) for part in _walk(node)))


def _depth_tests(text: FunctionText) -> Sequence[ast.AST]:
    return [node for node in text.iterate_nodes() if isinstance(node, ast.If) and text.roles.depth in _names_in(node.test)]


def _table_lookups(text: FunctionText) -> Sequence[ast.AST]:
    return [
        node
        for node in text.iterate_nodes()
        if (isinstance(node, ast.Compare) and any(isinstance(sign, ast.In) for sign in node.ops))
        or (isinstance(node, ast.Call) and _called_name(node) == "get")
    ]


def _move_stores(text: FunctionText) -> Sequence[ast.AST]:
    """Return the assignments in the loops that store no score: those of names that are like a move."""
    return [one for one in _assignments(text.in_loops()) if any(_is_move_name(name) for name in _target_names(one))]


def _is_move_name(name: str) -> bool:
    words = ("move", "action", "col", "best", "zug", "jugada", "jogada", "coup", "mossa", "choice", "cell", "pos")
    return any(word in name.lower() for word in words)


def _missing_moves(text: FunctionText) -> Sequence[ast.AST]:
    return [
        one
        for one in _assignments(text.iterate_nodes())
        if any(isinstance(part, ast.Constant) and part.value is None for part in _walk(one.value))
    ]


def _equal_comparisons(text: FunctionText) -> Sequence[ast.AST]:
    return [
        node
        for node in text.in_loops()
        if isinstance(node, ast.Compare)
        and any(isinstance(sign, (ast.GtE, ast.LtE)) for sign in node.ops)
        and not _names_in(node) >= text.bounds > set()
    ]


def _divisions(text: FunctionText) -> list[ast.AST]:
    """Return divisions of whole numbers and conversions to them."""
    return [
        node
        for node in text.iterate_nodes()
        if (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.FloorDiv))
        or (isinstance(node, ast.Call) and _called_name(node) in ("int", "round"))
    ]


Chooser = Callable[[FunctionText], Sequence[ast.AST]]
CHOOSERS: dict[str, Chooser] = {
    "root-fresh-window": _search_calls,
    "window-not-passed": _calls_with_other_window,
    "window-not-updated": _best_scores,
    "window-swapped": _calls_with_swapped_window,
    "wrong-bound-updated": _updates_with_wrong_function,
    "bound-loosened": _updates_without_function,
    "wrong-bound-compared": _cutoff_tests,
    "cut-too-early": _cutoff_tests,
    "moves-left-out": _loop_lines,  # not by a cutoff
    "inner-break": _cutoff_tests,
    "no-cutoff": _bound_updates,
    "calls-plain-minimax": _calls_with_other_window,
    "sides-swapped": _folds,
    "sides-do-not-alternate": _calls_with_same_side,
    "extra-turn-ignored": _search_calls,
    "sign-lost": _calls_without_minus,
    "leaf-viewpoint": _first_returns,
    "evaluation-inconsistent": _first_returns,
    "evaluation-ignores-sides": _first_returns,
    "weights-forgotten": _search_calls,
    "integer-division": _divisions,
    "average-over-pruned": _cutoff_tests,
    "chance-cut": _cutoff_tests,
    "average-missing": _folds,
    "round-cut-short": _search_calls,
    "returns-last-child": _wrong_returns,
    "returns-too-soon": _early_returns,
    "starts-at-zero": _finite_starts,
    "depth-not-reduced": _calls_with_same_depth,
    "depth-by-two": _calls_with_depth_by_two,
    "off-by-one": _depth_tests,
    "terminal-not-tested": _end_tests,
    "terminal-wrong-player": _end_tests,
    "win-lines-missing": _end_tests,
    "depth-before-win": _depth_tests,
    "not-undone": _search_calls,
    "shared-board": _board_copies,
    "searched-twice": _repeated_calls,
    "table-wrong": _table_lookups,
    "move-not-tracked": _move_stores,
    "move-overwritten": _move_stores,
    "no-move-when-lost": _missing_moves,
    "tie-takes-bound": _equal_comparisons,
}
FALLBACKS: dict[str, Chooser] = {
    "no-cutoff": _loop_lines,
    "wrong-bound-updated": _bound_updates,
    "bound-loosened": _bound_updates,
    "returns-last-child": _scores_kept,
    "tie-takes-bound": _folds,
    "off-by-one": _search_calls,
    "shared-board": _search_calls,
    **dict.fromkeys(
        (
            "window-not-passed",
            "window-not-updated",
            "window-swapped",
            "sides-do-not-alternate",
            "depth-not-reduced",
            "depth-by-two",
            "searched-twice",
        ),
        _search_calls,
    ),
    "sign-lost": _first_returns,
    "integer-division": _search_calls,
    "average-over-pruned": _search_calls,
}
