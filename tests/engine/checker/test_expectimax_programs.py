"""Lone agents of the Pacman projects run in a small maze of ours, and expectimax programs are judged by what they are."""

import json

import pytest

from engine.checker.stand_ins.pacman_stub import Directions, GameState, MultiAgentSearchAgent, PacmanModule
from tests.support.processes import run_command

HEAD = """
from util import manhattanDistance
from game import Directions
import random, util

from game import Agent
from pacman import GameState


class ReflexAgent(Agent):
    def getAction(self, gameState: GameState):
        return max(gameState.getLegalActions(), key=lambda action: self.evaluationFunction(gameState, action))

    def evaluationFunction(self, currentGameState: GameState, action):
        after = currentGameState.generatePacmanSuccessor(action)
        scared = [ghost.scaredTimer for ghost in after.getGhostStates()]
        distances = [manhattanDistance(after.getPacmanPosition(), food) for food in after.getFood().asList()]
        return after.getScore() - min(distances, default=0) + sum(scared)


def scoreEvaluationFunction(currentGameState: GameState):
    return currentGameState.getScore()


class MultiAgentSearchAgent(Agent):
    def __init__(self, evalFn="scoreEvaluationFunction", depth="2"):
        self.index = 0
        self.evaluationFunction = util.lookup(evalFn, globals())
        self.depth = int(depth)
"""
MINIMAX = """

class MinimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        best, chosen = float("-inf"), Directions.STOP
        for action in gameState.getLegalActions(0):
            score = self.minValue(gameState.generateSuccessor(0, action), 0, 1)
            if score > best:
                best, chosen = score, action
        return chosen

    def maxValue(self, state, depth):
        if depth == self.depth or state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        return max(self.minValue(state.generateSuccessor(0, action), depth, 1) for action in state.getLegalActions(0))

    def minValue(self, state, depth, ghost):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        scores = []
        for action in state.getLegalActions(ghost):
            after = state.generateSuccessor(ghost, action)
            if ghost == state.getNumAgents() - 1:
                scores.append(self.maxValue(after, depth + 1))
            else:
                scores.append(self.minValue(after, depth, ghost + 1))
        return min(scores)


class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        util.raiseNotDefined()
"""
ALPHA_BETA = """

class AlphaBetaAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        alpha, beta, best = float("-inf"), float("inf"), None
        for action in gameState.getLegalActions(0):
            score = self.value(gameState.generateSuccessor(0, action), 1, self.depth, alpha, beta)
            if score > alpha:
                alpha, best = score, action
        return best

    def value(self, state, agent, depth, alpha, beta):
        if depth == 0 or state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        following = (agent + 1) % state.getNumAgents()
        rest = depth - 1 if following == 0 else depth
        best = float("-inf") if agent == 0 else float("inf")
        for action in state.getLegalActions(agent):
            score = self.value(state.generateSuccessor(agent, action), following, rest, alpha, beta)
            if agent == 0:
                best = max(best, score)
                if best > beta:
                    return best
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                if best < alpha:
                    return best
                beta = min(beta, best)
        return best
"""
EXPECTIMAX = """

class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState: GameState):
        def value(state, agent, depth):
            if agent == state.getNumAgents():
                agent, depth = 0, depth + 1
            if state.isWin() or state.isLose() or depth == self.depth:
                return self.evaluationFunction(state)
            actions = state.getLegalActions(agent)
            scores = [value(state.generateSuccessor(agent, action), agent + 1, depth) for action in actions]
            if agent == 0:
                return max(scores)
            return sum(scores) / len(scores)

        return max(gameState.getLegalActions(0), key=lambda action: value(gameState.generateSuccessor(0, action), 1, 0))
"""
WEIGHTED = """

class ExpectimaxAgent(MultiAgentSearchAgent):
    def getAction(self, gameState):
        best, chosen = float("-inf"), Directions.STOP
        for action in gameState.getLegalActions(0):
            score = self.expValue(gameState.generateSuccessor(0, action), 1, self.depth)
            if score > best:
                best, chosen = score, action
        return chosen

    def maxValue(self, state, depth):
        if depth == 0 or state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        return max(self.expValue(state.generateSuccessor(0, action), 1, depth) for action in state.getLegalActions(0))

    def expValue(self, state, ghost, depth):
        if state.isWin() or state.isLose():
            return self.evaluationFunction(state)
        total = 0
        actions = state.getLegalActions(ghost)
        probability = 1.0 / len(actions)
        for action in actions:
            after = state.generateSuccessor(ghost, action)
            if ghost == state.getNumAgents() - 1:
                total += probability * self.maxValue(after, depth - 1)
            else:
                total += probability * self.expValue(after, ghost + 1, depth)
        return total
"""


def check(folder, source, name="multiAgents.py"):
    (folder / name).write_text(source)
    return json.loads(run_command("check", str(folder / name), "--json").stdout)


