"""What a game may declare beyond the six methods that a search needs, and what holds where it declares nothing.

Everything else asks the functions here: no other module looks for an attribute of a game, or tests which game it is. A game of
the user's own may declare the same things and is then treated as those that come with Plyscope.

Names and words
    name                   what it is called
    text                   what `read_game` turns into this very game (a kind that is registered: registry.py)
    title, board_title     what people call it: "Connect 4 on 4 rows × 5 columns"; on one of several boards: "4 × 5, 4 in a line"
    words                  how sentences speak of its moves: Words
    show(state)            a state as lines of text
    move_name(move)        what people call a move
    steady_names           True: every move is a small whole number that is called the same in every state
    why_illegal(move)      why a move cannot be played

Positions
    state(moves, first)    the state after moves that are given as text; `first` is the side that made the first of them. Without
                           it the positions of a game that has a `text` are its moves from the start, as they are recorded
    single_digits          whether positions are moves of one digit each, 334, or with commas between them, 3,3,4
    checks_positions       True: state() is given every position, a list of moves or a state too, and checks it
    other_positions        positions that are no moves, by what their texts begin with, and whose they are
    position_text(position)   the text of a position that was not given as text
    how_to_type            how a person gives moves
    state_parts(state), state_of(parts)    a state as a short list of numbers and texts, and back

Values
    evaluation             the name of the evaluation that was chosen for it
    default_depth          what K usually is; None: the end
    check_depth(depth, state)   refuses a depth limit
    plies_to_end(state)    only leaves have values: it is always searched to its end, so many plies below
    whole_tree()           all of the game as a tree that can be written down (tree_formats), and who moves first
    game_size              how large its text and the game itself are (interning.py)
    most_moves             no state has more moves
    square_size            the size of its board, if that is a square
    kernel_board()         a Connect board with the same moves, states and values, which the kernel can search
    number_kind            "whole" if all its values are whole numbers, "float32" if they all fit one; else any float
    position_key(state)    what tells positions of one search apart: a whole number of 64 bits
    is_tree                True: no position can be reached on two ways, however alike two states look
    centre_distance(move)  how far from the middle of the board a move is
    noisy_moves(state)     of the moves those that may change the value a lot, which quiescence looks at beyond the horizon
    wins_only()            the same rules with the values 1, 0, -1 for won, undecided, lost; None: no win is faster than another
    evaluation_parts(state), parts_note    what a value is made of (evaluation_parts.py)

The board
    board(state)           what stands where, to be drawn (boards.py)
    cell_of(move), clicks(state)           the cells that stand for moves
    short_name(move)       what stands where there is no room for the name of a move

The end
    won_by(state)          "max", "min" or "", if the sign of the value does not say it
    counted_scores(state)  what MAX and MIN have scored so far
    winning_line(state)    the cells of the finished lines, numbered as on its board (boards.py)

Where it comes from
    preset, quirk          the published program that it is of, and what `as_published` brings back (quirks.py)
    searcher_is_max        that program is MAX
    sources                of a search that was only watched: the functions of the program, each with `name` and `lines`
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from engine.core.errors import BadGame, shortened
from engine.games.interning import GameSize
from engine.games.protocol import Replies, static_value
from engine.games.tree_formats import ReadTree

USUAL_DEPTH = 4
WINNERS = ("max", "min", "")


# ---- names and words


class Words(NamedTuple):
    """How sentences speak of moves and of the end; {name} stands for what one move is called, {names} for a list of such."""

    move: str = "move {name}"  # in the middle of a sentence; at its start the first letter becomes a capital
    by: str = "by playing {name}"  # as a means
    one: str = "move {names} is"  # a skipped move
    many: str = "moves {names} are"  # several of them
    over: str = "The game is over here: the value is"  # before the value of a state where the rules end


def words_of(game: Any) -> Words:
    """How sentences speak of the game's moves."""
    declared = getattr(game, "words", None)
    return declared if isinstance(declared, Words) else Words()


