"""Sentences about a search are true: every claim is checked against the whole tree, which the search itself has not seen."""

import csv
import io
import json
import re
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import visualizer
from engine import compare, connect, literal, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import QUIRK_RULES
from engine.analysis.alignment import Alignment
from engine.analysis.minimal_tree import best_first_size, uniform_branching
from engine.core.errors import BadGame
from engine.games.capabilities import adjacent_value
from engine.games.protocol import move_from_code
from engine.matches.match import Match
from engine.matches.players import SearchPlayer
from engine.record.columns import BOUND_NAMES, TABLE
from engine.tree import bounds
from engine.tree.trace import Trace
from tests.support.games import Countdown, literal_trees
from tests.support.marks import examples
from tests.support.reference import minimax_value
from tests.support.toy_algorithms import TOYS
from visualizer import View, to_csv, to_json, to_networkx, to_text
from visualizer.cli.output.search_output import search_summary
from visualizer.drawing.view import STUB, principal_rows, select_items
from visualizer.narration.captions import ROUNDED_NOTE, list_tree_notes, search_title, summarize_result
from visualizer.narration.move_reasons import explain_choice
from visualizer.narration.numbers import distinct_formatter, format_number
from visualizer.narration.sentences import RULES, TABLE_RULES, sentence, sentence_rule, slot_texts
from visualizer.narration.step_facts import cutoff_bound, extra_plies
from visualizer.report.content import build_report

ALL_TEMPLATES = "\n".join(
    rule.words
    for words in (RULES, TABLE_RULES, *QUIRK_RULES.values(), *(algorithm.words for algorithm in ALGORITHMS.values()))
    for rules in words.values()
    for rule in rules
)
UNPROVED = ([2, [[[2, 0], 1]]], [1, [[[1, 0], 1]]])  # a child has the node's value but is worth less
TIES = st.recursive(st.integers(0, 2), lambda children: st.lists(children, min_size=1, max_size=4), max_leaves=60)
SEARCHES = [
    ("k-tables", "3", 4, {}),
    ("k-tables", "3", 4, {"cut_on_equal": False}),
    ("k-tables", "33443", 5, {}),
    ("threats", "32", 4, {}),
    ("connect-m", "", 5, {}),
    ("full-depth", "0011", 6, {"cut_on_equal": False}),
]


def true_values(tree):
    """Return the value of every node by definition, to the depth of its pass."""
    plies = [
        500 if tree.passes[tree.pass_number(row)].K is None else tree.passes[tree.pass_number(row)].K for row in range(len(tree))
    ]
    return [
        minimax_value(tree.game, state, K - depth)
        for K, state, depth in zip(plies, list_states(tree), tree.depth.tolist(), strict=True)
    ]


def list_states(tree):
    found = tree.states()
    return [found.at(row) for row in range(len(tree))] if tree.search.compiled else found


def does_bound_hold(bound, value, truth):
    return {"exact": value == truth, "lower": truth >= value, "upper": truth <= value}[bound]


# ---- bounds


def proved_range(tree, row):
    """Return the minimum and maximum value of a node that the nodes below it allow: slow and obvious."""
    node = tree[row]
    below = [proved_range(tree, child) for child in node.children]
    low, high = node.value, node.value
    if below:
        best = max if node.maximizing else min
        low, high = best(low for low, _ in below), best(high for _, high in below)
    if node.pruned:
        return (low, np.inf) if node.maximizing else (-np.inf, high)
    return low, high


@given(literal_trees | TIES, st.booleans(), st.booleans())
def test_bounds_say_what_the_nodes_below_prove_and_no_more(data, cut_on_equal, max_first):
    tree = search(literal(data, first="max" if max_first else "min"), cut_on_equal=cut_on_equal)
    truth = true_values(tree)
    for row in range(len(tree)):
        low, high = proved_range(tree, row)
        bound, value = tree[row].bound, tree[row].value
        assert bound == ("exact" if low == high else "lower" if low == value else "upper")
        assert value in (low, high)
        assert does_bound_hold(bound, value, truth[row])


