"""The stand-ins for the modules of the Pacman projects, for a lone `multiAgents.py`: a small maze in which agents take turns.

`pacman.GameState` plays the maze, `game` and `util` have what agents and their evaluations ask for, and `multiAgents` has the
base class of the searching agents. Everything else is a stub.
"""

import heapq
import inspect
from collections import deque
from typing import Any, ClassVar

from engine.checker.sandbox.import_stubs import StubModule

Place = tuple[int, int]  # (x, y); y grows upwards

MAZE = """
%%%%%%%
%..P.G%
%_%o%_%
%._G_.%
%%%%%%%
"""  # P is Pacman, G a ghost, a dot food, o a capsule, % a wall, _ free
# Worst, random and best ghosts lead to different values and best moves here.
STEP_SCORE, FOOD_SCORE, GHOST_SCORE, END_SCORE = -1, 10, 200, 500
SCARED_TURNS = 40
ROUND_METHOD = "generateSuccessor"  # positions of this kind take the agent with its move
STATE_TEXT = "__import__('pacman').GameState()"


class Directions:
    """The names of the moves."""

    NORTH, SOUTH, EAST, WEST, STOP = "North", "South", "East", "West", "Stop"
    LEFT: ClassVar = {NORTH: WEST, SOUTH: EAST, EAST: NORTH, WEST: SOUTH, STOP: STOP}
    RIGHT: ClassVar = {after: before for before, after in LEFT.items()}
    REVERSE: ClassVar = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST, STOP: STOP}


VECTORS = {Directions.NORTH: (0, 1), Directions.SOUTH: (0, -1), Directions.EAST: (1, 0), Directions.WEST: (-1, 0)}


class Grid:
    """The squares that have something on them: `grid[x][y]` is True or False."""

    def __init__(self, width: int, height: int, places: Any = ()):
        self.width, self.height = width, height
        self.data = [[(x, y) in places for y in range(height)] for x in range(width)]

    def __getitem__(self, x: int) -> list[bool]:
        return self.data[x]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def asList(self, key: bool = True) -> list[Place]:
        return [(x, y) for x in range(self.width) for y in range(self.height) if self.data[x][y] == key]

    def count(self, key: bool = True) -> int:
        return len(self.asList(key))

    def copy(self) -> "Grid":
        return Grid(self.width, self.height, set(self.asList()))

    deepCopy = copy


def _read_maze(text: str) -> dict[str, list[Place]]:
    """Return the places of each sign."""
    places: dict[str, list[Place]] = {}
    for y, line in enumerate(reversed(text.split())):
        for x, sign in enumerate(line):
            places.setdefault(sign, []).append((x, y))
    return places


PLACES = _read_maze(MAZE)
WALLS = frozenset(PLACES["%"])
WIDTH, HEIGHT = (max(part) + 1 for part in zip(*PLACES["%"], strict=True))
STARTS = (*PLACES["P"], *PLACES["G"])


class AgentState:
    """One agent in a position."""

    def __init__(self, place: Place, direction: str, scared: int, is_pacman: bool):
        self.configuration, self.direction, self.scaredTimer, self.isPacman = self, direction, scared, is_pacman
        self.pos = place

    def getPosition(self) -> Place:
        return self.pos

    def getDirection(self) -> str:
        return self.direction


