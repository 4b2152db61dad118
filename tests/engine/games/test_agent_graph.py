"""Tests of the .test files of CS188 project 2, against a plain search of their graph with fractions."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from engine import compare, search
from engine.core.errors import BadDepth, BadTree
from engine.games.agent_graph import EXAMPLE, AgentGraphGame, read_agent_graph
from engine.games.registry import read_game, read_tree_file
from engine.games.tree_formats.cs188_tests import AGENTS, AgentGraph, read_cs188_test, write_cs188_test
from engine.searcher import default_algorithm

FILES = Path(__file__).parent / "cs188"


def solve_graph(graph: AgentGraph, state: str, ply: int = 0) -> Fraction:
    """Return the value of a state as the project defines it."""
    actions = [after for before, _, after in graph.successors if before == state]
    if state in graph.wins or state in graph.losses or not actions or ply == graph.rounds * graph.agents:
        return Fraction(dict(graph.evaluation)[state])
    values = [solve_graph(graph, after, ply + 1) for after in actions]
    if ply % graph.agents == 0:
        return max(values)
    return sum(values) / len(values) if graph.agent == "ExpectimaxAgent" else min(values)


def make_graph(random_: random.Random, agent: str) -> AgentGraph:
    """Return a random graph with cycles, in which every state has a value."""
    states = [f"s{number}" for number in range(random_.randint(2, 7))]
    successors = [(state, f"a{number}", random_.choice(states)) for state in states for number in range(random_.randint(0, 3))]
    drawn = {kind: tuple(random_.sample(states[1:], random_.randint(0, 1))) for kind in ("wins", "losses")}
    values = tuple((state, float(random_.randint(-8, 8))) for state in states)
    rounds, agents = random_.choice([(1, 2), (1, 3), (2, 1), (2, 2), (1, 4)])
    return AgentGraph(agent, rounds, agents, "s0", drawn["wins"], drawn["losses"], tuple(successors), values)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_search_finds_the_value_of_the_project(agent):
    random_ = random.Random(agent)
    for _ in range(60):
        graph = make_graph(random_, agent)
        assert read_cs188_test(write_cs188_test(graph)) == graph
        game = AgentGraphGame(graph)
        name, options = default_algorithm(game)
        tree = search(game, algorithm=name, **options)
        assert tree.root.value == pytest.approx(float(solve_graph(graph, "s0")), abs=1e-9)


@pytest.mark.parametrize(
    ("file", "algorithm", "value", "best"),
    [
        ("two-ghosts-expectimax.test", "expectiminimax", 4.5, "Stop"),
        ("two-ghosts-minimax.test", "minimax", 1.0, "Stop"),
        ("equal-values-alphabeta.test", "alphabeta", 10.0, "left"),
    ],
)
def test_files(file, algorithm, value, best):
    game = read_tree_file((FILES / file).read_bytes())
    assert default_algorithm(game)[0] == algorithm
    tree = search(game, algorithm=algorithm, **default_algorithm(game)[1])
    assert (tree.root.value, tree.root.best_move_name) == (value, best)
    assert read_game(game.text) == game


def test_ghosts_move_one_after_another():
    tree = search(read_tree_file((FILES / "two-ghosts-minimax.test").read_bytes()), algorithm="minimax")
    assert [tree[row].turn for row in range(4)] == ["max", "min", "min", "max"]


def test_alpha_beta_does_not_cut_on_equal_values():
    game = read_tree_file((FILES / "equal-values-alphabeta.test").read_bytes())
    assert search(game, algorithm="alphabeta", **default_algorithm(game)[1]).expanded == 8
    assert search(game, algorithm="alphabeta").expanded == 6
    assert {row.algorithm: row.expanded for row in compare(game, repeat=1).rows} == {"minimax": 8, "alphabeta:strict": 8}


def test_a_depth_above_the_file_s_own_is_refused():
    with pytest.raises(BadDepth, match="1 rounds of this file"):
        search(AgentGraphGame(EXAMPLE), depth=1, algorithm="expectiminimax")


GOOD = write_cs188_test(EXAMPLE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GraphGameTreeTest", "PacmanGameTreeTest", r"line 1, column 1: the class 'PacmanGameTreeTest' has no tree"),
        ("ExpectimaxAgent", "ReflexAgent", r"line 2, column 1: there is no agent 'ReflexAgent': use MinimaxAgent"),
        ('depth: "1"', 'depth: "-1"', r"line 3, column 9: depth must be a whole number from 1"),
        ('depth: "1"', 'depth: "400"', r"line 3, column 1: 400 rounds of 2 agents are 800 plies"),
        ('depth: "1"', "depth: 1", r"line 3, column 1: 'depth: 1' is not an entry"),
        ('depth: "1"\n', "", r"the entry depth is missing"),
        ('depth: "1"', 'alg: "MinimaxAgent"', r"line 3, column 1: the entry 'alg' occurs twice"),
        ("maze left food", "maze left", r"line 11, column 1: a line of successors has three words"),
        ("maze left food", "maze left  nowhere", r"line 11, column 12: the state 'nowhere' has neither successors nor a value"),
        ("maze left food", "maze right food", r"line 12, column 6: the state 'maze' has the action 'right' already"),
        ("food 10.0", "food nan", r"line 16, column 6: nan is not a leaf value"),
        ("food 10.0", "food 10.0 2", r"line 16, column 1: a line of evaluation has two words"),
        ("food 10.0", "safe 10.0", r"line 16, column 1: the state 'safe' has a value already"),
        ("food 10.0", "food 1e999", r"line 16, column 6: '1e999' is too large"),
        ('-2.0\n"""', "-2.0", r"line 14, column 1: the lines of this entry do not end"),
        ('start_state: "root"', 'start_state: "ro ot"', r"line 5, column 1: start_state must be one word"),
        ("maze left food", "maze left \x1bfood", r"line 11, column 11: .* is not a name"),
    ],
)
def test_errors_name_the_place(old, new, message):
    assert old in GOOD
    with pytest.raises(BadTree, match=message):
        read_agent_graph(GOOD.replace(old, new, 1))


def test_a_state_without_a_value_is_named():
    text = GOOD.replace("maze left food", "maze left maze").replace("food 10.0\n", "")
    with pytest.raises(BadTree, match="ends at the state 'maze', which has no value"):
        search(read_agent_graph(text), algorithm="expectiminimax")


def test_reading_is_linear():
    lines = [f"s{number} a s{number + 1}" for number in range(20_000)]
    text = write_cs188_test(EXAMPLE._replace(successors=(), start="s0", evaluation=(("s20000", 1.0),)))
    game = read_agent_graph(text.replace('successors: """\n', 'successors: """\n' + "\n".join(lines) + "\n"))
    assert len(game.graph.successors) == 20_000