def spoken_move(game: Any, name: str) -> str:
    """A move in the middle of a sentence, by its name.

    >>> from engine import connect
    >>> spoken_move(connect(), "3")
    'column 3'
    """
    return words_of(game).move.replace("{name}", name)


def name_of(game: Any) -> str:
    """What the game is called; a game without a name by its class."""
    return str(getattr(game, "name", "") or type(game).__name__)


def title_of(game: Any) -> str:
    """What people call the game; empty where it declares nothing."""
    return _text(game, "title")


def board_title(game: Any) -> str:
    """What people call one of the boards of the game."""
    return _text(game, "board_title") or title_of(game)


def name_of_code(game: Any) -> Callable[[int], str] | None:
    """What names a move without the state it is played in; None where names may depend on it."""
    return partial(move_name, game) if getattr(game, "steady_names", False) else None


def move_name(game: Any, move: Any) -> str:
    """What people call a move of the game's own."""
    return str(game.move_name(move)) if _has(game, "move_name") else str(move)


def why_illegal(game: Any, move: int, where: str = "there") -> str:
    """Why a move cannot be played."""
    return str(game.why_illegal(move)) if _has(game, "why_illegal") else f"{move} is not legal {where}"


# ---- positions


def reads_positions(game: Any) -> bool:
    """Whether the game itself reads positions that are given as text."""
    return _has(game, "state")


def checks_positions(game: Any) -> bool:
    """Whether the game itself reads and checks whatever is given as a position."""
    return reads_positions(game) and bool(getattr(game, "checks_positions", False))


def lists_moves(game: Any) -> bool:
    """Whether positions of the game are lists of moves, as positions.py reads and writes them."""
    return hasattr(game, "single_digits") or bool(_text(game, "text"))


def single_digits(game: Any) -> bool:
    """Whether every move is one digit, so that positions need no commas."""
    return bool(getattr(game, "single_digits", False))


def other_positions(game: Any) -> Mapping[str, str]:
    """Positions that are no moves, by what their texts begin with, and whose they are."""
    return getattr(game, "other_positions", {})


def position_text(game: Any, position: Any) -> str | None:
    """The text of a position that was not given as text; None where it has none."""
    return game.position_text(position) if _has(game, "position_text") else None


def how_to_type(game: Any) -> str:
    """How a person gives moves."""
    return _text(game, "how_to_type") or "Click on the board, or type the moves from the start, with commas: 3, 3, 4"


def states_as_parts(game: Any) -> bool:
    """Whether the game can write its states, and read them again."""
    return _has(game, "state_parts") and _has(game, "state_of")


def state_parts(game: Any, state: Any) -> list[Any] | None:
    """A state as a short list of numbers and texts; None where the game declares none."""
    return list(game.state_parts(state)) if states_as_parts(game) else None


def state_of(game: Any, parts: list[Any]) -> Any:
    """The state that was written as these parts. What is no state is a ValueError, a TypeError or an IndexError."""
    if not states_as_parts(game):
        raise ValueError(f"{name_of(game)} has no states as text")
    return game.state_of(parts)


def state_text(game: Any, state: Any) -> str | None:
    """A state as a short text; None where the game declares none.

    >>> from engine import nim
    >>> state_text(nim([3, 4]), nim([3, 4]).state("1002"))
    '[[3,2],false]'
    """
    parts = state_parts(game, state)
    return None if parts is None else msgspec.json.encode(parts).decode()


def read_state(game: Any, text: str) -> Any:
    """The state that `state_text` wrote.

    >>> from engine import nim
    >>> read_state(nim([3, 4]), '[[3,2],false]')
    State(heaps=(3, 2), max_to_move=False)
    """
    return state_of(game, msgspec.json.decode(text, type=list[Any]))


# ---- values


def evaluation_name(game: Any) -> str | None:
    """The name of the evaluation that was chosen for the game; None where there is nothing to choose."""
    return _text(game, "evaluation") or None


def default_depth(game: Any) -> int | None:
    """What K usually is; None: the end."""
    return getattr(game, "default_depth", None if only_leaves_count(game) else USUAL_DEPTH)


