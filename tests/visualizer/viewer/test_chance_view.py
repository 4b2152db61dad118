"""Chance in the browser: sentences, lines of code and numbers as in Python. Every sentence about a cutoff is true."""

import operator
import re
from fractions import Fraction

import pytest

from engine import chance, literal, search
from engine.games.pig import pig
from tests.support.chance_trees import exact_value, random_chance_tree, subtree_at
from tests.visualizer.viewer.test_tree_delivery import decode
from tests.visualizer.viewer.test_viewer_logic import ask_browser, needs_node, row_answer, step_answer
from visualizer.narration.pseudocode import find_code_line, tree_pseudocode
from visualizer.narration.sentences import sentence
from visualizer.viewer import payload
from visualizer.viewer.board_picker import drawable_tree
from visualizer.viewer.payload import build_payload

NUMBER = r"-?[0-9.e-]*[0-9]"
COMPARISONS = {"above": operator.gt, "below": operator.lt, "no less than": operator.ge, "no more than": operator.le}
CHANCE_ALGORITHMS = ("expectiminimax", "star1", "star2")


def search_with_chance(algorithm):
    """A tree with all that chance can do: outcomes that are probed, settled, cut, and left at the horizon's end."""
    outcomes = (("1/2", [4, [9, 1]]), ("1/3", [3, 8]), ("1/6", chance((0.25, 1), (0.75, [0, 7]))))
    return search(literal([5, chance(*outcomes), [6, chance(*outcomes[::-1])]], value_range=(-1, 10)), algorithm=algorithm)


@needs_node
def test_the_browser_says_the_same_where_chance_moves(tmp_path):
    trees = [search_with_chance(name) for name in CHANCE_ALGORITHMS]
    trees += [search(literal(*random_chance_tree(seed)), algorithm=name) for seed in range(8) for name in CHANCE_ALGORITHMS]
    trees += [search(literal(*random_chance_tree(8)), algorithm=name, max_nodes=12) for name in CHANCE_ALGORITHMS]
    for tree, (numbers, rows, answer) in zip(trees, ask_browser(trees, tmp_path, 300), strict=True):
        trace = tree.timeline
        for row, browser_row in zip(rows, answer["rows"], strict=True):
            assert browser_row == row_answer(trace, tree[row])
        for number, browser_step in zip(numbers, answer["steps"], strict=True):
            expected = step_answer(trace, trace[number])
            assert {name: browser_step[name] for name in expected} == expected


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_sentences_about_cutoffs_at_chance_nodes_are_true(algorithm):
    """The numbers in the sentence are proved by brute force: the expectation really is at most, or at least, what it says."""
    cutoffs = 0
    for seed in range(80):
        written, first = random_chance_tree(seed)
        tree = search(literal(written, first), algorithm=algorithm)
        for step in tree.timeline:
            if step.kind != "cutoff" or step.node.turn != "chance":
                continue
            cutoffs += 1
            text = sentence(step).replace("−", "-")
            truth = float(exact_value(*subtree_at(written, first == "max", step.node.moves)))
            way, added, number = re.search(rf"at (least|most) (?:({NUMBER} \+ [^=]*) = )?({NUMBER}),", text).groups()
            assert truth >= float(number) - 1e-3 if way == "least" else truth <= float(number) + 1e-3
            comparison, bound = re.search(rf"(above|below|no less than|no more than) [αβ] = ({NUMBER}),", text).groups()
            assert COMPARISONS[comparison](float(number), float(bound))
            if added:
                total, rest, extreme = re.fullmatch(rf"({NUMBER}) \+ ([0-9/.]+) · ({NUMBER})", added).groups()
                assert float(total) + float(Fraction(rest)) * float(extreme) == pytest.approx(float(number), abs=1e-4)
            if remaining := re.search(r"remaining ([0-9/.]+) brought (?:only )?(-?[0-9.]+),", text):
                here, _ = subtree_at(written, first == "max", step.node.moves)
                called = {child.move for child in step.node.children}
                left = 1 - sum(Fraction(here.probabilities[move]) for move in called)
                assert float(Fraction(remaining[1])) == pytest.approx(float(left), abs=1e-9)
                low, high = tree.game.value_range
                assert float(remaining[2]) == (low if way == "least" else high)
            names = [str(move) for move in step.skipped_moves]
            only_probed = all(child.status == "probe" for child in step.node.children)
            assert only_probed or all(name in text.rpartition("so ")[2] for name in names)
    assert cutoffs > 10


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_the_running_expectation_is_true(algorithm):
    """After each outcome the sum is that of the outcomes so far, and the expectation lies between the numbers in the sentence."""
    intervals = 0
    for seed in range(60):
        written, first = random_chance_tree(seed)
        tree = search(literal(written, first), algorithm=algorithm)
        for step in tree.timeline:
            text = sentence(step).replace("−", "-") if step.kind == "return" and step.node.turn == "chance" else ""
            here, is_max = subtree_at(written, first == "max", step.node.moves)
            if found := re.search(r"from (\d+) of (\d+) outcomes", text):
                returned = {child.move for child in step.node.children if tree.timeline.leave(child) < step.number}
                assert int(found[1]) <= len(returned) < int(found[2]) == len(here.probabilities) or algorithm == "star2"
            if found := re.search(rf"between ({NUMBER}) and ({NUMBER})\.", text):
                intervals += 1
                assert float(found[1]) - 1e-4 <= exact_value(here, is_max) <= float(found[2]) + 1e-4
    assert intervals > 30


