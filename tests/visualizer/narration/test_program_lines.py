"""Every step of a student's search is at a line that the call has really run: Python's own tracing is the reference."""

import importlib.util
import sys
from pathlib import Path

import pytest

from engine import Trace
from engine.checker.watch import watch
from visualizer.app.programs.examples import read_example
from visualizer.narration.pseudocode import find_code_line, program_code, tree_pseudocode

TREE = [[[3, 5], [8, 1, 4]], [[2, 9], [7, 7]], [[1, 6], [0, 2]]]
TWO_FUNCTIONS = """
def max_value(tree, alpha, beta):
    if not isinstance(tree, list):
        return tree
    v = -99
    for child in tree:
        v = max(v, min_value(child, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v

def min_value(tree, alpha, beta):
    if not isinstance(tree, list):
        return tree
    v = 99
    for child in tree:
        v = min(v, max_value(child, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v
"""
MIN_FIRST = """
def search(tree, alpha, beta, is_max):
    if not isinstance(tree, list): return tree
    if not is_max:
        worst = 99
        for child in tree:
            worst = min(worst, search(child, alpha, beta, True))
            beta = min(beta, worst)
            if beta <= alpha:
                break
        return worst
    best = -99
    for child in tree:
        score = search(child, alpha, beta, False)
        best = max(best, score)
        alpha = max(alpha, best)
        if beta <= alpha:
            break
    return best
"""
NEGAMAX = """
class Player:
    def negamax(self, tree, sign, alpha, beta):
        if not isinstance(tree, list):
            return sign * tree
        best = -99
        for child in tree:
            best = max(best, -self.negamax(child, -sign, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
"""
ONE_LINE = """
def value(tree, maximizing):
    if not isinstance(tree, list):
        return tree
    return (max if maximizing else min)(value(child, not maximizing) for child in tree)
"""


def load_program(text, folder):
    path = folder / "program_under_test.py"
    path.write_text(text.replace("\nboard = list", "\nboard = 0 and list").replace("\nprint(", "\n0 and print("))
    found = importlib.util.spec_from_file_location("program_under_test", path)
    module = importlib.util.module_from_spec(found)
    sys.modules["program_under_test"] = module
    found.loader.exec_module(module)
    return module


def trace_lines(module, names, run):
    """Run something and return the lines that each call of the search ran, in the order of the calls."""
    ran = []

    def trace(frame, event, argument):
        if frame.f_code.co_filename != module.__file__ or frame.f_code.co_name not in names:
            return None
        lines = [frame.f_lineno]
        ran.append(lines)

        def trace_frame(frame, event, argument):
            lines.append(frame.f_lineno)
            return trace_frame

        return trace_frame

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return ran


@pytest.mark.parametrize(
    ("text", "names", "start"),
    [
        (read_example("A correct program"), ["minimax"], "minimax(list('XOXO O   '), 6, -99, 99, True)"),
        (read_example("Starts at zero"), ["minimax"], "minimax(list('XOXO O   '), 3, -99, 99, True)"),
        (TWO_FUNCTIONS, ["max_value", "min_value"], f"max_value({TREE}, -99, 99)"),
        (MIN_FIRST, ["search"], f"search({TREE}, -99, 99, True)"),
        (NEGAMAX, ["negamax"], f"Player().negamax({TREE}, 1, -99, 99)"),
        (ONE_LINE, ["value"], f"value({TREE}, True)"),
    ],
    ids=["example", "wrong example", "two functions", "MIN first", "negamax", "one line"],
)
def test_every_step_is_at_a_line_that_its_call_has_run(tmp_path, text, names, start):
    module = load_program(text, tmp_path)
    owner = getattr(module, "Player", module)
    with watch(*(getattr(owner, name) for name in names)) as seen:
        ran = trace_lines(module, names, lambda: eval(start, vars(module)))
    tree, code = seen.tree, [line.words for line in tree_pseudocode(seen.tree)]
    source = Path(module.__file__).read_text().splitlines()
    assert len(ran) == len(tree) > 5
    kinds = set()
    trace = Trace(tree)
    for step in map(trace.__getitem__, range(len(trace))):
        line = code[find_code_line(step)]
        if step.kind == "driver":
            continue
        kinds.add(step.kind)
        lines = [source[number - 1] for number in ran[step.node]]
        assert line in lines, (step.kind, line, lines)
        if step.kind in ("enter", "evaluate"):
            assert line == lines[0 if step.kind == "enter" else -1]
    assert {"enter", "evaluate", "return", "leave"} <= kinds


def test_a_text_that_is_not_a_function_highlights_its_last_line():
    class Source:
        name, lines = "minimax", ["def minimax(:", "\tpass\x1b"]

    code = program_code([Source], ["both"])
    assert code[0].words == "def minimax(:"
    assert [line.steps for line in code] == [(), (), ()]
    assert code[-1].when == {}
