"""Our own readable alpha-beta, spoilt in one place after the other: what goes wrong is found, what makes no difference is not
blamed."""

import ast
import copy
import inspect
import random

import pytest

from engine.algorithms import alphabeta as module
from engine.checker.diagnosis.judge import judge_search
from engine.checker.diagnosis.program_view import WatchedProgram
from engine.checker.recording.argument_roles import find_score, infer_roles
from engine.checker.recording.call_recorder import RecordedCalls, TooManyCalls, record_function
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.checker.verdict import Unchecked
from engine.games.connect.rules import Connect
from engine.games.literal import LiteralTree

MAX_ROWS = 5000
SOURCE = inspect.getsource(module.alphabeta) + "\n\n" + inspect.getsource(module.is_refuted)
SWAPPED_NAMES = {"alpha": "beta", "beta": "alpha", "max": "min", "min": "max"}
SWAPPED_TESTS = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.Eq: ast.NotEq}


class Silent:
    """A record that keeps nothing: the calls are watched."""

    def enter(self, *_):
        return 1

    def leave(self, node, status, value, skipped=0):
        return value


class Spoilt(ast.NodeTransformer):
    """Counts the places that can be spoilt, and spoils one of them; `change` describes it."""

    def __init__(self, place):
        self.place, self.seen, self.change = place, -1, ""

    def here(self, change):
        self.seen += 1
        if self.seen == self.place:
            self.change = change
        return self.seen == self.place

    def visit_Name(self, node):
        if (
            isinstance(node.ctx, ast.Load)
            and node.id in SWAPPED_NAMES
            and self.here(f"{node.id} for its opposite, line {node.lineno}")
        ):
            return ast.copy_location(ast.Name(SWAPPED_NAMES[node.id], ast.Load()), node)
        if node.id == "INFINITY" and self.here(f"0 for infinity, line {node.lineno}"):
            return ast.copy_location(ast.Constant(0), node)
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        kind = type(node.ops[0])
        if kind in SWAPPED_TESTS and self.here(f"{kind.__name__} turned round, line {node.lineno}"):
            node.ops = [SWAPPED_TESTS[kind]()]
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Sub) and isinstance(node.right, ast.Constant):
            if self.here(f"- 2 for - 1, line {node.lineno}"):
                node.right = ast.Constant(2)
            elif self.here(f"- 0 for - 1, line {node.lineno}"):
                node.right = ast.Constant(0)
        return node

    def visit_If(self, node):
        self.generic_visit(node)
        if any(isinstance(inner, ast.Return) for inner in node.body) and self.here(f"`if` left out, line {node.lineno}"):
            return ast.Pass()
        if self.here(f"not in `if`, line {node.lineno}"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        if self.here(f"`if … else` exchanged, line {node.lineno}"):
            node.body, node.orelse = node.orelse, node.body
        return node

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        if self.here(f"or for and, line {node.lineno}"):
            node.op = ast.Or()
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        name = getattr(node.targets[0], "id", "")
        if name in ("alpha", "beta", "value") and isinstance(node.value, ast.Call):
            if self.here(f"{name} is not updated, line {node.lineno}"):
                return ast.Pass()
            if self.here(f"{name} takes the last, line {node.lineno}"):
                node.value = node.value.args[1]
        return node


def spoilt(place):
    """The functions with one place spoilt, and a description; None if there is no such place."""
    tree = ast.parse(SOURCE)
    work = Spoilt(place)
    work.visit(tree)
    if not work.change:
        return None
    names = dict(vars(module))
    exec(compile(ast.fix_missing_locations(tree), "spoilt", "exec"), names)
    return names, work.change


MUTANTS = []
while (made := spoilt(len(MUTANTS))) is not None:
    MUTANTS.append(made[1])


def random_tree(height, rng):
    if height == 0:
        return rng.randint(-40, 40)
    return [random_tree(height - 1, rng) for _ in range(rng.choice((2, 3, 3, 4)))]


def games():
    rng = random.Random(5)
    yield LiteralTree(random_tree(4, rng)), 6
    yield LiteralTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), 6
    yield Connect(4, 4, 3, max_order=(0, 1, 2, 3), min_order=(3, 1, 2, 0)), 4
    yield LiteralTree(random_tree(5, rng), False), 6


GAMES = list(games())
MORE_GAMES = [(LiteralTree(random_tree(5, random.Random(seed))), 6) for seed in range(40)]  # where a mutant may show


def visited(names, game, depth):
    """The value at the root and the states in the order of the calls; what it stumbles over."""
    calls = RecordedCalls(max_rows=MAX_ROWS)
    names = dict(names)
    text = names["alphabeta"]
    function = type(text)(text.__code__, names, text.__name__, text.__defaults__, text.__closure__)
    names["is_refuted"] = type(text)(names["is_refuted"].__code__, names)
    names["alphabeta"] = record_function(calls, "alphabeta", function)
    try:
        value = names["alphabeta"](game, Silent(), copy.deepcopy(game.start()), depth)
    except TooManyCalls as error:
        return calls, None, StoppedRun(StopCause.TOO_MANY_CALLS, f"{error.limit:,}")
    except RecursionError:
        return calls, None, StoppedRun(StopCause.ENDLESS_RECURSION)
    except Exception as error:
        return calls, None, StoppedRun(StopCause.EXCEPTION, str(error))
    return calls, value, None


def judged(calls, stopped):
    roles = [infer_roles(calls, 0)]
    return judge_search(WatchedProgram(calls, roles, find_score(calls), ast.parse(SOURCE)), stopped)


RIGHT = dict(vars(module))


def goes_wrong(names, game, depth):
    calls, value, _ = visited(names, game, depth)
    right, right_value, _ = visited(RIGHT, game, depth)
    return value != right_value or calls.before != right.before


QUICK = 8  # every eighth mutant in the quick run
PLACES = [
    pytest.param(place, id=change, marks=() if place % QUICK == 0 else pytest.mark.slow) for place, change in enumerate(MUTANTS)
]


@pytest.mark.parametrize("place", PLACES)
def test_a_mutant_is_found_if_it_goes_wrong_and_not_blamed_if_it_does_not(place):
    names, _ = spoilt(place)
    found, certain = set(), set()
    for game, depth in GAMES:
        calls, _, stopped = visited(names, game, depth)
        if stopped is not None and stopped.cause is StopCause.EXCEPTION:
            pytest.skip(stopped.sentence)
        judgement = judged(calls, stopped)
        found |= {finding.name for finding in judgement.findings}
        found |= {name for name in judgement.variants if name == "strict-cut"}  # more calls, and nothing wrong
        found |= {words for words in judgement.not_looked_at if words == Unchecked.CHILD_CALLS}
        certain |= {finding.name for finding in judgement.findings if finding.certain}
    if any(goes_wrong(names, game, depth) for game, depth in [*GAMES, *MORE_GAMES]):
        assert found
    else:
        assert not certain


def test_alpha_beta_as_it_is_has_no_mistake():
    for game, depth in GAMES:
        calls, _, stopped = visited(RIGHT, game, depth)
        assert judged(calls, stopped).findings == []
