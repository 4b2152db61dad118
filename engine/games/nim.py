"""Nim: take any number of sticks from one heap. Taking the last stick wins: +1 for MAX, -1 for MIN. MAX starts.

A move is `heap * 1000 + taken`, so taking 2 from heap 1 (heaps count from 0) is 1002.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.core.errors import BadBoard, IllegalMove
from engine.games.boards import HEAPS, Board, format_board
from engine.games.capabilities import WHOLE, Phrases
from engine.games.evaluation_parts import EvaluationPart
from engine.games.game_types import GameType, TextField, read_whole_number
from engine.games.positions import is_max_first, play_moves, read_moves

HEAP_FACTOR = 1000
MAX_HEAPS = 20


class State(NamedTuple):
    heaps: tuple[int, ...]
    max_to_move: bool


@dataclass(frozen=True)
class Nim:
    heaps: tuple[int, ...]
    default_depth: int = 4

    # no fields: the same for every game
    single_digits = False
    steady_names = checks_positions = True
    number_kind = WHOLE
    result_range = (-1, 1)  # no value_range: its outcomes are wins, draws and losses
    how_to_type = "Click on the sticks, or type the moves from the start: 1002 takes 2 from heap 1"
    words = Phrases("taking {name}", "by taking {name}", "taking {names} is", "the moves {names} are")

    @property
    def name(self) -> str:
        return "nim:" + ",".join(map(str, self.heaps))

    @property
    def text(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        return f"Nim {', '.join(map(str, self.heaps))}"

    def start(self) -> State:
        return State(self.heaps, True)

    def moves(self, state: State) -> list[int]:
        return [heap * HEAP_FACTOR + taken for heap, size in enumerate(state.heaps) for taken in range(1, size + 1)]

    def play(self, state: State, move: int) -> State:
        heap, taken = divmod(move, HEAP_FACTOR)
        heaps = list(state.heaps)
        heaps[heap] -= taken
        return State(tuple(heaps), not state.max_to_move)

    def is_over(self, state: State) -> bool:
        return not any(state.heaps)

    def maximizing(self, state: State) -> bool:
        return state.max_to_move

    def evaluate(self, state: State) -> int:
        if any(state.heaps):
            return 0
        return -1 if state.max_to_move else 1

    def state(self, moves: str | Iterable[int] | State = "", first: str = "max") -> State:
        if isinstance(moves, State):
            if len(moves.heaps) != len(self.heaps) or not all(
                0 <= now <= was for now, was in zip(moves.heaps, self.heaps, strict=True)
            ):
                raise IllegalMove(f"{moves} is not a position of nim with the heaps {self.heaps}")
            return moves
        return play_moves(self, State(self.heaps, is_max_first(first)), read_moves(moves, self.single_digits), moves)

    def state_parts(self, state: State) -> list[Any]:
        return [list(state.heaps), state.max_to_move]

    def state_of(self, parts: list[Any]) -> State:
        heaps, max_to_move = parts
        return self.state(State(tuple(int(heap) for heap in heaps), bool(max_to_move)))

    def show(self, state: State) -> str:
        return format_board(self.board(state))

    def move_name(self, move: int) -> str:
        heap, taken = divmod(move, HEAP_FACTOR)
        return f"{taken} from heap {heap}"

    def short_name(self, move: int) -> str:
        heap, taken = divmod(move, HEAP_FACTOR)
        return f"{taken}/h{heap}"

    # ---- the board as data, and the parts of a value

    def board(self, state: State) -> Board:
        labels = tuple(f"heap {number}" for number in range(len(self.heaps)))
        return Board(state.heaps, len(self.heaps), max(self.heaps), shape=HEAPS, labels=labels)

    def clicks(self, state: State) -> dict[int, tuple[int]]:
        """Return the stick that chooses each move. A click takes the stick and all to the right of it."""
        most = max(self.heaps)
        return {
            heap * HEAP_FACTOR + size - stick: (heap * most + stick,)
            for heap, size in enumerate(state.heaps)
            for stick in range(size)
        }

    def evaluation_parts(self, state: State) -> Iterator[EvaluationPart]:
        if self.is_over(state):
            yield EvaluationPart(f"{'MIN' if state.max_to_move else 'MAX'} took the last stick", self.evaluate(state))

    def wins_only(self) -> "Nim":
        return self


def nim(heaps: Iterable[int]) -> Nim:
    """Return Nim with the given heaps.

    >>> game = nim([3, 4, 5])
    >>> game.moves(game.state("1004,2005"))
    [1, 2, 3]
    """
    sizes = tuple(heaps)
    if not 1 <= len(sizes) <= MAX_HEAPS:
        raise BadBoard(f"nim cannot have {len(sizes)} heaps: choose 1-{MAX_HEAPS}")
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int) or not 0 <= size < HEAP_FACTOR:
            raise BadBoard(f"a nim heap cannot have {size!r} sticks: choose 0-{HEAP_FACTOR - 1}")
    return Nim(sizes)


GAME_TYPES = (
    GameType(
        "nim",
        "Nim",
        "take any number of sticks from one heap; taking the last stick wins",
        lambda text: nim([read_whole_number("heap", heap) for heap in text.split(",")]),
        example="nim:3,4,5",
        rest=TextField("Heaps", "The size of each heap: 3,4,5"),
    ),
)