def check_depth(game: Any, depth: int | None, state: Any) -> None:
    """Refuse a depth limit that makes no sense below a state."""
    if depth is not None and _has(game, "check_depth"):
        game.check_depth(depth, state)


def only_leaves_count(game: Any) -> bool:
    """Whether only leaves have values, so that the game is always searched to its end."""
    return _has(game, "plies_to_end")


def plies_to_end(game: Any, state: Any) -> int:
    """Of a game in which only leaves count: how many plies below the state the last of them is."""
    return int(game.plies_to_end(state))


def whole_tree(game: Any) -> ReadTree | None:
    """All of the game as a tree that can be written down; None where it is more than that."""
    return game.whole_tree() if _has(game, "whole_tree") else None


def game_size(game: Any) -> GameSize | None:
    """How large the game itself is; None where it takes next to nothing."""
    size = getattr(game, "game_size", None)
    return size if isinstance(size, GameSize) else None


def most_moves(game: Any) -> int | None:
    """The number of moves that no state exceeds; None where nobody knows."""
    return _number(game, "most_moves")


def square_size(game: Any) -> int | None:
    """The number of rows, and of columns, of a square board."""
    return _number(game, "square_size")


def kernel_board(game: Any) -> Any:
    """A Connect board with the same moves, states and values; None where the kernel cannot search the game."""
    return game.kernel_board() if _has(game, "kernel_board") else None


WHOLE, FLOAT32 = "whole", "float32"
LARGEST_FLOAT32 = float(np.finfo(np.float32).max)
LARGEST_STEP_OF_ONE = 2.0**53  # beyond it floats are further apart than 1


def number_kind(game: Any) -> str:
    """Which numbers all its values are: WHOLE, FLOAT32, or empty where they may be any floats."""
    kind = _text(game, "number_kind")
    return kind if kind in (WHOLE, FLOAT32) else ""


def neighbour(game: Any, value: float, up: bool) -> float:
    """The next number up or down that a value of the game can be: null windows are that narrow. One more or less if all its
    values are whole, else the next float; next to infinity is always the largest float (of 64 bits).

    >>> from engine import connect
    >>> neighbour(connect(), 3, up=True), neighbour(connect(), float("inf"), up=False)
    (4.0, 1.7976931348623157e+308)
    """
    kind = number_kind(game)
    if kind == WHOLE and abs(value) < LARGEST_STEP_OF_ONE:
        return value + 1.0 if up else value - 1.0
    if kind == FLOAT32 and abs(value) <= LARGEST_FLOAT32:
        return float(np.nextafter(np.float32(value), np.float32(math.inf if up else -math.inf)))
    return math.nextafter(value, math.inf if up else -math.inf)


def table_key(game: Any, state: Any, path: tuple[int, ...]) -> Any:
    """What tells positions of one search apart: a number that the game declares, in a tree the moves from the root, else the
    state itself."""
    if _has(game, "position_key"):
        return game.position_key(state)
    if getattr(game, "is_tree", False):
        return path
    return state if type(state).__hash__ is not None and _can_be_hashed(state) else frozen(state)


def _can_be_hashed(state: Any) -> bool:
    try:
        hash(state)
    except TypeError:  # a tuple with a list in it
        return False
    return True


def frozen(thing: Any) -> Any:
    """The same, as far as equality goes, in a form that a dict can have as a key."""
    if isinstance(thing, (list, tuple)):
        return tuple(map(frozen, thing))
    if isinstance(thing, Mapping):
        return frozenset((key, frozen(value)) for key, value in thing.items())
    if isinstance(thing, (set, frozenset)):
        return frozenset(thing)
    if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        return thing.shape, str(thing.dtype), thing.tobytes()
    if type(thing).__hash__ is None:
        raise BadGame(
            f"a table cannot tell states like {shortened(thing)} apart: give {type(thing).__name__} a __hash__ beside its "
            "__eq__, let the states be tuples, or declare position_key(state)"
        )
    return thing


def centre_distance(game: Any, move: Any, place: int, moves: int) -> float:
    """How far a move is from the middle: as the game says, else by its place, from 0, among so many."""
    return game.centre_distance(move) if _has(game, "centre_distance") else abs(2 * place - (moves - 1))


