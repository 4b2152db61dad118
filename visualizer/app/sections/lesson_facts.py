"""Facts, claims, nodes and steps of a search, as lesson files write them. All are looked up in the record of the search.

    nodes, leaves, terminals, cutoffs, skipped, K, steps      counts of the whole search
    minimal nodes, minimal leaves                             by the formula of Knuth and Moore, for uniform trees
    best first nodes, best first leaves                       of the same tree with the best move first everywhere
    doubled links                                             the count of the program of preset long-state
    value, alpha, beta, side, bound, best move, moves,        of the root, or of another node: value of [0], alpha of first cutoff
      evaluation, cut, visited, depth, tried, untried
    iterations, c; visits, mean, bonus, sum of a node            of MCTS, after its last iteration, with two decimals

A node is named by the moves that lead to it; [] is the root. Other names are: first cutoff, second cutoff, last cutoff, best leaf
(the end of the principal variation). `with` asks another search: nodes with algorithm=minimax depth=4. Facts can be
added and subtracted: nodes with algorithm=minimax - nodes. A claim compares two facts: value of [1] <= alpha of [1]. A step is
start, end, first cutoff, entering [0], leaving [0], or before or after one of those. A search in iterations also has
iteration 9 and iteration 9 backup.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import inf
from operator import eq, ge, gt, le, lt, ne

from engine import Question, SearchTree, search
from engine.analysis.alignment import FULL_ALGORITHM
from engine.analysis.minimal_tree import best_first_size, knuth_moore_size, uniform_branching
from engine.analysis.statistics import count_doubled_links
from engine.core.errors import PlyscopeError
from engine.tree.iteration_timeline import PHASES, Candidate
from engine.tree.node import Node
from visualizer.app.state.url_params import read_search_params

MAX_LESSON_NODES = 2_000_000  # of a search in a lesson
MAX_CACHED_SEARCHES = 40
FactValue = float | str
FACT_WORDS = ("MAX", "MIN", "yes", "no", "exact", "lower", "upper")  # values of facts that are not numbers
COMPARISONS = {"!=": ne, "<=": le, ">=": ge, "=": eq, "<": lt, ">": gt}
ORDINALS = {"first": 0, "second": 1, "third": 2, "last": -1}
PROOF_PATTERN = re.compile(r"\{([^{}=]+?) = ([^{}]+?)\}")  # {12 = value of [0,1]}
NUMBER_PATTERN = re.compile(r"[-−]?[0-9][0-9,]*(\.[0-9]+)?|[-−]?∞")
ITERATION_PATTERN = re.compile(r"iteration ([1-9][0-9]{0,8})(?: (\w+))?")
NODE_PATTERN = re.compile(r"\[(\d+(?:,\d+)*)?\]")

SEARCH_FACTS: dict[str, Callable[[SearchTree], FactValue]] = {
    "nodes": lambda tree: tree.expanded,
    "leaves": lambda tree: tree.leaves,
    "terminals": lambda tree: tree.terminals,
    "cutoffs": lambda tree: tree.cutoffs,
    "skipped": lambda tree: tree.skipped,
    "steps": lambda tree: len(tree.timeline),
    "K": lambda tree: max(tree.depth.tolist()) if tree.question.depth is None else tree.question.depth,
    "minimal nodes": lambda tree: knuth_moore_size(_tree_branching(tree)).nodes,
    "minimal leaves": lambda tree: knuth_moore_size(_tree_branching(tree)).leaves,
    "best first nodes": lambda tree: best_first_size(_minimax_tree(tree)).nodes,
    "best first leaves": lambda tree: best_first_size(_minimax_tree(tree)).leaves,
    "doubled links": count_doubled_links,
    "iterations": lambda tree: tree.iterations,
    "c": lambda tree: _read_option(tree, "c"),
}
NODE_FACTS: dict[str, Callable[[Node], FactValue]] = {
    "value": lambda node: node.value,
    "alpha": lambda node: node.alpha,
    "beta": lambda node: node.beta,
    "side": lambda node: "MAX" if node.maximizing else "MIN",
    "bound": lambda node: node.bound,
    "best move": lambda node: float(node.best_move),
    "moves": lambda node: float(len(node.children) + node.skipped),
    "evaluation": lambda node: float(node.tree.game.evaluate(node.state)),
    "cut": lambda node: "yes" if node.pruned else "no",
    "depth": lambda node: float(node.depth),
    "tried": lambda node: float(len(node.children)),
    "untried": lambda node: float(node.skipped),
    "visits": lambda node: float(node.visits),
    "mean": lambda node: round(node.mean, 2),
    "bonus": lambda node: round(_find_candidate(node).bonus, 2),
    "sum": lambda node: round(_find_candidate(node).sum, 2),
}


class NoSuchFact(PlyscopeError):
    """A lesson's text that asks for a fact, node or step that the search does not have."""


