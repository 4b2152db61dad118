"""Game trees of CS188 project 2 as a game: Pacman and one or more ghosts move in turn on a graph of states.

Agent 0 is MAX. The ghosts move one after another: each is MIN, or chance if the agent is ExpectimaxAgent. The search ends at
the states that are won or lost, at those without successors, and after the rounds that the file allows. States are searched
by paths, as the project does. Several paths may lead to one state.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from engine.core.errors import BadDepth, BadTree, short_repr
from engine.games.capabilities import Phrases
from engine.games.game_types import GameType, TextField
from engine.games.tree_formats.cs188_tests import AgentGraph, read_cs188_test, write_cs188_test

PREFIX = "cs188"
ALGORITHMS = {"MinimaxAgent": "minimax", "AlphaBetaAgent": "alphabeta", "ExpectimaxAgent": "expectiminimax"}
EXAMPLE = AgentGraph(
    "ExpectimaxAgent",
    rounds=1,
    agents=2,
    start="root",
    wins=("safe",),
    losses=(),
    successors=(
        ("root", "wait", "safe"),
        ("root", "run", "maze"),
        ("maze", "left", "food"),
        ("maze", "right", "ghost"),
    ),
    evaluation=(("safe", 3.0), ("food", 10.0), ("ghost", -2.0)),
)


class State(NamedTuple):
    """A state of the file, and the number of moves before it."""

    name: str
    plies: int = 0


@dataclass(frozen=True)
class AgentGraphGame:
    graph: AgentGraph

    # no fields: the same for every graph
    default_depth = None
    words = Phrases(by="by choosing {name}", over="The search ends here: the value is")

    @property
    def name(self) -> str:
        return f"{PREFIX}:{self.graph.agent}"

    @property
    def title(self) -> str:
        return f"CS188 tree, {self.graph.agent}"

    @cached_property
    def text(self) -> str:
        return f"{PREFIX}:{write_cs188_test(self.graph)}"

    @property
    def default_algorithm(self) -> str:
        return ALGORITHMS[self.graph.agent]

    @property
    def default_options(self) -> dict[str, bool]:
        """Return the option with which alpha-beta visits what the project expects: it must not cut on equal values."""
        return {"cut_on_equal": False} if self.default_algorithm == "alphabeta" else {}

    @property
    def has_chance(self) -> bool:
        return self.graph.agent == "ExpectimaxAgent"

    @cached_property
    def value_range(self) -> tuple[float, float]:
        return min(self._values.values()), max(self._values.values())

    @cached_property
    def _values(self) -> dict[str, float]:
        return dict(self.graph.evaluation)

    @cached_property
    def _actions(self) -> dict[str, dict[str, str]]:
        actions: dict[str, dict[str, str]] = {}
        for state, action, after in self.graph.successors:
            actions.setdefault(state, {})[action] = after
        return actions

    @cached_property
    def _final_states(self) -> frozenset[str]:
        return frozenset((*self.graph.wins, *self.graph.losses))

    def start(self) -> State:
        return State(self.graph.start)

    def moves(self, state: State) -> list[str]:
        return list(self._actions.get(state.name, ()))

    def chances(self, state: State) -> list[tuple[str, Fraction]]:
        if not self.has_chance or self.maximizing(state) or self.is_over(state):
            return []
        moves = self.moves(state)
        return [(move, Fraction(1, len(moves))) for move in moves]

    def play(self, state: State, move: str) -> State:
        return State(self._actions[state.name][move], state.plies + 1)

    def is_over(self, state: State) -> bool:
        is_final = state.name in self._final_states or state.name not in self._actions
        return is_final or state.plies >= self.graph.rounds * self.graph.agents

    def maximizing(self, state: State) -> bool:
        return state.plies % self.graph.agents == 0

    def evaluate(self, state: State) -> float:
        if state.name not in self._values:
            raise BadTree(f"the search ends at the state {short_repr(state.name)}, which has no value: add one, or change depth")
        return self._values[state.name]

    def won_by(self, state: State) -> str:
        return "max" if state.name in self.graph.wins else "min" if state.name in self.graph.losses else ""

    def check_depth(self, depth: int, state: State) -> None:
        """Refuse a depth limit that ends above the file's own."""
        height = self.plies_to_end(state)
        if depth < height:
            raise BadDepth(
                f"depth {depth} ends before the {self.graph.rounds} rounds of this file: use depth {height} or none, or change "
                "depth in the file"
            )

    def plies_to_end(self, state: State) -> int:
        """Return the depth of the deepest leaf below a state."""
        height, level = 0, {state}
        while level := {self.play(one, move) for one in level if not self.is_over(one) for move in self.moves(one)}:
            height += 1
        return height

    def show(self, state: State) -> str:
        if self.is_over(state):
            return state.name
        agent = state.plies % self.graph.agents
        return f"{state.name}: {'Pacman' if agent == 0 else f'ghost {agent}'} moves"


def read_agent_graph(text: str) -> AgentGraphGame:
    """Read a game from the text of a file `*.test`."""
    return AgentGraphGame(read_cs188_test(text))


GAME_TYPES = (
    GameType(
        PREFIX,
        "CS188 tree, Pacman and ghosts",
        "a game tree of CS188 project 2, as in its .test files",
        read_agent_graph,
        example=f"{PREFIX}:{write_cs188_test(EXAMPLE)}",
        rest=TextField("File", "The text of a .test file of the class GraphGameTreeTest", is_tree=True),
        listed=False,
    ),
)
