"""Traces are judged by local rules: a right search has no finding, and each mistake is seen as far as the record allows."""

import json
from math import inf

import pytest
from click.testing import CliRunner

from engine.checker.run_file import read_run_file, write_run_file
from engine.checker.traces.trace_check import judge_trace
from engine.checker.verdict import NOTHING_FOUND, SUSPICIOUS
from engine.tree.search_trace import parse_trace
from visualizer.cli.main import plyscope

TREE = [[[3, 12], [8, 2]], [[2, 4], [6, 9]], [[14, 5], [2, -7]], [[-1, -2], [-3, -9]]]


class TracingSearch:
    """An alpha-beta search that writes a trace, with places where it can be spoilt."""

    def __init__(self, **faults):
        self.faults = faults
        self.lines = []
        self.next_id = 0

    def search(self, tree, side="max", alpha=-inf, beta=inf, parent=None, move=None, depth=3):
        number = self.next_id
        self.next_id += 1
        window = self.faults.get("window_of_call", lambda alpha, beta: (alpha, beta))(alpha, beta)
        call = {"id": number, "parent": parent, "move": move, "side": side, "depth": depth, "state": str(tree)}
        call |= {"alpha": to_text(window[0]), "beta": to_text(window[1])}
        value, status = self.visit(tree, side, alpha, beta, number, depth) if isinstance(tree, list) else (tree, "terminal")
        value = self.faults.get("value", lambda value, call: value)(value, call)
        self.lines.append(call | {"value": to_text(value), "status": status})
        return value

    def visit(self, tree, side, alpha, beta, number, depth):
        is_max = side == "max"
        other = self.faults.get("other_side", {"max": "min", "min": "max"})[side]
        better = self.faults.get("better", {"max": max, "min": min})[side]
        best = self.faults.get("start", -inf if is_max else inf)
        for move, child in enumerate(tree):
            window = self.faults.get("passed", lambda alpha, beta: (alpha, beta))(alpha, beta)
            score = self.search(child, other, *window, number, move, depth - self.faults.get("step", 1))
            best = score if self.faults.get("last") else better(best, score)
            if not self.faults.get("fixed"):
                alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
            cuts = self.faults.get("cuts", lambda alpha, beta: alpha >= beta)(alpha, beta)
            if cuts and move < len(tree) - 1:
                return best, "cutoff"
        return best, "exhausted"

    def judge(self, **header):
        self.search(TREE, alpha=self.faults.get("alpha", -inf), beta=self.faults.get("beta", inf))
        text = "\n".join(map(json.dumps, [{"plyscope_trace": 1, **header}, *self.lines]))
        return judge_trace(parse_trace(text.encode()), "trace.jsonl")


def to_text(value):
    return {inf: "inf", -inf: "-inf"}.get(value, value)


@pytest.mark.parametrize(
    "faults",
    [
        {},
        {"cuts": lambda alpha, beta: alpha > beta},  # strict
        {"passed": lambda alpha, beta: (-inf, inf), "cuts": lambda *window: False, "fixed": True},  # plain minimax
    ],
)
def test_nothing_is_found_in_a_right_search(faults):
    checked = TracingSearch(**faults).judge()
    assert (checked.verdict.verdict, checked.verdict.findings) == (NOTHING_FOUND, [])
    assert any("cannot be run again" in line for line in checked.verdict.not_looked_at)


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        ("sides-swapped", {"better": {"max": min, "min": max}, "fixed": True, "start": 0, "cuts": lambda *_: False}),
        ("returns-last-child", {"last": True, "fixed": True, "cuts": lambda *_: False}),
        ("starts-at-zero", {"start": 0}),
        ("value-unexplained", {"value": lambda value, call: value + (call["depth"] == 2) / 2 - (call["depth"] == 3) / 2}),
        ("window-not-updated", {"fixed": True, "alpha": -50, "beta": 50}),
        ("window-not-passed", {"passed": lambda alpha, beta: (-inf, inf), "alpha": -50, "beta": 50}),
        ("window-swapped", {"passed": lambda alpha, beta: (beta, alpha), "cuts": lambda *_: False}),
        ("no-cutoff", {"cuts": lambda alpha, beta: False}),
        ("cut-too-early", {"cuts": lambda alpha, beta: True}),
        ("sides-do-not-alternate", {"other_side": {"max": "max", "min": "min"}}),
        ("depth-not-reduced", {"step": 0}),
        ("depth-by-two", {"step": 2}),
    ],
)
def test_a_mistake_is_likely_and_never_certain(name, faults):
    verdict = TracingSearch(**faults).judge().verdict
    assert verdict.verdict == SUSPICIOUS
    assert name in [finding.name for finding in verdict.findings]
    assert not any(finding.certain for finding in verdict.findings)


def test_a_leaf_with_two_values_is_seen():
    search = TracingSearch(value=lambda value, call: call["id"] if call["state"] == "2" else value)
    assert "evaluation-inconsistent" in [finding.name for finding in search.judge().verdict.findings]


def test_a_judged_trace_opens_as_a_run():
    checked = TracingSearch(last=True).judge(program="ai.cpp")
    run = read_run_file(write_run_file("trace.jsonl", checked.answer))
    assert len(run.tree) == checked.answer.rows.count
    assert run.verdict.findings == checked.verdict.findings


def test_the_command_checks_a_trace(tmp_path):
    search = TracingSearch(last=True)
    search.search(TREE)
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, [{"plyscope_trace": 1}, *search.lines])))
    result = CliRunner().invoke(plyscope, ["check", str(tmp_path / "trace.jsonl"), "--json"])
    assert json.loads(result.output)["verdict"] == SUSPICIOUS
