"""The leaves that Star1 and Star2 save, and the claims about them."""

import json
from functools import cache
from itertools import product

import pytest

from engine import Question, chance, literal, search
from engine.analysis import ballard_experiment
from engine.analysis.ballard_experiment import LEAF_MODELS, NOTES, RegularTree, SavedLeaves, measure_saved_leaves
from engine.analysis.claims import CLAIMS, STAR2_EXAMPLE
from engine.games.registry import read_game
from tests.support.processes import run_command


@pytest.mark.parametrize("model", LEAF_MODELS)
def test_star2_evaluates_fewer_leaves_than_star1_on_average(model):
    star1, star2 = (saved for saved in measure_saved_leaves((4,), trees=30) if saved.leaf_model == model)
    assert (star1.algorithm, star2.algorithm) == ("star1", "star2")
    assert 0 < star1.mean < star2.mean < 1


@pytest.mark.parametrize("model", LEAF_MODELS)
@pytest.mark.parametrize("seed", range(4))
def test_the_trees_are_regular_and_their_value_is_found(model, seed):
    game = RegularTree(3, model, seed)
    whole = search(game, algorithm="expectiminimax")
    assert (whole.leaves, whole.expanded) == (81, 1 + 3 + 9 + 27 + 81)
    assert [whole[row].turn for row in range(4)] == ["max", "chance", "min", "chance"]
    assert game.value_range == (min(game.leaves), max(game.leaves))
    for algorithm in ("star1", "star2"):
        assert search(game, algorithm=algorithm).root.value == pytest.approx(whole.root.value, abs=1e-9)


def test_values_that_grow_along_the_path_are_sums():
    leaves = ballard_experiment.draw_leaves(3, "path", 1)
    inside = [max(leaves[at : at + 3]) - min(leaves[at : at + 3]) for at in range(0, 81, 3)]
    assert max(inside) < 1 < max(leaves) - min(leaves)


def test_the_deviation_compares_the_interval_with_the_published_range():
    def deviate(algorithm, share):
        return SavedLeaves(algorithm, "path", 7, (share - 0.001, share + 0.001) * 20).deviation

    assert [deviate("star1", share) for share in (0.1, 0.25, 0.27, 0.5)] == ["below", "partly within", "within", "above"]
    assert [deviate("star2", share) for share in (0.1, 0.7)] == ["below", "within"]


# ---- the counterexample


@cache
def tree_shapes(nodes):
    """All trees of so many nodes; a leaf is None, an inner node the kind of node and its children."""
    return [None] if nodes == 1 else [(kind, forest) for forest in forest_shapes(nodes - 1) for kind in ("side", "chance")]


@cache
def forest_shapes(nodes):
    if nodes == 0:
        return [()]
    return [(tree, *rest) for size in range(1, nodes + 1) for tree in tree_shapes(size) for rest in forest_shapes(nodes - size)]


def count_leaves(shape):
    return 1 if shape is None else sum(map(count_leaves, shape[1]))


def is_probed(shape):
    """Return True if Star2 may probe: an outcome of chance has several moves. Elsewhere it is Star1."""
    if shape is None:
        return False
    kind, children = shape
    several = [child for child in children if child is not None and child[0] == "side" and len(child[1]) > 1]
    return (kind == "chance" and bool(several)) or any(map(is_probed, children))


def fill_leaves(shape, values):
    if shape is None:
        return next(values)
    children = [fill_leaves(child, values) for child in shape[1]]
    return children if shape[0] == "side" else chance(*((f"1/{len(children)}", child) for child in children))


def test_the_counterexample_of_star2_is_the_smallest():
    claim = next(claim for claim in CLAIMS if claim.name == "star2-fewer")
    refuting = []
    for nodes in range(2, 8):
        for shape in tree_shapes(nodes):
            if shape[0] == "chance" or not is_probed(shape):
                continue
            for values in product(range(4), repeat=count_leaves(shape)):
                if sum(values) <= 3 and not claim.holds(Question(game := literal(fill_leaves(shape, iter(values))))):
                    refuting.append((nodes, sum(values), game.text))
    assert refuting == [(7, 3, STAR2_EXAMPLE)]


def test_the_note_names_the_counterexample():
    game = read_game(STAR2_EXAMPLE)
    assert [search(game, algorithm=name).leaves for name in ("star1", "star2")] == [2, 3]
    assert "[1, chance(1/2: 0, 1/2: [2, 0])]" in NOTES[1]


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_reproduce_ballard_shows_shares_beside_the_published_ones(words, monkeypatch):
    measured = [SavedLeaves("star1", "path", 7, (0.26, 0.27) * 20), SavedLeaves("star2", "independent", 7, (0.2, 0.3) * 20)]
    monkeypatch.setattr(ballard_experiment, "measure_saved_leaves", lambda on_progress: measured)
    done = run_command("reproduce", "ballard", *words)
    assert done.returncode == 0
    if not words:
        assert all(text in " ".join(done.stdout.split()) for text in ("26.5%", "25-30 %", "below", "set-up is not known to us"))
        return
    first, second = json.loads(done.stdout)
    assert (first["published"], first["deviation"], first["trees"]) == ("25-30 %", "within", 40)
    assert (second["measured"], second["deviation"], second["equal"]) == (pytest.approx(0.25), "below", None)