def tells_noisy_moves(game: Any) -> bool:
    """Whether the game says which moves are noisy."""
    return _has(game, "noisy_moves")


def noisy_moves(replies: Replies) -> dict[int, Any]:
    """Of the moves of a state those that may change its value a lot, by what is recorded of them, in their order.

    >>> from engine import connect
    >>> noisy_moves(Replies(connect(), connect().state("303132")))
    {3: 3}
    """
    game: Any = replies.game
    declared = list(game.noisy_moves(replies.state))
    noisy = {code: move for code, move in replies.moves.items() if move in declared}
    if len(noisy) != len(declared):
        raise BadGame(
            f"noisy_moves() gave {shortened(declared)} in state {shortened(replies.state)}: only moves that moves() gives are "
            "needed, each once"
        )
    return noisy


def wins_only(game: Any) -> Any:
    """The same rules with the values 1, 0 and -1 for won, undecided and lost; None where no win can be faster than another."""
    if only_leaves_count(game):
        return None
    return game.wins_only() if _has(game, "wins_only") else WinsOnly(game)


class WinsOnly:
    """A game in which only the end counts."""

    kernel_board = text = evaluation = evaluation_parts = None  # those are of the game itself
    number_kind = WHOLE

    def __init__(self, game: Any):
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def evaluate(self, state: Any) -> int:
        value = self.game.evaluate(state) if self.game.is_over(state) else 0
        return (value > 0) - (value < 0)


# ---- the end


class Outcome(NamedTuple):
    """The end of a game. `value` is what the final state is worth to MAX: of a literal tree the leaf."""

    winner: str  # "max", "min", or "" for a draw
    value: float
    scores: tuple[int, int] | None  # of MAX and of MIN, where something is counted
    line: frozenset[int]  # the cells of the board: of the winning line, or of all lines that count; empty where there are none


def outcome_of(game: Any, state: Any) -> Outcome:
    """How the game ended in a state that is over. Where nothing else decides, a positive value is a win of MAX."""
    value = static_value(game, state)
    winner = game.won_by(state) if _has(game, "won_by") else "max" if value > 0 else "min" if value < 0 else ""
    if winner not in WINNERS:
        raise BadGame(f"won_by() gave {shortened(winner)} in state {shortened(state)}: 'max', 'min' or '' is needed")
    return Outcome(winner, value, counted_scores(game, state), winning_line(game, state))


def counted_scores(game: Any, state: Any) -> tuple[int, int] | None:
    """What MAX and MIN have scored so far; None where nothing is counted."""
    return game.counted_scores(state) if _has(game, "counted_scores") else None


def winning_line(game: Any, state: Any) -> frozenset[int]:
    """The cells of all finished lines on a board, of either side.

    >>> from engine import connect, tictactoe
    >>> sorted(winning_line(connect(), connect().state("0011223")))
    [35, 36, 37, 38]
    >>> sorted(winning_line(tictactoe(), tictactoe().state("03142")))
    [0, 1, 2]
    """
    return frozenset(game.winning_line(state)) if _has(game, "winning_line") else frozenset()


# ---- where it comes from


def preset_of(game: Any) -> str:
    """The preset that the game is; empty if it is none."""
    return _text(game, "preset")


def quirk_of(game: Any) -> str:
    """The quirk of the published program that the game is of."""
    return _text(game, "quirk")


def sources_of(game: Any) -> list[Any]:
    """The functions of the program whose search was watched, as they are written; none of any other game."""
    return list(getattr(game, "sources", ()))


def searcher_is_max(game: Any) -> bool:
    """Whether the published program is MAX, and the person MIN."""
    return bool(getattr(game, "searcher_is_max", False))


def _has(game: Any, method: str) -> bool:
    return callable(getattr(game, method, None))


def _text(game: Any, name: str) -> str:
    declared = getattr(game, name, "")
    return declared if isinstance(declared, str) else ""


def _number(game: Any, name: str) -> int | None:
    declared = getattr(game, name, None)
    return declared if isinstance(declared, int) else None