class GameState:
    """A position: Pacman is agent 0, the ghosts are agents 1, 2, … Positions never change."""

    def __init__(self, before: "GameState | None" = None):
        self.places: tuple[Place, ...] = before.places if before else STARTS
        self.directions: tuple[str, ...] = before.directions if before else (Directions.STOP,) * len(STARTS)
        self.scared: tuple[int, ...] = before.scared if before else (0,) * len(STARTS)
        self.food: tuple[Place, ...] = before.food if before else tuple(PLACES["."])
        self.capsules: tuple[Place, ...] = before.capsules if before else tuple(PLACES["o"])
        self.score: float = before.score if before else 0
        self.lost: bool = before is not None and before.lost
        self.agent_to_move = 0

    # ---- rules

    def getNumAgents(self) -> int:
        return len(self.places)

    def isWin(self) -> bool:
        return not self.food and not self.lost

    def isLose(self) -> bool:
        return self.lost

    def getScore(self) -> float:
        return self.score

    def getLegalActions(self, agentIndex: int = 0) -> list[str]:
        """Return the moves of an agent. A ghost neither stops nor turns back, unless it must."""
        if self.isWin() or self.isLose():
            return []
        x, y = self.places[agentIndex]
        open_ways = [name for name, (across, up) in VECTORS.items() if (x + across, y + up) not in WALLS]
        if agentIndex == 0:
            return [*open_ways, Directions.STOP]
        back = Directions.REVERSE[self.directions[agentIndex]]
        return [name for name in open_ways if name != back] or open_ways

    def generateSuccessor(self, agentIndex: int, action: str) -> "GameState":
        """Return the position after a move. Raise an error if the game is over or the move is not legal."""
        if self.isWin() or self.isLose():
            raise ValueError("Can't generate a successor of a terminal state.")
        if action not in self.getLegalActions(agentIndex):
            raise ValueError(f"Illegal action {action}")
        after = GameState(self)
        after.agent_to_move = (agentIndex + 1) % len(self.places)
        across, up = VECTORS.get(action, (0, 0))
        x, y = self.places[agentIndex]
        after._set_agent(agentIndex, (x + across, y + up), action, max(self.scared[agentIndex] - 1, 0))
        if agentIndex == 0:
            after._eat()
        for ghost in range(1, len(self.places)) if agentIndex == 0 else (agentIndex,):
            after._collide(ghost)
        return after

    def _set_agent(self, index: int, place: Place, direction: str, scared: int) -> None:
        self.places = (*self.places[:index], place, *self.places[index + 1 :])
        self.directions = (*self.directions[:index], direction, *self.directions[index + 1 :])
        self.scared = (*self.scared[:index], scared, *self.scared[index + 1 :])

    def _eat(self) -> None:
        """Score a step of Pacman, and eat what is on its square."""
        here = self.places[0]
        self.score += STEP_SCORE
        if here in self.food:
            self.food = tuple(place for place in self.food if place != here)
            self.score += FOOD_SCORE if self.food else FOOD_SCORE + END_SCORE
        if here in self.capsules:
            self.capsules = tuple(place for place in self.capsules if place != here)
            self.scared = (0, *[SCARED_TURNS] * (len(self.places) - 1))

    def _collide(self, ghost: int) -> None:
        if self.places[ghost] != self.places[0] or self.isWin() or self.isLose():
            return
        if self.scared[ghost]:
            self._set_agent(ghost, STARTS[ghost], Directions.STOP, 0)
            self.score += GHOST_SCORE
        else:
            self.lost = True
            self.score -= END_SCORE

    # ---- what agents and evaluations ask

    def getLegalPacmanActions(self) -> list[str]:
        return self.getLegalActions(0)

    def generatePacmanSuccessor(self, action: str) -> "GameState":
        return self.generateSuccessor(0, action)

    def getPacmanPosition(self) -> Place:
        return self.places[0]

    def getPacmanState(self) -> AgentState:
        return self._describe_agent(0)

    def getGhostState(self, agentIndex: int) -> AgentState:
        return self._describe_agent(agentIndex)

    def getGhostStates(self) -> list[AgentState]:
        return [self._describe_agent(index) for index in range(1, len(self.places))]

    def getGhostPosition(self, agentIndex: int) -> Place:
        return self.places[agentIndex]

    def getGhostPositions(self) -> list[Place]:
        return list(self.places[1:])

    def getFood(self) -> Grid:
        return Grid(WIDTH, HEIGHT, self.food)

    def getNumFood(self) -> int:
        return len(self.food)

    def getCapsules(self) -> list[Place]:
        return list(self.capsules)

    def getWalls(self) -> Grid:
        return Grid(WIDTH, HEIGHT, WALLS)

    def hasFood(self, x: int, y: int) -> bool:
        return (x, y) in self.food

    def hasWall(self, x: int, y: int) -> bool:
        return (x, y) in WALLS

    def _describe_agent(self, index: int) -> AgentState:
        return AgentState(self.places[index], self.directions[index], self.scared[index], index == 0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((self.places, self.directions, self.scared, self.food, self.capsules, self.score, self.agent_to_move))

    def __str__(self) -> str:
        signs = {**dict.fromkeys(WALLS, "%"), **dict.fromkeys(self.food, "."), **dict.fromkeys(self.capsules, "o")}
        signs |= {**dict.fromkeys(self.places[1:], "G"), self.places[0]: "X" if self.lost else "P"}
        lines = ["".join(signs.get((x, y), "_") for x in range(WIDTH)) for y in reversed(range(HEIGHT))]
        return "\n".join([*lines, f"Score: {self.score}"])


# ---- agents


class Agent:
    """An agent chooses a move in `getAction`."""

    def __init__(self, index: int = 0):
        self.index = index


def scoreEvaluationFunction(currentGameState: Any) -> float:
    """Return the score of a position."""
    score: float = currentGameState.getScore()
    return score


class MultiAgentSearchAgent(Agent):
    """An agent with a depth, in rounds of all agents, and an evaluation."""

    def __init__(self, evalFn: Any = "scoreEvaluationFunction", depth: Any = "2"):
        super().__init__()
        self.evaluationFunction = lookup(evalFn, globals()) if isinstance(evalFn, str) else evalFn
        self.depth = int(depth)


# ---- util


def manhattanDistance(xy1: Any, xy2: Any) -> Any:
    return abs(xy1[0] - xy2[0]) + abs(xy1[1] - xy2[1])


def lookup(name: str, namespace: dict[str, Any]) -> Any:
    """Return what a name means in a namespace, or in a module of it."""
    found = [namespace[name]] if name in namespace else []
    found += [vars(held)[name] for held in namespace.values() if inspect.ismodule(held) and name in vars(held)]
    if not found:
        raise NameError(f"{name} not found as a function or class")
    return found[0]


def raiseNotDefined() -> None:
    raise NotImplementedError("Method not implemented")


class Counter(dict[Any, Any]):
    """Numbers by key. A key that was never set counts 0."""

    def __missing__(self, key: Any) -> int:
        return 0

    def argMax(self) -> Any:
        return max(self, key=self.__getitem__, default=None)

    def totalCount(self) -> Any:
        return sum(self.values())

    def normalize(self) -> None:
        total = self.totalCount()
        for key in self if total else ():
            self[key] /= total

    def copy(self) -> "Counter":
        return Counter(self)


class Stack:
    """The last that was pushed comes first."""

    def __init__(self) -> None:
        self.list: deque[Any] = deque()

    def push(self, item: Any) -> None:
        self.list.append(item)

    def pop(self) -> Any:
        return self.list.pop()

    def isEmpty(self) -> bool:
        return not self.list


class Queue(Stack):
    """The first that was pushed comes first."""

    def pop(self) -> Any:
        return self.list.popleft()


class PriorityQueue:
    """The smallest priority comes first."""

    def __init__(self) -> None:
        self.heap: list[tuple[Any, int, Any]] = []
        self.count = 0

    def push(self, item: Any, priority: Any) -> None:
        heapq.heappush(self.heap, (priority, self.count, item))
        self.count += 1

    def pop(self) -> Any:
        return heapq.heappop(self.heap)[2]

    def isEmpty(self) -> bool:
        return not self.heap


def _pick(*things: Any) -> dict[str, Any]:
    return {thing.__name__: thing for thing in things}


HELD_NAMES = {
    "game": _pick(Agent, AgentState, Directions, Grid, MultiAgentSearchAgent),
    "pacman": _pick(GameState),
    "util": _pick(manhattanDistance, lookup, raiseNotDefined, Counter, Stack, Queue, PriorityQueue),
    "multiAgents": _pick(MultiAgentSearchAgent, scoreEvaluationFunction),
}


class PacmanModule(StubModule):
    """A module of the Pacman projects."""

    def __init__(self, name: str):
        super().__init__(name)
        self.__dict__.update(HELD_NAMES[name])


PACMAN_MODULES: dict[str, type[StubModule]] = dict.fromkeys(HELD_NAMES, PacmanModule)


def find_state_texts(methods: set[str]) -> list[str]:
    """Return an expression for the start of the maze, if its positions have the methods that a search calls."""
    return [STATE_TEXT] if ROUND_METHOD in methods and methods <= set(dir(GameState)) else []


def is_maze(board: Any) -> bool:
    """Return True for a recorded position of the maze."""
    return isinstance(board, list) and len(board) == 2 and board[0] == GameState.__name__ and "agent_to_move" in board[1]


def read_agent_to_move(board: Any) -> int:
    """Return the agent that is to move in a recorded position of the maze. It is 0 after the end."""
    is_over = board[1]["lost"] or not board[1]["food"]
    return 0 if is_over else int(board[1]["agent_to_move"])