@pytest.mark.parametrize(
    ("agent", "variant", "calls"),
    [
        pytest.param(HEAD + MINIMAX, "minimax", 252, id="minimax"),
        pytest.param(HEAD + ALPHA_BETA, "alphabeta", 138, id="alphabeta", marks=pytest.mark.slow),
        pytest.param(HEAD + EXPECTIMAX, "expectimax", 252, id="expectimax"),
        pytest.param(WEIGHTED, "expectimax", 252, id="only the class", marks=pytest.mark.slow),
    ],
)
def test_a_right_agent_is_recorded_in_the_maze_and_not_accused(tmp_path, agent, variant, calls):
    answer = check(tmp_path, agent)
    assert (answer["verdict"], answer["findings"], answer["rows"]) == ("nothing wrong found", [], calls)
    assert variant in answer["variants"]
    assert {"game", "pacman"} <= set(answer["stand_ins"])


MINIMAX_PER_AGENT = MINIMAX.replace("self.minValue(after, depth, ghost + 1)", "self.minValue(after, depth + 1, ghost + 1)")
ONE_GHOST = MINIMAX.replace("if ghost == state.getNumAgents() - 1:", "if True:")
BEST_CASE = EXPECTIMAX.replace("sum(scores) / len(scores)", "max(scores)")
UNWEIGHTED = HEAD + WEIGHTED.replace("probability * ", "")


