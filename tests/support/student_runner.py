"""Runs programs of tests/students without windows, input or a game at import, as written and repaired: JSON in, JSON out.

It is a process of its own (`python tests/support/student_runner.py < jobs`), knows nothing of Plyscope, and is plain on
purpose: the manifest's labels are proved by it, so it must not share an idea with what is tested on these programs.
"""

import ast
import contextlib
import copy
import io
import json
import random
import sys
import types
from functools import cache
from math import inf
from pathlib import Path

MOST_CALLS = 20_000
ABSENT = ("pygame", "tkinter")
INNER = ("locals", "messagebox")
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Try)


class TooManyCalls(BaseException):
    """No `except Exception` of a student stops it."""


class Absorbs(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absorbing


class Absorbing(types.ModuleType, metaclass=Absorbs):
    """Stands for a package with windows: any name of it may be asked for, called and subclassed."""

    __path__ = ()
    __all__ = ()

    def __init__(self, *_, **__):
        super().__init__("absent")

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absorbing


def no_input(prompt=""):
    raise EOFError("a student's program asks for input")


class Calls:
    def __init__(self):
        self.number = 0

    def __call__(self):
        self.number += 1
        if self.number > MOST_CALLS:
            raise TooManyCalls


@cache
def compile_definitions(path, source, functions):
    """The definitions of a program without its game; its `functions` say when they are called."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, KEPT)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in functions:
            node.body.insert(0, ast.parse("__called__()").body[0])
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


def run_definitions(path, source, functions, calls):
    """The names of a program whose definitions have run; `calls` is told of every call of its functions."""
    module = types.ModuleType(path.stem)
    module.__dict__.update({"__file__": str(path), "__called__": calls, "input": no_input})
    sys.modules[path.stem] = module
    exec(compile_definitions(path, source, tuple(functions)), module.__dict__)
    return module.__dict__


def observe_call(names, job, calls, call):
    """What one call gives: value, move, number of calls, error, and whether the board is as before."""
    random.seed(1)
    before = repr(value_in(names, job["board"]))
    calls.number, seen = 0, {"value": None, "move": None, "error": None}
    try:
        result = value_in(names, call)
        for what, expression in (("value", job["call_value"]), ("move", job["call_move"])):
            if expression:
                seen[what] = value_in(names, expression, result=result)
        seen["move"] = format_move(seen["move"]) if job["call_move"] else None
        seen["value"] = None if seen["value"] is None else float(seen["value"])
    except (Exception, TooManyCalls) as error:
        seen["error"] = type(error).__name__
    after = repr(value_in(names, job["board"]))
    return {**seen, "calls": calls.number, "changed": before != after}


def value_in(names, expression, **more):
    return eval(expression, {**names, "inf": inf, **more})


def format_move(move):
    """A move or the board after it as text, whether of numpy or not."""
    return repr(move.tolist() if hasattr(move, "tolist") else move).replace(" ", "")


# ---- the reference: minimax and alpha-beta in their plainest form over the student's own moves and values


def compute_reference(names, rules):
    """Value, root moves with their values, and the sizes of the trees of minimax and of alpha-beta (cutting at >= and at >)."""

    def after(state, change):
        """A copy of a board on which a student's function that plays in place has played."""
        state = copy_state(state)
        change(state)
        return state

    def at(state, ask):
        """What a student's function says that looks at a global board."""
        before, names[rules["global"]] = names[rules["global"]], state
        try:
            return ask()
        finally:
            names[rules["global"]] = before

    extra = {"inf": inf, "after": after, "at": at}
    leaf = eval(f"lambda s, d, m: {rules['leaf']}", {**names, **extra})
    following = eval(f"lambda s, m: {rules['next']}", {**names, **extra})

    grown = {}

    def grow(state, depth, is_max):
        """The tree below a state; equal ones, which their text tells, are grown once."""
        seen = (format_move(state), depth, is_max)
        if seen in grown and type(state).__repr__ is not object.__repr__:
            return grown[seen]
        value = leaf(state, depth, is_max)
        if value is None:
            children = [(*child, not is_max)[:3] for child in following(state, is_max)]
            grown[seen] = is_max, [grow(child, depth - 1, side) for _, child, side in children]
        else:
            grown[seen] = float(value)
        return grown[seen]

    start = value_in(names, rules["state"])
    root = grow(copy_state(start), rules["depth"], rules.get("max", True))
    moves = [format_move(child[0]) for child in following(copy_state(start), rules.get("max", True))]
    better = max if root[0] else min
    values = [minimax_value(child) for child in root[1]]
    return {
        "value": better(values),
        "moves": [[move, value] for move, value in zip(moves, values, strict=True)],
        "minimax": count_nodes(root),
        "equal": search_alphabeta(root, -inf, inf, strict=False)[1],
        "strict": search_alphabeta(root, -inf, inf, strict=True)[1],
    }


def copy_state(state):
    """As copy.deepcopy, which takes half of the time otherwise."""
    if type(state) is list:
        return [copy_state(inner) for inner in state]
    return state if type(state) in (str, int) else dict(state) if type(state) is dict else copy.deepcopy(state)


def minimax_value(tree):
    if isinstance(tree, float):
        return tree
    is_max, children = tree
    return (max if is_max else min)(map(minimax_value, children))


def count_nodes(tree):
    return 1 if isinstance(tree, float) else 1 + sum(map(count_nodes, tree[1]))


def search_alphabeta(tree, alpha, beta, strict):
    """Value and number of nodes of alpha-beta."""
    if isinstance(tree, float):
        return tree, 1
    is_max, children = tree
    best, nodes = -inf if is_max else inf, 1
    for child in children:
        value, below = search_alphabeta(child, alpha, beta, strict)
        nodes += below
        best = max(best, value) if is_max else min(best, value)
        if is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha > beta or (alpha == beta and not strict):
            break
    return best, nodes


def answer_job(job):
    """All calls of all versions of one program, and its reference."""
    path, seen = Path(job["path"]), {}
    sys.path.insert(0, str(path.parent))
    for version, source in job["versions"].items():
        calls = Calls()
        seen[version] = [
            observe_call(run_definitions(path, source, job["functions"], calls), job, calls, call) for call in job["calls"]
        ]
    names = run_definitions(path, source, job["functions"], lambda: None)  # of the last version, which is right
    return {**seen, "reference": compute_reference(names, job["reference"])}


def main():
    for package in ABSENT:
        for name in (package, *(f"{package}.{inner}" for inner in INNER)):
            sys.modules[name] = Absorbing()
    with contextlib.redirect_stdout(io.StringIO()):
        answers = [answer_job(job) for job in json.load(sys.stdin)]
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