@pytest.mark.parametrize(("name", "moves", "depth", "options"), SEARCHES)
def test_bounds_of_connect_boards_hold(name, moves, depth, options):
    tree = search(preset(name), moves, depth, **options)
    rows = range(0, len(tree), max(1, len(tree) // 300))
    for row in rows:
        truth = minimax_value(tree.game, tree[row].state, depth - tree[row].depth)
        assert does_bound_hold(tree[row].bound, tree[row].value, truth)


def wide_ties():
    """Search a tree with strict cutoffs where many children tie: values 0 and 1, depth 6, four moves everywhere."""
    random = np.random.default_rng(7)

    def grow(depth):
        return int(random.integers(0, 2)) if depth == 0 else [grow(depth - 1) for _ in range(4)]

    return search(literal(grow(6)), cut_on_equal=False)


@pytest.mark.parametrize("make", [wide_ties, lambda: search(literal([5, [[5]] * 101]), cut_on_equal=False)])
def test_python_and_files_say_the_same_of_every_value(make):
    tree = make()
    names = [tree[row].bound for row in range(len(tree))]
    assert names == [BOUND_NAMES[bound] for bound in tree.bound]
    assert [row["bound"] for row in csv.DictReader(io.StringIO(to_csv(tree)))] == names
    assert [node["bound"] for node in json.loads(to_json(tree))["nodes"]] == names
    signs = dict(zip(BOUND_NAMES, "=≥≤?", strict=True))
    text = to_text(tree, View(stubs=False))
    assert [line.split("]")[1].split()[0] for line in text.splitlines() if "depth" in line] == [signs[name] for name in names]


def test_interpreted_and_compiled_bounds_agree(monkeypatch):
    tree = wide_ties()
    assert len(tree) > max(bounds.MAX_INTERPRETED_ROWS.values())
    compiled = bounds.compute_bounds(tree.columns)
    monkeypatch.setattr(bounds, "MAX_INTERPRETED_ROWS", dict.fromkeys((False, True), len(tree)))
    assert (bounds.compute_bounds(tree.columns) == compiled).all()


def test_a_tree_without_cutoffs_mentions_none():
    tree = search(literal([5, [[5]] * 101]), cut_on_equal=False)
    assert tree.cutoffs == 0
    assert {tree[row].bound for row in range(len(tree))} == {"exact"}
    assert not any("cutoff" in sentence(step) for step in Trace(tree))


# ---- best moves


@pytest.mark.parametrize("data", UNPROVED)
def test_an_unproved_value_makes_no_best_move(data):
    tree = search(literal(data))
    inner = tree[3]  # MAX, with a first child of which only "at most" is known
    assert inner.children[0].value == inner.value
    assert inner.children[0].bound == "upper"
    assert inner.best_move == (1 if data == UNPROVED[1] else -1)
    assert inner.best_move_name == ("1" if data == UNPROVED[1] else "")
    assert "best for MAX is move 0" not in sentence(Trace(tree)[15])
    assert principal_rows(tree, 3) == ([3, 6] if data == UNPROVED[1] else [3])


@given(TIES, st.booleans(), st.booleans())
@examples(150)
def test_the_best_move_is_proved_and_the_best_line_is_best(data, cut_on_equal, max_first):
    tree = search(literal(data, first="max" if max_first else "min"), cut_on_equal=cut_on_equal)
    truth = true_values(tree)
    for row in range(len(tree)):
        node, best = tree[row], tree[row].best_child
        if best is not None:
            assert best.value == node.value
            assert truth[best] >= node.value if node.maximizing else truth[best] <= node.value
        if node.bound == "exact" and not node.is_leaf:
            assert best is not None
            assert truth[best] == truth[row]
    line = tree.principal_nodes
    assert line[-1].is_leaf
    assert {truth[node] for node in line} == {tree.root.value}
    plain = search(literal(data, first="max" if max_first else "min"), algorithm="minimax")
    assert tree.principal_variation == plain.principal_variation


def test_best_moves_of_presets_are_proved():
    for depth in (4, 5):
        tree = search(preset("k-tables"), "3", depth)
        for row in range(len(tree)):
            node, best = tree[row], tree[row].best_child
            if node.is_leaf or best is None or node.bound == "exact":
                continue
            truth = minimax_value(tree.game, best.state, depth - best.depth)
            assert truth >= node.value if node.maximizing else truth <= node.value


# ---- sentences


def plies_left(node):
    K = node.tree.passes[node.tree.pass_number(node)].K
    return (500 if K is None else K) - node.depth


def is_probe(node):
    """Return True if a call has a narrower window than its parent had at that time."""
    trace = Trace(node.tree)
    before = trace[trace.enter(node) - 1]
    return (before.alpha, before.beta) != (node.alpha, node.beta) and node.probe is None


def best_value_above(node, side, truth):
    """Return the best true value for a side (1 MAX, -1 MIN) among moves tried earlier on the path to the node."""
    return max(
        (
            side * truth[child]
            for above, below in zip(node.path, node.path[1:], strict=False)
            if above.maximizing == (side == 1)
            for child in above.children
            if child < below and child.move != below.move
        ),
        default=-np.inf,
    )


def has_phrase(step, phrase):
    """Return True if the sentence of a step has the phrase. It must be in a template, otherwise its check would never run."""
    assert phrase in ALL_TEMPLATES
    return phrase in sentence(step)


def check_sentence(step, truth):
    """Check every claim of a step's sentence, by its template."""
    node, tree = step.node, step.node.tree
    key, filled = sentence_rule(step).name, slot_texts(step)
    sign = 1 if node.maximizing else -1
    claimed = {"enter.alpha": (1,), "enter.beta": (-1,), "enter.both": (1, -1)}.get(key, ())
    for side in claimed:
        assert best_value_above(node, side, truth) >= side * (step.alpha if side == 1 else step.beta)
    if has_phrase(step, "Neither side is sure of anything"):
        assert best_value_above(node, 1, truth) == best_value_above(node, -1, truth) == -np.inf
    if key in ("enter.full", "enter.root", "enter.guessed"):
        root = node.path[0]
        assert (step.alpha, step.beta) == (root.alpha, root.beta)
        assert (key == "enter.guessed") == (min(-step.alpha, step.beta) < np.inf)
    if key == "enter.below":
        assert any(is_probe(row) for row in node.path[1:-1])
    if has_phrase(step, " with the null window "):
        assert is_probe(node)
    if has_phrase(step, "null window "):
        assert node.beta == adjacent_value(tree.game, node.alpha, up=True) or node.alpha == adjacent_value(
            tree.game, node.beta, up=False
        )
    if has_phrase(step, "that it recommends is tried first"):
        assert node.link.state == node.state
        assert node.children
    if step.kind == "table":
        assert does_bound_hold(step.bound, step.value, truth[node])
        assert node.link.state == node.state
        assert sentence(step).count(f"node {int(node.link):,}. ") == 1
        assert key == {"exact": "table.exact", "lower": "table.lower", "upper": "table.upper"}[step.bound]
        if step.bound != "exact":
            assert node.value >= node.beta if step.bound == "lower" else node.value <= node.alpha
        assert has_phrase(step, "to the same depth") == (extra_plies(node) == 0)
        if has_phrase(step, "That reaches beta, "):
            assert node.value >= node.beta
        if has_phrase(step, "That does not exceed alpha, "):
            assert node.value <= node.alpha
        assert plies_left(node.link) >= plies_left(node)
    if step.kind == "return":
        assert step.bound == "open" or does_bound_hold(step.bound, step.value, truth[step.child])
        earlier = [child for child in node.children if child < step.child and child.move != step.child.move]
        if key == "return.repeated.inside":
            assert step.alpha < step.value < step.beta
            assert (step.again.alpha, step.again.beta) == (step.alpha, step.beta)
            assert step.alpha < step.child.alpha or step.child.beta < step.beta
        if key in ("return.repeated", "return.repeated.inside"):
            assert step.again.move == step.child.move
            assert (step.improves, step.narrows) == (False, "")
        if has_phrase(step, "the value MAX is sure of, to"):
            assert truth[step.child] >= step.alpha == step.value
        if has_phrase(step, "the value MIN is sure of, to"):
            assert truth[step.child] <= step.beta == step.value
        if has_phrase(step, "is already sure of ") and has_phrase(step, " elsewhere, so "):
            assert best_value_above(node, sign, truth) >= sign * (step.alpha if node.maximizing else step.beta)
        if has_phrase(step, "worse for"):
            assert sign * truth[step.child] < sign * step.best
        if has_phrase(step, "the first value for"):
            assert not earlier
        if key == "return.may improve":
            assert step.bound == ("upper" if node.maximizing else "lower")
            assert all(sign * child.value < sign * step.value for child in earlier)
        if key == "return.tie":
            assert any(truth[child] == truth[step.child] == step.best for child in earlier)
        if key == "return.proved":
            assert sign * truth[step.child] >= sign * step.best
        if key in ("return.bound", "return.same"):
            assert sign * step.value <= sign * step.best
            assert sign * truth[step.child] <= sign * step.best
        if key == "return.improves":
            assert sign * truth[step.child] > max((sign * truth[child] for child in earlier), default=-np.inf)
            assert filled["value"] != filled["before"]
    if step.kind == "cutoff" and step.cause is not None:
        cause = step.cause
        assert truth[cause.child] >= cause.bound if cause.ancestor.maximizing else truth[cause.child] <= cause.bound
        assert sign * truth[node] >= sign * step.value
        plies = re.search(r" (\d+) moves? earlier ", sentence(step))
        assert " at the root " in sentence(step) if plies is None else node.path[-1 - int(plies[1])] == cause.ancestor
        assert (plies is None) == (cause.ancestor.depth == 0)
    if key in ("cutoff.probe", "cutoff.below"):
        end = cutoff_bound(node)
        assert step.probe in (node.path if key == "cutoff.below" else [node])
        assert cutoff_bound(node) == (step.probe.beta if node.maximizing else step.probe.alpha)
        assert sign * truth[node] >= sign * step.value >= sign * end
        assert (step.probe.value >= step.probe.beta) == (truth[step.probe] >= step.probe.beta)  # in spite of the skipped moves
    if has_phrase(step, "This answers the probe"):
        assert Trace(tree)[step.number + 1].child == step.probe
    if step.kind in ("leave", "driver"):
        assert step.bound == "open" or does_bound_hold(step.bound, node.value, truth[node])
        if key == "driver.met":
            assert truth[node.best_child] == truth[node] == node.value
        if key.startswith("driver.met"):
            assert truth[node] == node.value
        if has_phrase(step, " fails low"):
            assert node.value <= node.alpha == step.alpha
            assert truth[node] <= node.value
        if has_phrase(step, " fails high"):
            assert node.value >= node.beta == step.beta
            assert truth[node] >= node.value
        if has_phrase(step, "alpha becomes −∞"):
            assert tree.passes[tree.pass_number(node) + 1].window == (-np.inf, node.beta)
        if has_phrase(step, "beta becomes ∞"):
            assert tree.passes[tree.pass_number(node) + 1].window == (node.alpha, np.inf)
        if has_phrase(step, "so the value is exactly"):
            assert truth[node] == node.value
        if has_phrase(step, "this node is worth") or has_phrase(step, "the root is worth"):
            words = {"lower": "worth at least", "upper": "worth at most", "exact": "worth"}[node.bound]
            assert f"{words} {filled['value']}" in sentence(step)
        if has_phrase(step, "value is not known yet"):
            assert node.bound != "exact"
        if key in ("leave.exact", "leave.root", "driver.done"):
            assert truth[node.best_child] == truth[node] == node.value
        if key in ("leave.bound", "driver.bound"):
            assert sign * truth[node.best_child] >= sign * node.value
        if key == "leave.hope":
            assert sign * truth[node] <= sign * node.value
        if has_phrase(step, "cutoffs further down"):
            answered = has_phrase(step, "bounds in the table") and (tree.status[node.subtree] == TABLE).any()
            assert answered or tree.pruned[node.subtree].any()
    return key


@given(TIES, st.booleans(), st.booleans())
@examples(200)
def test_sentences_of_random_trees_are_true(data, cut_on_equal, max_first):
    tree = search(literal(data, first="max" if max_first else "min"), cut_on_equal=cut_on_equal)
    truth = true_values(tree)
    for step in Trace(tree):
        check_sentence(step, truth)


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
@given(TIES | literal_trees, st.booleans())
@examples(60)
def test_sentences_about_probes_passes_and_tables_are_true(toy, data, max_first):
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ALGORITHMS, toy.name, toy)
        tree = search(literal(data, first="max" if max_first else "min"), algorithm=toy.name)
        truth = true_values(tree)
        for step in Trace(tree):
            check_sentence(step, truth)


@pytest.mark.parametrize("rung", list(ALGORITHMS)[2:])
@given(TIES | literal_trees, st.booleans(), st.integers(-2, 3), st.booleans(), st.sampled_from(["game", "killer", "best"]))
@examples(60)
def test_sentences_of_every_rung_are_true(rung, data, max_first, guess, cut_on_equal, order):
    known = {option.name for option in ALGORITHMS[rung].options}
    wanted = {"guess": guess, "cut_on_equal": cut_on_equal, "order": order, "width": abs(guess)}
    given = {name: value for name, value in wanted.items() if name in known}
    tree = search(literal(data, first="max" if max_first else "min"), algorithm=rung, **given)
    truth = true_values(tree)
    for step in Trace(tree):
        check_sentence(step, truth)


@pytest.mark.parametrize("rung", [name for name, facts in list(ALGORITHMS.items())[2:] if not facts.chance_columns])
def test_sentences_of_every_rung_are_true_where_positions_come_again(rung):
    keys = Counter()
    for game, position, depth in ((tictactoe(), "4081", 4), (Countdown(), None, 4), (preset("connect-m"), "12", 3)):
        tree = search(game, position, depth, rung, **({"order": "killer"} if game == tictactoe() else {}))
        truth = true_values(tree)
        keys.update(check_sentence(step, truth) for step in Trace(tree))
    assert rung in ("aspiration", "pvs") or keys["table.exact"] > 0


def test_a_window_that_fails_with_the_value_does_not_hide_it():
    """The record proves the value of the root, but the search goes on: it only sees that the window failed."""
    tree = search(literal([[-4]]), algorithm="aspiration", guess=0, width=2)
    sentences = [sentence(step) for step in Trace(tree)]
    assert sentences[7].endswith("this node is worth −4.")
    assert sentences[8] == (
        "Pass 1 fails low: the root is worth −4, which is not above alpha, −2. "
        "The search cannot tell this from a bound, so alpha becomes −∞ and the root is searched again."
    )
    tree = search(literal([[-4]]), algorithm="mtdf")
    assert "the root is worth −4. The new upper bound is −4." in sentence(Trace(tree)[8])


def test_a_probe_is_answered_by_its_own_value_alone():
    """A cutoff inside a probe does not decide the probe: in connect4 many such probes end the other way."""
    tree = search(literal([0, [[2, 3], 0]]), algorithm="pvs")
    assert sentence(Trace(tree)[9]) == (
        "MAX can already get 2 here. That reaches 1, the end of the window of a probe further up. "
        "Anything beyond it does not matter, so there is a cutoff: move 1 is skipped."
    )
    tree = search(connect(), depth=4, algorithm="pvs")
    truth = true_values(tree)
    keys = Counter(check_sentence(step, truth) for step in Trace(tree) if step.kind == "cutoff")
    assert (keys["cutoff.below"], keys["cutoff.probe"]) == (107, 0)


@pytest.mark.parametrize(("name", "moves", "depth", "options"), SEARCHES[:4])
def test_sentences_of_presets_are_true(name, moves, depth, options):
    tree = search(preset(name), moves, min(depth, 4), **options)
    truth = true_values(tree)
    keys = Counter(check_sentence(step, truth) for step in Trace(tree))
    assert min(keys["cutoff.better"], keys["leave.exact"]) > 0


@pytest.mark.parametrize(("moves", "depth"), [("214111430", 4), ("3404101", 5)])
def test_the_start_of_a_min_node_as_typed_is_blamed_only_where_it_decides(moves, depth):
    tree = search(preset("full-depth"), moves, depth, as_published=True)
    whole = search(preset("full-depth"), moves, depth, "minimax", as_published=True)
    truth = whole.value[Alignment(whole, tree).row]
    keys = Counter()
    for step in Trace(tree):
        key = sentence_rule(step).name
        keys[key] += 1
        if key == "leave.as typed":
            assert not step.node.maximizing
            assert step.value == 0
            assert all(truth[child] >= 0 for child in step.node.children)
        if key == "leave.hope":
            assert truth[step.node] <= step.value if step.node.maximizing else truth[step.node] >= step.value
    assert keys["leave.hope"]


def test_a_proved_move_replaces_an_unproved_one():
    assert sentence(Trace(search(literal(UNPROVED[1])))[14]) == (
        "Move 1 returns 1. Until now 1 was only the best that MAX could hope for; this move guarantees it. "
        "The number stays the same."
    )


@pytest.mark.parametrize("name", ["full-depth", "k-tables", "threats"])
def test_every_step_of_a_program_as_published_has_a_sentence(name):
    for moves, depth in (("0011", 5), ("00001111", 6), ("", 4)):
        tree = search(preset(name), moves, depth, as_published=True)
        trace = Trace(tree)
        for step in range(0, len(trace), max(1, len(trace) // 400)):
            assert "{" not in sentence(trace[step])


# ---- numbers


def test_numbers_that_differ_look_different():
    tree = search(literal([1.0, 1.0000001]))
    sentences = [sentence(step) for step in Trace(tree)]
    assert sentences[5] == "This is a leaf of the tree: its value is 1.0000001."
    assert sentences[6].startswith("Move 1 returns 1.0000001. That is better for MAX than 1, so the value here is now 1.0000001.")
    assert sentences[7] == "The search is done: the root is worth 1.0000001, and the best move for MAX is move 1."


def parse_number(text):
    """Return the number of a text. Numbers adjacent to infinity or to another number are written in words."""
    text = re.sub("^just (above|below) ", "", text)
    greatest = sys.float_info.max
    return {"∞−1": greatest, "−∞+1": -greatest}.get(text) or float(text.replace("−", "-").replace("∞", "inf"))


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=5))
@example([sys.float_info.max, float("inf"), -sys.float_info.max])
def test_different_numbers_have_different_texts(values):
    written = distinct_formatter(*values)
    assert len({written(value) for value in values}) == len(set(values))
    assert all(parse_number(written(value)) == pytest.approx(value, rel=1e-5) for value in values)


def test_six_digits_are_used_if_they_suffice():
    assert distinct_formatter(0.5, 1 / 3)(1 / 3) == format_number(1 / 3) == "0.333333"


# ---- the minimal tree


class Turns:
    """A game with two moves everywhere and a given side at each depth. All values are equal, as in a well-ordered tree."""

    def __init__(self, turns):
        self.turns = turns

    def start(self):
        return ()

    def moves(self, state):
        return [0, 1]

    def play(self, state, move):
        return (*state, move)

    def is_over(self, state):
        return len(state) == len(self.turns)

    def maximizing(self, state):
        return self.turns[len(state) % len(self.turns)] == "x"

    def evaluate(self, state):
        return 0


def test_the_formula_is_for_sides_that_take_turns():
    for turns, uniform in (("xxx", False), ("xnnxnn", False), ("xnx", True), ("nxnx", True)):
        tree = search(Turns(turns), algorithm="minimax")
        assert (uniform_branching(tree) is not None) == uniform
        (level,) = compare(Turns(turns), depths=[len(turns)], repeat=1).levels
        assert (level.knuth_moore is not None) == uniform
        assert not uniform or level.knuth_moore == best_first_size(tree)


# ---- games of users


class Takeaway:
    """Take 1 or 2 from a number. Taking the last loses. Moves are words."""

    def __init__(self, number=4):
        self.number = number

    def start(self):
        return (self.number, True)

    def moves(self, state):
        return ["one", "two"][: state[0]]

    def play(self, state, move):
        return (state[0] - (1 if move == "one" else 2), not state[1])

    def is_over(self, state):
        return state[0] == 0

    def maximizing(self, state):
        return state[1]

    def evaluate(self, state):
        return 0 if state[0] else 1 if state[1] else -1


def explain_takeaway(number, player):
    choice = Match(Takeaway(number), max_player=player, first=None).choose()
    return choice.reason, " ".join(explain_choice(choice))


def test_the_reason_of_a_losing_computer():
    """1: every move loses at once. 4: lost, and taking one lasts longest. 3: won by taking two."""
    player = SearchPlayer(6, prefer_faster_win=True)
    reason, explanation = explain_takeaway(1, player)
    assert reason == "lost"
    assert explanation.startswith("Every move loses at once, so the ordinary search decides. It searched 6 moves ahead")
    reason, explanation = explain_takeaway(4, player)
    assert reason == "loss"
    assert "deepest search that does not see the loss yet" in explanation
    reason, explanation = explain_takeaway(3, player)
    assert reason == "win"
    assert "plyscope search" not in explanation  # the game has no text, so no command runs it


def ends_of(game, state):
    """Return for each move the winner (1 MAX, -1 MIN, 0 a draw) and the number of plies until then with best play."""

    @cache
    def end(state):
        if game.is_over(state):
            return np.sign(game.evaluate(state)), 0
        sign = 1 if game.maximizing(state) else -1
        found = [end(game.play(state, move)) for move in game.moves(state)]
        best = max(sign * winner for winner, _ in found)
        plies = [plies + 1 for winner, plies in found if sign * winner == best]
        return sign * best, min(plies) if best > 0 else max(plies)

    return {move: end(game.play(state, move)) for move in game.moves(state)}


@given(st.permutations(range(9)), st.integers(3, 7), st.integers(1, 5), st.integers(0, 3), st.sampled_from(["alphabeta", "pvs"]))
@examples(60)
def test_the_reason_for_a_preferred_win_is_true(squares, played, depth, quiescence, algorithm):
    """The reason holds when the game is played out: the win is the fastest, the loss the slowest."""
    game, state, moves = tictactoe(), tictactoe().start(), ""
    for square in squares[:played]:
        if not game.is_over(state):
            state, moves = game.play(state, square), f"{moves}{square}"
    if game.is_over(state):
        return
    player = SearchPlayer(depth, algorithm, prefer_faster_win=True, quiescence=quiescence)
    choice = Match.read(game, moves, max_player=player, min_player=player).choose()
    sign, ends = 1 if game.maximizing(state) else -1, ends_of(game, state)
    won, plies = ends[choice.move]
    if choice.reason == "win":
        assert won == sign
        assert plies == min(plies for winner, plies in ends.values() if winner == sign)
    if choice.reason in ("loss", "lost"):
        assert {winner for winner, _ in ends.values()} == {-sign}
        assert plies == max(plies for _, plies in ends.values())
        assert choice.reason == "loss" or plies == 0


def test_a_move_may_be_called_minus_one():
    class Signs(Takeaway):
        def moves(self, state):
            return [-1, -2][: state[0]]

        def play(self, state, move):
            return (state[0] + move, not state[1])

    tree = search(Signs(2), depth=2)
    assert (tree.root.best_move, tree.root.best_move_name) == (-1, "-1")
    assert "best move -1;" in summarize_result(tree)
    assert json.loads(to_json(tree))["result"]["best_move"] == -1
    (row, _) = compare(Signs(2), depths=[2], repeat=1).rows
    assert (row.best_move, row.best_move_name) == (-1, "-1")
    leaf = search(Signs(2), (0, True))
    assert leaf.root.best_child is None
    assert "best move" not in summarize_result(leaf)
    assert json.loads(to_json(leaf))["result"]["best_move"] is None


def test_a_numeric_state_is_not_a_long_position():
    class Down(Takeaway):
        def start(self):
            return 4

        def moves(self, state):
            return [1, 2][:state]

        def play(self, state, move):
            return state - move

        def is_over(self, state):
            return state == 0

        def maximizing(self, state):
            return state % 2 == 0

        def evaluate(self, state):
            return state

    tree = search(Down(), 3)
    assert tree.question.position_text is None
    assert "long" not in search_title(tree)
    assert search(preset("long-state"), -4496562564508441720, 1).question.position_text == "long:-4496562564508441720"


@pytest.mark.parametrize("value", [2**53 + 1, -(2**60) - 1, Fraction(1, 3), Decimal("0.1")])
def test_values_that_do_not_fit_a_float_have_a_note(value):
    class Big(Takeaway):
        def evaluate(self, state):
            return value

    assert list_tree_notes(search(Big(), depth=2)) == [ROUNDED_NOTE]
    comparison = compare(Big(), depths=[1], repeat=1)
    assert any(getattr(block, "text", "") == ROUNDED_NOTE for block in build_report(comparison))


@pytest.mark.parametrize("value", [2**53, 0.1, Fraction(1, 4), Decimal("0.5"), np.float32(0.1), np.int64(7), True])
def test_values_that_fit_a_float_have_no_note(value):
    class Fitting(Takeaway):
        def evaluate(self, state):
            return value

    assert list_tree_notes(search(Fitting(), depth=2)) == []


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_of_moves_is_refused(kind):
    class Unordered(Takeaway):
        def moves(self, state):
            return kind(super().moves(state))

    with pytest.raises(BadGame, match=r"moves\(\) returned a set in state \(4, True\).*return a list"):
        search(Unordered())


class Board(list):
    """A board inside a state."""


class Squares:
    """A game of three squares. A state is a new object each time; all states have the same board if `shared`."""

    def __init__(self, shared):
        self.shared = shared

    def start(self):
        return (Board("..."), True)

    def moves(self, state):
        return [square for square in range(3) if state[0][square] == "."]

    def play(self, state, move):
        board = state[0] if self.shared else Board(state[0])
        board[move] = "x" if state[1] else "o"
        return (board, not state[1])

    def is_over(self, state):
        return "." not in state[0]

    def maximizing(self, state):
        return state[1]

    def evaluate(self, state):
        return state[0].count("x") - state[0].count("o")


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_a_board_shared_by_two_states_is_noticed(algorithm):
    assert search(Squares(shared=False), algorithm=algorithm).root.value == 1
    with pytest.raises(
        BadGame, match=r"moves\(\) returned \[2\], but \[\] after the first of them was tried: play\(\) must not change"
    ):
        search(Squares(shared=True), algorithm=algorithm)


def test_moves_that_cannot_be_compared_are_accepted():
    class Move:
        def __init__(self, taken):
            self.taken = taken

    class Objects(Takeaway):
        def moves(self, state):
            return [Move(taken) for taken in (1, 2) if taken <= state[0]]

        def play(self, state, move):
            return (state[0] - move.taken, not state[1])

    assert search(Objects()).root.value == search(Takeaway()).root.value


def test_a_skipped_move_has_the_side_that_the_game_says():
    """Countdown lets one side move twice: the stub of a skipped move shows the side that would really be to move."""
    tree = search(Countdown(), depth=5)
    part, graph = select_items(tree), to_networkx(tree)
    stubs = np.flatnonzero(part.kind == STUB)
    sides = []
    for item in stubs.tolist():
        parent = tree[int(part.row[part.parent[item]])]
        move = move_from_code(tree.game, parent.state, int(part.move[item]))
        side = tree.game.maximizing(tree.game.play(parent.state, move))
        sides.append(side == parent.maximizing)
        assert graph.nodes[f"s{item}"]["side"] == ("max" if side else "min")
    assert set(sides) == {True, False}


def test_json_has_notes_only_where_there_is_something_to_note():
    assert "notes" not in search_summary(search(literal(UNPROVED[0])))
    assert search_summary(search(literal([2**53 + 1, 2])))["notes"] == [ROUNDED_NOTE]


def test_a_move_that_is_listed_twice_is_two_moves():
    class Doubled:
        def start(self):
            return ()

        def moves(self, state):
            return [7, 7]

        def play(self, state, move):
            return (*state, move)

        def is_over(self, state):
            return len(state) == 3

        def maximizing(self, state):
            return len(state) % 2 == 0

        def evaluate(self, state):
            return 1

    tree = search(Doubled(), depth=3)
    cut = [tree[row] for row in range(len(tree)) if tree[row].pruned]
    assert cut
    assert all(node.skipped_moves == [1] and node.skipped == 1 for node in cut)
    assert {tree[row].move_name for row in range(1, len(tree))} == {"7"}
    sentences = [sentence(step) for step in Trace(tree) if step.kind == "cutoff"]
    assert all(words.endswith("move 7 is skipped.") for words in sentences)


def test_sentence_is_public():
    tree = search(literal([[3, 12], [2, 4]]))
    assert visualizer.sentence(Trace(tree)[0]) == sentence(Trace(tree)[0])
