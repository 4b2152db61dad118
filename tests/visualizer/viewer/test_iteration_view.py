"""The viewer of searches in iterations shows what the replay of the search shows, at every step."""

import json
import re
from math import log

import pytest

from engine import literal, search, tictactoe
from engine.games.registry import read_game
from engine.tree.iteration_timeline import BACKUP, EXPAND, SELECT
from tests.visualizer.viewer.test_viewer_logic import JS, needs_node, run_node
from visualizer.narration.iteration_sentences import iteration_sentence, node_phrase, write_formula
from visualizer.viewer.iterations.iteration_blocks import describe_block
from visualizer.viewer.iterations.iteration_payload import build_iteration_payload, choose_file_iterations
from visualizer.viewer.iterations.iteration_queries import answer_iteration_query
from visualizer.viewer.iterations.tree_picture import MAX_PICTURE_NODES, find_picture
from visualizer.viewer.large_trees.tree_queries import BadQuery

TREES = {
    "mcts": lambda: search(tictactoe(), algorithm="mcts", iterations=60, seed=7),
    "puct": lambda: search(tictactoe(), "04", algorithm="puct", iterations=40, seed=7),
    "solver": lambda: search(tictactoe(), "04832", algorithm="mcts-solver", iterations=40),
    "fractions": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), algorithm="mcts", iterations=50),
    "chance": lambda: search(read_game("pig:target=6,die=3"), algorithm="mcts", iterations=40, seed=3),
}


@needs_node
@pytest.mark.parametrize("name", TREES)
def test_the_browser_shows_what_the_replay_shows(name):
    tree = TREES[name]()
    payload = build_iteration_payload(tree, choose_file_iterations(tree))
    answers = json.loads(run_node(JS / "answers/iteration_answers.js", text=payload.decode()))
    assert len(answers) == len(tree.timeline)
    for step, answer in zip(tree.timeline, answers, strict=True):
        assert answer["words"] == iteration_sentence(step)
        check_nodes(tree, step, answer["nodes"])
        assert answer["current"] == int(step.child if step.kind == EXPAND and step.child is not None else step.node)
        if step.kind == SELECT:
            assert answer["path"] == tree.path(int(step.child))
            assert answer["panel"].count("<tr") == (len(step.candidates) + 1 if step.candidates else 0)


@needs_node
@pytest.mark.parametrize("name", TREES)
def test_predictions_ask_for_what_the_step_does_and_do_not_give_it_away(name):
    tree = TREES[name]()
    payload = build_iteration_payload(tree, choose_file_iterations(tree))
    answers = json.loads(run_node(JS / "answers/iteration_answers.js", text=payload.decode()))
    asked = {SELECT: 0, BACKUP: 0}
    for step, answer in zip(tree.timeline, answers, strict=True):
        if (question := answer["question"]) is None:
            continue
        asked[step.kind] += 1
        right = question["choices"][question["answer"]]
        assert 2 <= len(set(question["choices"])) == len(question["choices"]) <= 3
        hidden = answer["hidden"]
        if step.kind == SELECT:
            sums = sorted(one.sum for one in step.candidates if not one.proven)
            assert sums[-1] > sums[-2]
            assert right == node_phrase(step.child)
            assert hidden["path"] == tree.path(int(step.node))
            assert 'class="chosen"' in answer["panel"]
            assert 'class="chosen"' not in hidden["panel"]
            assert write_formula(step) not in hidden["panel"]
        else:
            digits = len(right.partition(".")[2])
            assert right == f"{step.after.mean:.{digits}f}"
            assert hidden["counts"] == hidden["before"]
            assert "→ ?" in hidden["panel"]
    assert min(asked.values()) > 5 or name in ("solver", "chance")  # nearly all of their selections are forced


def check_nodes(tree, step, nodes):
    """The counts of an iteration are added one by one, as it backs up."""
    rows = [row for row, _, _ in nodes]
    is_expanded = step.kind != SELECT
    assert all(tree.born[row] < step.iteration or (tree.born[row] == step.iteration and is_expanded) for row in rows)
    path = set(tree.path(int(tree.log.leaf[step.iteration - 1])))
    for row, visits, mean in nodes:
        node = tree[row]
        counted = row in path and step.kind == "backup" and node.depth >= step.node.depth
        count = tree.timeline.count_at(node, step.iteration - (not counted))
        assert visits == count.visits
        assert mean is None if not visits else mean == pytest.approx(count.mean, abs=1e-12)


@pytest.mark.parametrize("name", ["mcts", "puct"])
def test_the_formula_gives_the_sum_that_it_names(name):
    checked = 0
    for step in TREES[name]().timeline:
        if step.kind == SELECT and step.candidates:
            mean, bonus, total = re.fullmatch(r"(\S+) \+ (.+) = (\S+)", write_formula(step)).groups()
            numbers = [float(number) for number in re.findall(r"\d+\.?\d*", bonus)]
            if name == "mcts":
                c, here, visits = numbers
                expected = c * (log(here) / visits) ** 0.5
            else:
                c, prior, here, _, visits = numbers
                expected = c * prior * here**0.5 / (1 + visits)
            assert float(mean) + expected == pytest.approx(float(total), abs=0.02 if name == "puct" else 0.002)
            checked += 1
    assert checked > 20


def test_a_picture_has_the_nodes_with_most_visits():
    tree = search(tictactoe(), algorithm="mcts", iterations=3_000, seed=1)
    picture = find_picture(tree, 3_000)
    shown = picture.describe()
    assert len(shown["rows"]) == MAX_PICTURE_NODES
    assert shown["omitted"] == len(tree) - MAX_PICTURE_NODES
    assert shown["visits"] == tree.visits[shown["rows"]].tolist() == sorted(shown["visits"], reverse=True)
    assert min(shown["visits"]) >= sorted(tree.visits)[-MAX_PICTURE_NODES]
    for time in (0, 1, 777, 2_048):
        visits, totals = picture.counts_at(time)
        moment = tree.at(time)
        assert (visits, totals) == (moment.visits[shown["rows"]].tolist(), moment.total[shown["rows"]].tolist())


def test_a_file_has_the_first_and_the_last_iterations():
    tree = search(tictactoe(), algorithm="mcts", iterations=1_000)
    chosen = choose_file_iterations(tree)
    assert (chosen[0], chosen[-1], len(chosen)) == (1, 1_000, 240)
    assert choose_file_iterations(TREES["mcts"]()) == list(range(1, 61))


def test_queries_answer_blocks_pictures_and_visits_and_refuse_what_is_not_there():
    tree = TREES["mcts"]()
    ask = lambda name, **parameters: json.loads(answer_iteration_query(tree, name, parameters).data)  # noqa: E731
    assert (
        ask("block", iteration="7")
        == ask("block", step=str(tree.timeline.find(6)))
        == json.loads(json.dumps(describe_block(tree, 5)))
    )
    assert ask("picture", iteration="60")["time"] == 60
    child = int(tree.root.children[0])
    visits = tree.replay.history(child).iterations
    assert ask("visit", row=str(child), iteration=str(visits[0])) == {"step": tree.timeline.find(int(visits[1]))}
    assert ask("visit", row=str(child), iteration="60") is None
    for name, parameters in [
        ("block", {"iteration": "0"}),
        ("block", {"iteration": "61"}),
        ("block", {"step": "99999"}),
        ("picture", {"iteration": "x"}),
        ("visit", {"row": "9999", "iteration": "1"}),
        ("tile", {}),
    ]:
        with pytest.raises(BadQuery):
            answer_iteration_query(tree, name, parameters)
