"""Pig, a race with a die. The side to move rolls as often as it dares, or holds and banks its turn total. A 1 loses it.

A side that reaches the target with its score and turn total wins at once. A value is MAX's chance to win: 1 for a win, 0 for a
loss, and at the horizon 1/2 + (MAX's points − MIN's points) / (2 x target), with the turn total counted for the side to move.
Roll is move 0, hold is move 1; with nothing to bank only roll is possible. An outcome is the number on the die.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from engine.core.errors import BadBoard, IllegalMove
from engine.games.capabilities import Phrases
from engine.games.game_types import GameType, NumberField
from engine.games.positions import is_max_first, play_moves, read_moves

ROLL, HOLD = 0, 1
MOVE_NAMES = ("roll", "hold")
MAX_TARGET, MAX_DIE = 1000, 20


class State(NamedTuple):
    """The scores of MAX and MIN, the turn total, and whether the die is rolling."""

    max_score: int
    min_score: int
    turn_total: int
    max_to_move: bool
    rolling: bool = False

    @property
    def points(self) -> tuple[int, int]:
        """Return the points of MAX and MIN, with the turn total for the side to move."""
        turn = self.turn_total
        return self.max_score + turn * self.max_to_move, self.min_score + turn * (not self.max_to_move)


@dataclass(frozen=True)
class Pig:
    target: int = 12
    die: int = 3
    default_depth: int = 6

    # no fields: the same for every game
    single_digits = False
    checks_positions = True
    value_range = (0.0, 1.0)
    words = Phrases(over="The race is over: the value is")
    policies = MappingProxyType({"hold": "hold as soon as the turn total has reached this number"})
    how_to_type = "Type the moves and the numbers rolled from the start: 0,3,1 rolls a 3 and holds"

    @property
    def name(self) -> str:
        return f"pig:target={self.target},die={self.die}"

    @property
    def text(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        return f"Pig to {self.target} with a die of {self.die}"

    def start(self) -> State:
        return State(0, 0, 0, True)

    def chances(self, state: State) -> list[tuple[int, float]]:
        return [(number, 1 / self.die) for number in range(1, self.die + 1)] if state.rolling else []

    def moves(self, state: State) -> list[int]:
        return [ROLL, HOLD] if state.turn_total else [ROLL]

    def play(self, state: State, move: int) -> State:
        if state.rolling and move > 1:
            return state._replace(turn_total=state.turn_total + move, rolling=False)
        if state.rolling:
            return State(state.max_score, state.min_score, 0, not state.max_to_move)
        if move == ROLL:
            return state._replace(rolling=True)
        return State(*state.points, 0, not state.max_to_move)

    def is_over(self, state: State) -> bool:
        return not state.rolling and max(state.points) >= self.target

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> float:
        of_max, of_min = state.points
        if self.is_over(state):
            return 1.0 if of_max >= self.target else 0.0
        return 0.5 + (of_max - of_min) / (2 * self.target)

    def won_by(self, state: State) -> str:
        return "max" if state.points[0] >= self.target else "min"

    def policy_move(self, state: State, policy: str, number: int) -> int:
        return HOLD if state.turn_total >= number else ROLL

    def wins_only(self) -> None:
        """Return None: chances to win are compared, not the speed of a win."""

    def state(self, moves: str | Iterable[int] | State = "", first: str = "max") -> State:
        if isinstance(moves, State):
            if not (min(moves[:3]) >= 0 and max(moves[:2]) < self.target):
                raise IllegalMove(f"{moves} is not a position of {self.name}")
            return moves
        start = State(0, 0, 0, is_max_first(first))
        return play_moves(self, start, read_moves(moves, self.single_digits), moves)

    def state_parts(self, state: State) -> list[Any]:
        return list(state)

    def state_of(self, parts: list[Any]) -> State:
        of_max, of_min, turn_total, max_to_move, rolling = parts
        return self.state(State(int(of_max), int(of_min), int(turn_total), bool(max_to_move), bool(rolling)))

    def show(self, state: State) -> str:
        side = "MAX" if state.max_to_move else "MIN"
        doing = f"{side} has won" if self.is_over(state) else f"{side} rolls" if state.rolling else f"{side} to move"
        return f"MAX {state.max_score}, MIN {state.min_score}, turn total {state.turn_total}: {doing}"

    def move_name(self, move: int) -> str:
        return MOVE_NAMES[move]

    def outcome_name(self, outcome: int) -> str:
        return str(outcome)


def pig(target: int = 12, die: int = 3) -> Pig:
    """Return Pig to this target, with a die of this many sides."""
    for name, number, least, most in (("target", target, 2, MAX_TARGET), ("die", die, 2, MAX_DIE)):
        if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
            raise BadBoard(f"the {name} of pig cannot be {number!r}: choose {least}-{most}")
    return Pig(target, die)


GAME_TYPES = (
    GameType(
        "pig",
        "Pig",
        "a race with a die: roll again, or hold; a 1 loses the turn total",
        pig,
        example="pig:target=12,die=3",
        has_defaults=True,
        fields=(
            NumberField("target", "Target", 2, MAX_TARGET, "Points that win the race"),
            NumberField("die", "Sides of the die", 2, MAX_DIE, "With 6 sides and a small target, holding is never right"),
        ),
        form=(("target", "die"),),
    ),
)