@needs_node
def test_a_sum_of_outcomes_is_not_called_a_bound(tmp_path):
    """The expectation is −2.5, although the first outcome alone gives 2."""
    tree = search(literal([chance((0.5, 4), (0.5, -9)), -3]), algorithm="expectiminimax")
    ((_, _, answer),) = ask_browser([tree], tmp_path, 300)
    below_chance = [step["path"] for step in answer["steps"] if len(step["path"]) == 3]
    assert {path[1]["known"] for path in below_chance} == {"", "sum 2 (1 of 2)"}


@needs_node
def test_predictions_at_chance_nodes_are_about_the_expectation(tmp_path):
    """The answers are what happens next, and their reasons are true."""
    trees = [search(literal(*random_chance_tree(seed)), algorithm=name) for seed in range(12) for name in CHANCE_ALGORITHMS]
    asked = set()
    for tree, (numbers, _, answer) in zip(trees, ask_browser(trees, tmp_path, 300), strict=True):
        trace = tree.timeline
        for number, question in zip(numbers, (step["question"] for step in answer["steps"]), strict=True):
            outcome = trace[question["outcome"]] if question else trace[number]
            asked_about = trace[number].node if question and question["kind"] == "cutoffs" else outcome.node
            if not question or asked_about.turn != "chance":
                continue
            asked.add(question["kind"])
            reason = question["reason"].replace("−", "-")
            if question["kind"] == "cutoffs":
                assert question["answer"] == (0 if outcome.kind == "cutoff" else 1)
                low, high = trace.expectation_at(trace[number].node, number).bounds
                is_open = low < trace[number].node.beta and high > trace[number].node.alpha
                assert reason.startswith(
                    "The expectation is between" if is_open else ("Even if", "The bounds that are known now")
                )
            else:
                value = float(question["choices"][question["answer"]].replace("−", "-"))
                assert value == pytest.approx(outcome.node.value, abs=0.01)
                terms = [term.split(" · ") for term in reason.rstrip(".").split(" = ")[0].split(" + ") if term]
                assert not terms or sum(float(Fraction(p)) * float(v) for p, v in terms) == pytest.approx(value, abs=0.02)
    assert asked == {"cutoffs", "values"}


def test_star1_shows_the_arithmetic_of_every_cutoff():
    """Star2, too, where only probes were made and the outcomes that are left count with the end of the range."""
    worked = literal([5, chance(("1/2", [4, 9]), ("1/3", [3, 8]), ("1/6", [-2, 7]))])
    trees = [search(literal(*random_chance_tree(seed)), algorithm="star1") for seed in range(60)]
    trees += [search(worked, algorithm=name) for name in ("star1", "star2")]
    texts = [sentence(step) for tree in trees for step in tree.timeline if step.kind == "cutoff" and step.node.turn == "chance"]
    assert len(texts) > 10
    assert all(" · " in text for text in texts)
    assert texts[-1] == (
        "Even if the remaining 1/6 brought 9, the expectation would be at most 3 + 1/6 · 9 = 4.5, below α = 5, "
        "so no outcome is searched in full."
    )


def test_the_code_does_not_add_the_outcome_that_decides():
    """`if score ≤ A: return …` comes before `sum ← sum + p · score`."""
    tree = search(literal([5, chance(("1/2", [4, 9]), ("1/3", [3, 8]), ("1/6", [-2, 7]))]), algorithm="star1")
    returns = [step for step in tree.timeline if step.kind == "return" and step.node.turn == "chance"]
    lines = [tree_pseudocode(tree)[find_code_line(step)].words.strip() for step in returns]
    assert lines == ["sum ← sum + p · score", "score ← search(outcome, plies − 1, A, B)"]


@pytest.mark.parametrize("first", ["max", "min"])
def test_a_board_to_play_on_draws_a_tree_with_chance(first):
    """The side at the root is right below chance nodes, too, where the sides do not take turns."""
    game = literal([chance(("1/2", [1, [2, 3]]), ("1/2", [4, 5])), 3])
    for made in ([], [0], [0, 0], [0, 0, 1], [0, 0, 1, 1], [1]):
        drawn = drawable_tree(game, game.state(made, first), made)
        assert drawn is not None
        assert (drawn["maxFirst"], drawn["path"]) == (first == "max", made)
        assert '"chance"' in drawn["text"]


def test_a_game_without_a_board_sends_the_text_of_each_state(monkeypatch):
    tree = search(pig(target=6, die=3), depth=4, algorithm="star1")
    states = decode(build_payload(tree))[1]["states"]
    assert states == [pig(target=6, die=3).show(tree[row].state) for row in range(len(tree))]
    assert "states" not in decode(build_payload(search_with_chance("star1")))[1]  # a tree of numbers is drawn as it is
    monkeypatch.setattr(payload, "MAX_STATE_TEXTS", len(tree) - 1)
    assert "states" not in decode(build_payload(tree))[1]
