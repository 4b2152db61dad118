"""Every sentence about an iteration is proved from a replay of our own."""

import re
from decimal import Decimal

import pytest

from engine import connect, literal, nim, search, tictactoe
from engine.algorithms import ITERATIVE_ALGORITHMS
from engine.games.registry import read_game
from visualizer import sentence
from visualizer.narration.iteration_sentences import iteration_code, node_phrase

NUMBER = r"(-?\d+(?:\.\d+)?)"
SUM = rf"{NUMBER} \+ {NUMBER} = {NUMBER}"
GAMES = {"connect": connect(rows=3, cols=4, connect=3), "nim": nim([2, 2]), "tree": literal([[3, 12, 8], [2, 4], 5])}
PIG, WITH_CHANCE = read_game("pig:target=6,die=3"), ("mcts", "puct")
every_search = pytest.mark.parametrize(
    "tree",
    [
        pytest.param(search(game, algorithm=algorithm, iterations=60, seed=5), id=f"{algorithm} {name}")
        for algorithm in ITERATIVE_ALGORITHMS
        for name, game in GAMES.items()
    ]
    + [
        pytest.param(search(PIG, algorithm=algorithm, iterations=60, seed=5), id=f"{algorithm} pig")
        for algorithm in ("mcts", "puct")
    ],
)


def assert_rounded(written, number):
    digits = len(written.partition(".")[2])
    assert abs(Decimal(written) - Decimal(number)) <= Decimal("0.5000001").scaleb(-digits)


def check_selection(step, words):
    if step.node.turn == "chance":
        assert words == f"Chance brings outcome {step.child.move_name} with probability 1/3."
        return
    sums = re.findall(SUM, words)
    for mean, bonus, together in sums if "hardly" not in words else ():
        assert Decimal(mean) + Decimal(bonus) == Decimal(together)
    known = {candidate.node: candidate for candidate in step.candidates}
    if sums:
        chosen = known[step.child]
        for written, number in zip(sums[0], (chosen.mean, chosen.bonus, chosen.sum), strict=True):
            assert_rounded(written, number)
    if "more than" in words:
        others = [one.sum for one in step.candidates if one.node != step.child and not one.proven]
        assert_rounded(sums[1][2], max(others))
        assert Decimal(sums[0][2]) > Decimal(sums[1][2]) or "hardly" in words
        assert known[step.child].sum > max(others)
    elif "as much as" in words:
        assert [one.sum for one in step.candidates if not one.proven].count(known[step.child].sum) > 1
    else:
        assert len([one for one in step.candidates if not one.proven]) == 1


def check_backup(step, words):
    counts = step.node.tree.replay
    now, _ = counts.count(step.node, step.iteration)
    before, _ = counts.count(step.node, step.iteration - 1)
    if "first visit" in words:
        assert (before, now) == (0, 1)
        assert_rounded(re.search(rf"is {NUMBER}\.$", words)[1], step.after.mean)
        return
    assert re.search(r"has (\d+) visits instead of (\d+)", words).groups() == (str(now), str(before))
    if "stays" in words:
        assert step.before.mean == pytest.approx(step.after.mean, abs=1e-12)
    else:
        old, new = re.search(rf"from {NUMBER} to {NUMBER}\.$", words).groups()
        assert (Decimal(old) < Decimal(new)) == (step.before.mean < step.after.mean)
        assert old != new
        assert_rounded(old, step.before.mean)
        assert_rounded(new, step.after.mean)


def check_expansion(step, words):
    game, state = step.node.tree.game, step.node.state
    is_chance = step.node.turn == "chance"
    choices = [outcome for outcome, _ in game.chances(state)] if is_chance else game.moves(state)
    assert step.untried == len(choices) - sum(child.born < step.iteration for child in step.node.children)
    if is_chance:
        assert words == f"Outcome {step.child.move_name}, which has probability 1/3, is drawn for the first time and added."
    else:
        assert str(step.untried) in words or step.untried == 1


@every_search
def test_sentences_say_what_the_replay_shows(tree):
    for step in tree.timeline:
        words = sentence(step)
        assert words.endswith(".")
        if step.kind == "select":
            check_selection(step, words)
        elif step.kind == "backup":
            check_backup(step, words)
        elif step.kind == "simulate":
            assert bool(re.search("random (move|pl)", words)) == (step.playout > 0)
            assert ("over here" in words) == (step.node.status == "terminal")
            if tree.log.outcome.dtype.kind == "u":
                winner = {"max": "MAX wins", "min": "MIN wins", "": "a draw"}
                last = tree.timeline.playout(step.iteration)[-1]
                value = tree.game.evaluate(last)
                assert winner["max" if value > 0 else "min" if value < 0 else ""] in words
        elif step.child is not None:
            check_expansion(step, words)


def test_the_sentence_of_a_selection_names_the_runner_up():
    timeline = search(connect(), algorithm="mcts", iterations=400, seed=7).timeline
    words = sentence(timeline[timeline.find(400)])
    assert re.fullmatch(rf"Column \d is chosen: {SUM}, more than column \d's {SUM}\.", words)


def test_an_evaluation_is_not_a_playout():
    timeline = search(tictactoe(), algorithm="mcts", iterations=3, playout="none").timeline
    assert sentence(timeline[timeline.find(2, "simulate")]) == "The evaluation counts 0.50 for MAX."


@pytest.mark.parametrize("algorithm", ["mcts", "puct"])
def test_the_code_names_chance_only_where_chance_moves(algorithm):
    counts = []
    for game in (tictactoe(), PIG):
        lines = iteration_code(search(game, algorithm=algorithm, iterations=3))
        counts.append(sum("chance" in line.words for line in lines))
    assert counts == [0, 1]


@every_search
def test_the_last_step_says_which_move_is_chosen_and_why(tree):
    words, best = sentence(tree.timeline[-1]), tree.root.best_child
    most = max(child.visits for child in tree.root.children)
    assert f" chooses {node_phrase(best)}: " in words
    assert (f"it has most visits, {best.visits} of {tree.iterations}." in words) == (best.visits == most)
    assert " chooses " not in sentence(tree.timeline[-2])