# ---- searches


@lru_cache(MAX_CACHED_SEARCHES)
def _cached_search(question: Question) -> SearchTree:
    return search(question, max_nodes=MAX_LESSON_NODES)


def search_from_params(parameters: Mapping[str, str]) -> SearchTree:
    """Return the search of a screen, or of the screen `with` something else."""
    return _cached_search(question_from_params(parameters))


def question_from_params(parameters: Mapping[str, str]) -> Question:
    """Return the search that a screen describes. Raise NoSuchFact if there is no such search."""
    question, problem = read_search_params(parameters)
    if problem or "game" not in parameters:
        raise NoSuchFact(problem or "the setting game is missing")
    return question


def _read_option(tree: SearchTree, name: str) -> float:
    """Return an option of a search in iterations."""
    if not tree.has_iterations:
        raise NoSuchFact(f"{tree.algorithm} has no {name}: only searches in iterations have it")
    return float(tree.question.options[name])


def _find_candidate(node: Node) -> Candidate:
    """Return a child of the root as the next iteration would compare it."""
    tree = node.tree
    candidates = tree.timeline.candidates(tree.root, tree.iterations + 1) if tree.has_iterations else ()
    found = next((one for one in candidates if one.node == node), None)
    if found is None:
        raise NoSuchFact("only the moves of the root of an MCTS have a bonus and a sum")
    return found


def _minimax_tree(tree: SearchTree) -> SearchTree:
    return _cached_search(tree.question.replace(algorithm=FULL_ALGORITHM))


def _tree_branching(tree: SearchTree) -> list[int]:
    branching = uniform_branching(_minimax_tree(tree))
    if branching is None:
        raise NoSuchFact("the tree is not uniform: use best first nodes or best first leaves")
    return branching


# ---- facts


def evaluate_fact(text: str, parameters: Mapping[str, str]) -> FactValue:
    """Return the fact that a text names.

    >>> textbook = {"game": "tree:[[3,12,8],[2,4,6],[14,5,2]]"}
    >>> evaluate_fact("value of [1]", textbook), evaluate_fact("side of [1]", textbook)
    (2.0, 'MIN')
    >>> evaluate_fact("nodes with algorithm=minimax - nodes", textbook)
    2.0
    """
    first, *others = re.split(r" ([+-]) ", text.strip())
    total = _evaluate_term(first, parameters)
    for sign, term in zip(others[::2], others[1::2], strict=True):
        value = _evaluate_term(term, parameters)
        if isinstance(total, str) or isinstance(value, str):
            raise NoSuchFact(f"{text!r} adds something that is not a number")
        total = total + value if sign == "+" else total - value
    return total


def _evaluate_term(text: str, parameters: Mapping[str, str]) -> FactValue:
    text = text.strip()
    if text in FACT_WORDS:
        return text
    if (number := read_number(text)) is not None:
        return number
    fact, _, changes = text.partition(" with ")
    tree = search_from_params({**parameters, **_parse_changes(changes)})
    if fact in SEARCH_FACTS:
        return float(SEARCH_FACTS[fact](tree))
    name, separator, node = fact.partition(" of ")
    if name == "visited":
        return "yes" if _find_row(node, tree) is not None else "no"
    if name not in NODE_FACTS:
        raise NoSuchFact(f"there is no fact {text!r}. Known: {', '.join([*SEARCH_FACTS, *NODE_FACTS, 'visited'])}")
    return NODE_FACTS[name](find_node(node if separator else "[]", tree))


def _parse_changes(text: str) -> dict[str, str]:
    """Parse the changes after `with`: name=value, separated by blanks."""
    parts = [part.partition("=") for part in text.split()]
    if any(not equals for _, equals, _ in parts):
        raise NoSuchFact(f"'with {text}' has no value: write name=value, such as algorithm=minimax")
    return {name: value for name, _, value in parts}