@pytest.mark.parametrize(
    ("agent", "mistake", "line_text"),
    [
        pytest.param(HEAD + MINIMAX_PER_AGENT, "round-cut-short", "depth + 1, ghost + 1", id="depth counted per agent"),
        pytest.param(HEAD + ONE_GHOST, "round-cut-short", "", id="the second ghost never moves", marks=pytest.mark.slow),
        pytest.param(HEAD + BEST_CASE, "average-missing", "max(scores)", id="max instead of average"),
        pytest.param(UNWEIGHTED, "weights-forgotten", "expValue(after", id="weights forgotten", marks=pytest.mark.slow),
        pytest.param(
            HEAD + EXPECTIMAX.replace("sum(scores) /", "sum(scores) //"),
            "integer-division",
            "//",
            id="integer division",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            HEAD + MINIMAX.replace("min(scores)", "max(scores)"),
            "sides-swapped",
            "max(scores)",
            id="ghosts take the maximum",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_mistake_of_an_agent_is_named(tmp_path, agent, mistake, line_text):
    answer = check(tmp_path, agent)
    [finding] = answer["findings"]
    assert finding["name"] == mistake
    assert line_text in agent.splitlines()[finding["line"] - 1]
    assert finding["certain"] == (mistake in ("weights-forgotten", "integer-division", "sides-swapped"))


def test_the_maze_follows_the_rules_of_the_projects():
    state = GameState()
    assert state.getNumAgents() == 3
    assert set(state.getLegalActions()) == {"South", "East", "West", "Stop"}
    scared = state.generateSuccessor(0, "South")
    assert (scared.getScore(), scared.getCapsules()) == (-1, [])
    assert [ghost.scaredTimer for ghost in scared.getGhostStates()] == [40, 40]
    assert state.getCapsules() != []  # positions do not change
    eaten = state.generatePacmanSuccessor("West")
    assert (eaten.getScore(), eaten.getNumFood()) == (9, state.getNumFood() - 1)
    caught = state.generateSuccessor(0, "East").generateSuccessor(2, "West")
    assert caught.isLose()
    assert (caught.getScore(), caught.getLegalActions(0)) == (-491, [])
    with pytest.raises(ValueError, match="terminal state"):
        caught.generateSuccessor(0, "Stop")
    with pytest.raises(ValueError, match="Illegal action North"):
        state.generateSuccessor(0, "North")


def test_ghosts_do_not_turn_back_and_pacman_wins_by_eating_everything():
    state = GameState()
    ghost = state.getGhostStates()[0].getDirection()
    assert ghost == Directions.STOP
    moved = state.generateSuccessor(1, state.getLegalActions(1)[0])
    assert Directions.REVERSE[moved.getGhostState(1).getDirection()] not in moved.getLegalActions(1)
    alone = GameState(state)
    alone.food = ((2, 3),)
    won = alone.generateSuccessor(0, "West")
    assert won.isWin()
    assert won.getScore() == 509


def test_the_stand_ins_have_what_agents_import():
    util, game = PacmanModule("util"), PacmanModule("game")
    assert util.manhattanDistance((0, 0), (2, 3)) == 5
    assert util.lookup("max", {"max": max}) is max
    counts = util.Counter()
    counts["food"] += 2
    assert (counts["food"], counts["ghost"], counts.argMax()) == (2, 0, "food")
    queue = util.PriorityQueue()
    queue.push("late", 2)
    queue.push("soon", 1)
    assert queue.pop() == "soon"
    agent = game.MultiAgentSearchAgent(depth="3")
    assert isinstance(agent, MultiAgentSearchAgent)
    assert (agent.depth, agent.evaluationFunction(GameState())) == (3, 0)


DICE = """
TARGET = 8


def mean(values):
    return sum(values) / len(values)


def expectimax(a, b, total, turn, depth):
    if max(a, b) >= TARGET or depth == 0:
        return a - b
    scores = []
    if total:
        held = (a + total, b) if turn == 0 else (a, b + total)
        scores.append(expectimax(*held, 0, 1 - turn, depth - 1))
    rolled = [expectimax(a, b, 0, 1 - turn, depth - 1)]
    for eyes in (2, 3):
        rolled.append(expectimax(a, b, total + eyes, turn, depth - 1))
    scores.append(mean(rolled))
    return max(scores) if turn == 0 else min(scores)


print(expectimax(0, 0, 0, 0, 5))
"""
RACE = """
GOAL = 8


class Race:
    def __init__(self, mine=0, yours=0, mover=1):
        self.mine, self.yours, self.mover = mine, yours, mover

    def over(self):
        return max(self.mine, self.yours) >= GOAL

    def step(self, n):
        if self.mover == 1:
            return Race(self.mine + n, self.yours, -1)
        return Race(self.mine, self.yours + n, 1)


def expected(game, kind, depth):
    faces = (1, 2, 3) if kind == "safe" else (1, 3, 5)
    return sum(1 / 3 * search(game.step(face), depth - 1)[0] for face in faces)


def search(game, depth):
    if depth == 0 or game.over():
        return game.mine - game.yours, None
    scored = [(expected(game, kind, depth), kind) for kind in ("safe", "bold")]
    return max(scored) if game.mover == 1 else min(scored)


print(search(Race(), 3))
"""


@pytest.mark.parametrize("program", [pytest.param(DICE, id="two scores a and b"), pytest.param(RACE, id="averages in a helper")])
def test_the_helper_of_an_expectimax_gets_no_false_role(tmp_path, program):
    answer = check(tmp_path, program, "dice.py")
    assert (answer["verdict"], answer["findings"]) == ("nothing wrong found", [])
    assert "expectimax" in answer["variants"]
    assert all(roles["alpha"] is None and roles["beta"] is None for roles in answer["roles"].values())


def test_the_mistake_of_a_helper_that_averages_is_named(tmp_path):
    answer = check(tmp_path, RACE.replace("1 / 3 * search", "search"), "dice.py")
    assert [(finding["name"], finding["certain"]) for finding in answer["findings"]] == [("weights-forgotten", True)]


WINDOWS = """
FACES = (1, 2, 4)
WEIGHTS = {1: 0.5, 2: 0.25, 4: 0.25}


def play(state, move, face):
    mine, yours, turn = state
    return (2 * mine + move + face, yours, 1) if turn == 0 else (mine, 2 * yours + move * face, 0)


def max_node(state, depth, alpha, beta):
    if depth == 0:
        return (state[0] * 7 + 3) % 11 - (state[1] * 5 + 1) % 9
    best = -1000
    for move in (1, 2, 3):
        best = max(best, chance_node(state, move, depth, alpha, beta))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def min_node(state, depth, alpha, beta):
    if depth == 0:
        return (state[0] * 7 + 3) % 11 - (state[1] * 5 + 1) % 9
    best = 1000
    for move in (1, 2, 3):
        best = min(best, chance_node(state, move, depth, alpha, beta))
        beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def chance_node(state, move, depth, alpha, beta):
    total = 0
    for face in FACES:
        after = play(state, move, face)
        node = max_node if after[2] == 0 else min_node
        total += WEIGHTS[face] * node(after, depth - 1, -1000, 1000)
    return total


print(max_node((1, 1, 0), 3, -1000, 1000))
"""
CUT_WITHOUT_BOUNDS = WINDOWS.replace("    return total", "        if total >= beta:\n            break\n    return total")
AVERAGE_OF_SEEN = (
    WINDOWS.replace("total = 0\n", "scores = []\n")
    .replace("total += WEIGHTS[face] * node(after, depth - 1, -1000, 1000)", "scores.append(node(after, depth - 1, -1000, 1000))")
    .replace("    return total", "        if scores[-1] >= beta:\n            break\n    return sum(scores) / len(scores)")
)


@pytest.mark.parametrize(
    ("program", "found"),
    [
        pytest.param(WINDOWS, [], id="right"),
        pytest.param(CUT_WITHOUT_BOUNDS, [("chance-cut", True)], id="cut without bounds"),
        pytest.param(AVERAGE_OF_SEEN, [("average-over-pruned", True)], id="average of the outcomes before a cut"),
    ],
)
def test_chance_nodes_of_a_search_with_finite_bounds_are_judged(tmp_path, program, found):
    answer = check(tmp_path, program, "dice.py")
    assert "expectimax" in answer["variants"]
    assert [(finding["name"], finding["certain"]) for finding in answer["findings"]] == found
