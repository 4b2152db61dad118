"""The line to look at for a mistake is the line that has to be changed, or one beside it."""

import ast
import json

import pytest

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.diagnosis.source_lines import CHOOSERS, FALLBACKS, FunctionText, choose_line
from engine.checker.discovery.search_finder import find_functions
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.recording.call_recorder import RecordedCalls, record_function
from tests.support.paths import TESTS

STUDENTS = TESTS / "students"
WRONG = [entry for entry in json.loads((STUDENTS / "manifest.json").read_text(encoding="utf-8")) if entry["mistake"]]
MIN_SHARE = 0.85  # of the lines that are right

TWO_BRANCHES = """
def minimax(node, alpha, beta, is_max):
    if not node:
        return rate(node)
    if is_max:
        best = -inf
        for child in node:
            best = max(best, minimax(child, alpha, beta, False))
            alpha = max(alpha, best)
            if best >= beta:
                break
        return best
    best = inf
    for child in node:
        best = min(best, minimax(child, alpha, beta, True))
        beta = min(beta, best)
        if best <= alpha:
            break
    return best
"""
MAX_CALL, MIN_CALL = 8, 15


def list_changed_lines(source, patches):
    """Return the numbers of the lines that a repair changes."""
    lines = set()
    for patch in patches:
        first = source[: source.index(patch["old"])].count("\n") + 1
        lines |= set(range(first, first + patch["old"].rstrip("\n").count("\n") + 1))
    return lines


def is_search_call(node, names):
    return isinstance(node, ast.Call) and (getattr(node.func, "id", "") or getattr(node.func, "attr", "")) in names


def test_the_lines_of_wrong_programs_are_those_that_a_repair_changes():
    distances = {}
    for entry in WRONG:
        source = (STUDENTS / entry["file"]).read_text(encoding="utf-8")
        changed = list_changed_lines(source, entry["patch"])
        names = frozenset(name.rpartition(".")[2] for name in entry["functions"])
        inside = [
            function
            for function in find_functions(ast.parse(source)).values()
            if any(function.node.lineno <= line <= function.node.end_lineno for line in changed)
            and any(is_search_call(node, names) for node in ast.walk(function.node))
        ]
        if not inside:
            continue  # the mistake is in the rules
        node = max(inside, key=lambda function: function.node.lineno).node
        calls = [part.lineno for part in ast.walk(node) if is_search_call(part, names)]
        recorded = min(calls, key=lambda call: min(abs(call - line) for line in changed))
        roles = next(
            (ArgumentRoles(**roles) for name, roles in entry["roles"].items() if name.endswith(node.name)), ArgumentRoles()
        )
        line = choose_line(entry["mistake"], FunctionText(node, names, roles, frozenset([recorded])))
        distances[entry["file"]] = min(abs(line - one) for one in changed)
    assert len(distances) >= 70
    far = [file for file, distance in distances.items() if distance > 1]
    assert len(far) <= (1 - MIN_SHARE) * len(distances), far


@pytest.mark.parametrize(
    ("mistake", "call", "line"),
    [
        ("sides-do-not-alternate", MAX_CALL, MAX_CALL),
        ("sides-do-not-alternate", MIN_CALL, MIN_CALL),
        ("cut-too-early", MAX_CALL, 10),
        ("cut-too-early", MIN_CALL, 17),
        ("no-cutoff", MIN_CALL, 16),
        ("sides-swapped", MAX_CALL, MAX_CALL),
        ("sides-swapped", MIN_CALL, MIN_CALL),
        ("leaf-viewpoint", MIN_CALL, 4),
        ("infinite-or-huge", MIN_CALL, 2),
    ],
)
def test_the_line_is_in_the_branch_of_the_recorded_call(mistake, call, line):
    node = ast.parse(TWO_BRANCHES).body[0]
    text = FunctionText(node, frozenset(["minimax"]), ArgumentRoles("node", None, "alpha", "beta", "is_max"), frozenset([call]))
    assert choose_line(mistake, text) == line


def test_every_mistake_has_a_line_without_any_call():
    node = ast.parse("def f(x):\n    return x").body[0]
    assert {choose_line(name, FunctionText(node, frozenset(), ArgumentRoles())) for name in MISTAKES} == {1}
    assert set(FALLBACKS) <= set(CHOOSERS)


def test_a_recorded_call_has_the_line_of_its_caller():
    calls = RecordedCalls()
    space = {"watch": lambda function: record_function(calls, "f", function)}
    exec(compile("@watch\ndef f(n):\n    if n:\n        return f(n - 1)\n    return 0\n\nf(2)\n", "x.py", "exec"), space)
    assert calls.line == [7, 4, 4]