def read_number(text: str) -> float | None:
    """Return a number as a person writes it; None for anything else.

    >>> read_number("−3"), read_number("1,228,280"), read_number("2.5"), read_number("three")
    (-3.0, 1228280.0, 2.5, None)
    """
    text = text.strip()
    if not NUMBER_PATTERN.fullmatch(text) or len(text) > 30:
        return None
    plain = text.replace("−", "-").replace(",", "")
    return {"∞": inf, "-∞": -inf}.get(plain) if "∞" in plain else float(plain)


def is_claim_true(claim: str, parameters: Mapping[str, str]) -> bool:
    """Return True if a claim is true.

    >>> is_claim_true("value of [1] <= alpha of [1]", {"game": "tree:[[3,12,8],[2,4,6],[14,5,2]]"})
    True
    """
    for sign, compare in COMPARISONS.items():
        left, found, right = claim.partition(f" {sign} ")
        if found:
            values = evaluate_fact(left, parameters), evaluate_fact(right, parameters)
            if isinstance(values[0], str) != isinstance(values[1], str):
                raise NoSuchFact(f"{claim!r} compares a number with a word")
            return bool(compare(*values))
    raise NoSuchFact(f"{claim!r} is not a claim: compare two facts with one of {', '.join(COMPARISONS)}")


# ---- nodes and steps


def _find_row(text: str, tree: SearchTree) -> int | None:
    """Return the row of a node named by its moves; None if the search did not visit it."""
    found = NODE_PATTERN.fullmatch(text.strip())
    if not found:
        raise NoSuchFact(f"{text!r} is not a node: write the moves that lead to it, such as [0,1], or first cutoff")
    node = tree.root
    for move in map(int, found[1].split(",")) if found[1] else ():
        child = next((child for child in node.children if child.move == move), None)
        if child is None:
            return None
        node = child
    return int(node)


def find_node(text: str, tree: SearchTree) -> Node:
    """Return the node that a text names."""
    text = text.strip()
    ordinal, _, event = text.partition(" ")
    if event == "cutoff" and ordinal in ORDINALS:
        cutoffs = [row for _, row in sorted((tree.timeline.leave(row), row) for row in tree.pruned.nonzero()[0].tolist())]
        if not -len(cutoffs) <= ORDINALS[ordinal] < len(cutoffs):
            raise NoSuchFact(f"there is no {text} in this search")
        return tree[cutoffs[ORDINALS[ordinal]]]
    if text == "best leaf":
        node = tree.root
        while node.best_child is not None:
            node = node.best_child
        return node
    row = _find_row(text, tree)
    if row is None:
        raise NoSuchFact(f"the search does not visit {text}")
    return tree[row]


def find_rows(text: str, tree: SearchTree) -> set[int]:
    """Return the rows that a text names: one node, all cutoffs, all leaves, the nodes of one side, or the children of a node.

    >>> sorted(find_rows("MIN nodes", search_from_params({"game": "tree:[[3,12],[2,4]]"})))
    [1, 4]
    """
    text = text.strip()
    nodes = [tree[row] for row in range(len(tree))]
    if text in ("MAX nodes", "MIN nodes"):
        return {int(node) for node in nodes if not node.is_leaf and node.maximizing == (text == "MAX nodes")}
    if text in ("leaves", "cutoffs", "all"):
        matches = {"leaves": lambda node: node.is_leaf, "cutoffs": lambda node: node.pruned, "all": lambda node: True}[text]
        return {int(node) for node in nodes if matches(node)}
    if text.startswith("children of "):
        return {int(node) for node in find_node(text.removeprefix("children of "), tree).children}
    if text.startswith("below "):
        top = find_node(text.removeprefix("below "), tree)
        return set(range(int(top) + 1, top.end))
    return {int(find_node(text, tree))}


def find_step(text: str, tree: SearchTree) -> int:
    """Return the number of the step that a text names.

    >>> find_step("before leaving [0]", search_from_params({"game": "tree:[[3,12],[2,4]]"}))
    7
    """
    trace, text = tree.timeline, text.strip()
    if text == "start":
        return 0
    if found := ITERATION_PATTERN.fullmatch(text):
        if not tree.has_iterations:
            raise NoSuchFact(f"this search has no {text}: it does not run in iterations")
        return trace.find(int(found[1]), found[2] or PHASES[0])
    if text == "end":
        return len(trace) - 1
    if text.startswith("before "):
        return find_step(text.removeprefix("before "), tree) - 1
    if text.startswith("after "):
        return find_step(text.removeprefix("after "), tree) + 1
    if text.startswith("entering "):
        return trace.enter(find_node(text.removeprefix("entering "), tree))
    return trace.leave(find_node(text.removeprefix("leaving "), tree))
