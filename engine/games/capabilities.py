"""The optional capabilities of a game, beyond the six methods that a search needs, with their defaults.

All other modules ask the functions here: none looks up an attribute of a game, or tests which game it is.
A user's game may declare the same things; it is then treated like the built-in games.

Names and words
    name                   its name
    text                   the text that `read_game` turns into this game (for a registered game type: registry.py)
    title, board_title     its name for people: "Connect 4 on 4 rows × 5 columns"; on one of several boards: "4 × 5, 4 in a row"
    words                  the phrases for its moves in sentences: Phrases
    show(state)            a state as lines of text
    move_name(move)        the name of a move
    steady_names           True: every move is a small whole number that has the same name in every state
    why_illegal(move)      the reason why a move cannot be played

Positions
    state(moves, first)    the state after moves written as text; `first` is the side that made the first of them. Without
                           state(), a position of a game with a `text` is its recorded moves from the start
    single_digits          True: positions are moves of one digit each, 334; False: with commas between them, 3,3,4
    typed_names            True: state() also reads moves by name: d3,c5
    checks_positions       True: state() gets every position, also a list of moves or a state, and checks it
    other_positions        positions that are not moves: the prefix of their texts, and a sentence for games without them
    position_text(position)   the text of a position that was not given as text
    how_to_type            a hint on how to enter moves
    state_parts(state), state_of(parts)    a state as a short list of numbers and texts, and back

Values
    evaluation             the name of its chosen evaluation
    default_depth          the default of K; None: the end
    default_algorithm, default_options    the algorithm that is used if none is chosen, and its options
    check_depth(depth, state)   refuses a depth limit
    plies_to_end(state)    only leaves have values, so it is always searched to its end, this many plies below
    whole_tree()           the whole game as a tree that can be written (tree_formats), and who moves first
    game_size              the size of its text and of the game itself (interning.py)
    most_moves             the largest number of moves in a state
    square_size            the size of its board, if the board is square
    kernel_board()         a Connect board with the same moves, states and values, which the kernel can search
    number_kind            "whole" if all its values are whole numbers, "float32" if they all fit one; else any float
    position_key(state)    a whole number of 64 bits that identifies a position in one search
    is_tree                True: no position can be reached in two ways, even if two states are equal
    centre_distance(move)  the distance of a move from the middle of the board
    noisy_moves(state)     the moves that may change the value a lot; quiescence searches them beyond the horizon
    wins_only()            the same rules with the values 1, 0, -1 for won, undecided, lost; None: no win is faster than another
    evaluation_parts(state), parts_note    the parts of a value (evaluation_parts.py)
    value_range            the least and the greatest value, (low, high), where the end has a value instead of a winner
    prior(state)           a number for each move, in order: how likely it is to be good, which PUCT uses

Chance
    chances(state)         the outcomes that chance may bring with their probabilities; empty elsewhere (chance_outcomes.py)
    has_chance             False: there is no chance in this one, although it has chances()
    outcome_name(outcome)  the name of an outcome
    result_range           numbers between which all values lie, which AgainstRandom takes as value_range

The board
    board(state)           its pieces, to be drawn (boards.py)
    cell_of(move), clicks(state)           the cells that stand for moves
    short_name(move)       the short name of a move, for narrow places

The end
    won_by(state)          "max", "min" or "", if the sign of the value does not show the winner
    counted_scores(state)  the scores of MAX and MIN so far
    winning_line(state)    the cells of the finished lines, numbered as on its board (boards.py)
    winning_length         how many in a row win at once; None if no line ends the game

Where it comes from
    preset, quirk          the published program it belongs to, and the quirk that `as_published` restores (quirks.py)
    searcher_is_max        that program is MAX
    sources                for a recorded student program: its functions, each with `name` and `lines`
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from engine.core.errors import BadGame, short_repr
from engine.games.chance_outcomes import declared_range
from engine.games.interning import GameSize
from engine.games.protocol import MovesByCode, static_value
from engine.games.tree_formats import ReadTree

DEFAULT_DEPTH = 4
WINNERS = ("max", "min", "")


# ---- names and words


class Phrases(NamedTuple):
    """Phrases for moves and for the end; {name} stands for the name of a move, {names} for a list of names."""

    move: str = "move {name}"  # in the middle of a sentence; at its start the first letter becomes a capital
    by: str = "by playing {name}"  # as a means
    one: str = "move {names} is"  # a skipped move
    many: str = "moves {names} are"  # several of them
    over: str = "The game is over here: the value is"  # before the value of a final state


def game_phrases(game: Any) -> Phrases:
    """Return the phrases for the game's moves."""
    declared = getattr(game, "words", None)
    return declared if isinstance(declared, Phrases) else Phrases()


def move_phrase(game: Any, name: str) -> str:
    """Return a move, given by its name, as it stands in the middle of a sentence.

    >>> from engine import connect
    >>> move_phrase(connect(), "3")
    'column 3'
    """
    return game_phrases(game).move.replace("{name}", name)


def declared_name(game: Any) -> str:
    """Return the declared name of the game; without one, that of its class."""
    return str(getattr(game, "name", "") or type(game).__name__)


def declared_title(game: Any) -> str:
    """Return the game's name for people; empty if it declares none."""
    return _text_attribute(game, "title")


def board_title(game: Any) -> str:
    """Return the name of one of the game's boards."""
    return _text_attribute(game, "board_title") or declared_title(game)


def move_namer(game: Any) -> Callable[[int], str] | None:
    """Return the function that names a move without its state; None if names may depend on the state."""
    return partial(move_name, game) if getattr(game, "steady_names", False) else None


def move_name(game: Any, move: Any) -> str:
    """Return the name of one of the game's moves."""
    return str(game.move_name(move)) if _has_method(game, "move_name") else str(move)


def explain_illegal_move(game: Any, move: int, where: str = "there") -> str:
    """Return the reason why a move cannot be played."""
    return str(game.why_illegal(move)) if _has_method(game, "why_illegal") else f"move {move} is not legal {where}"


# ---- positions


def can_read_positions(game: Any) -> bool:
    """Return True if the game itself reads positions that are given as text."""
    return _has_method(game, "state")


def can_check_positions(game: Any) -> bool:
    """Return True if the game itself reads and checks every position."""
    return can_read_positions(game) and bool(getattr(game, "checks_positions", False))


def has_move_list_positions(game: Any) -> bool:
    """Return True if positions of the game are lists of moves, as positions.py reads and writes them."""
    return hasattr(game, "single_digits") or bool(_text_attribute(game, "text"))


def has_single_digit_moves(game: Any) -> bool:
    """Return True if every move is one digit, so that positions need no commas."""
    return bool(getattr(game, "single_digits", False))


def has_typed_names(game: Any) -> bool:
    """Return True if moves of a position may also be typed by name."""
    return bool(getattr(game, "typed_names", False))


def position_prefixes(game: Any) -> Mapping[str, str]:
    """Return the prefixes of positions that are not moves, each with a sentence for games without such positions."""
    return getattr(game, "other_positions", {})


def position_text(game: Any, position: Any) -> str | None:
    """Return the text of a position that was not given as text; None if it has none."""
    return game.position_text(position) if _has_method(game, "position_text") else None


def move_input_hint(game: Any) -> str:
    """Return a hint on how to enter moves."""
    return (
        _text_attribute(game, "how_to_type")
        or "Click on the board, or type the moves from the start, separated by commas: 3, 3, 4"
    )


def can_encode_states(game: Any) -> bool:
    """Return True if the game can write its states and read them again."""
    return _has_method(game, "state_parts") and _has_method(game, "state_of")


def state_parts(game: Any, state: Any) -> list[Any] | None:
    """Return a state as a short list of numbers and texts; None if the game declares none."""
    return list(game.state_parts(state)) if can_encode_states(game) else None


def state_from_parts(game: Any, parts: list[Any]) -> Any:
    """Return the state that was written as these parts. Invalid parts raise ValueError, TypeError or IndexError."""
    if not can_encode_states(game):
        raise ValueError(f"{declared_name(game)} cannot write its states as text")
    return game.state_of(parts)


def encode_state(game: Any, state: Any) -> str | None:
    """Return a state as a short text; None if the game declares none.

    >>> from engine import nim
    >>> encode_state(nim([3, 4]), nim([3, 4]).state("1002"))
    '[[3,2],false]'
    """
    parts = state_parts(game, state)
    return None if parts is None else msgspec.json.encode(parts).decode()


def decode_state(game: Any, text: str) -> Any:
    """Return the state that `encode_state` wrote.

    >>> from engine import nim
    >>> decode_state(nim([3, 4]), '[[3,2],false]')
    State(heaps=(3, 2), max_to_move=False)
    """
    return state_from_parts(game, msgspec.json.decode(text, type=list[Any]))


# ---- values


def evaluation_name(game: Any) -> str | None:
    """Return the name of the game's chosen evaluation; None if there is nothing to choose."""
    return _text_attribute(game, "evaluation") or None


def default_depth(game: Any) -> int | None:
    """Return the default of K; None means the end of the game."""
    return getattr(game, "default_depth", None if has_leaf_values_only(game) else DEFAULT_DEPTH)


def declared_algorithm(game: Any) -> tuple[str, dict[str, Any]]:
    """Return the algorithm that the game declares as its default, and its options; an empty name if it declares none."""
    return _text_attribute(game, "default_algorithm"), dict(getattr(game, "default_options", {}))


def check_depth(game: Any, depth: int | None, state: Any) -> None:
    """Refuse a depth limit that makes no sense below a state."""
    if depth is not None and _has_method(game, "check_depth"):
        game.check_depth(depth, state)


def has_leaf_values_only(game: Any) -> bool:
    """Return True if only leaves have values, so that the game is always searched to its end."""
    return _has_method(game, "plies_to_end")


def drawn_side(game: Any) -> str:
    """Return the side whose moves are drawn by chance; "" if both sides choose theirs."""
    return _text_attribute(game, "drawn_side")


def plies_to_end(game: Any, state: Any) -> int:
    """Return the number of plies from the state to the last leaf, in a game where only leaves have values."""
    return int(game.plies_to_end(state))


def whole_tree(game: Any) -> ReadTree | None:
    """Return the whole game as a tree that can be written; None if it is not a tree."""
    return game.whole_tree() if _has_method(game, "whole_tree") else None


def game_size(game: Any) -> GameSize | None:
    """Return the size of the game itself; None if it is negligible."""
    size = getattr(game, "game_size", None)
    return size if isinstance(size, GameSize) else None


def max_branching(game: Any) -> int | None:
    """Return the largest number of moves in any state; None if it is unknown."""
    return _int_attribute(game, "most_moves")


def square_size(game: Any) -> int | None:
    """Return the number of rows, and of columns, of a square board."""
    return _int_attribute(game, "square_size")


def kernel_board(game: Any) -> Any:
    """Return a Connect board with the same moves, states and values; None if the kernel cannot search the game."""
    return game.kernel_board() if _has_method(game, "kernel_board") else None


WHOLE, FLOAT32 = "whole", "float32"
MAX_FLOAT32 = float(np.finfo(np.float32).max)
MAX_EXACT_INTEGER = 2.0**53  # above it, neighbouring floats differ by more than 1


def number_kind(game: Any) -> str:
    """Return the kind of number of all values: WHOLE, FLOAT32, or empty if they may be any floats."""
    kind = _text_attribute(game, "number_kind")
    return kind if kind in (WHOLE, FLOAT32) else ""


def adjacent_value(game: Any, value: float, up: bool) -> float:
    """Return the next possible value of the game, up or down: the width of null windows.

    It is one more or less if all values are whole, else the next float. Next to infinity is always the largest float
    (of 64 bits).

    >>> from engine import connect
    >>> adjacent_value(connect(), 3, up=True), adjacent_value(connect(), float("inf"), up=False)
    (4.0, 1.7976931348623157e+308)
    """
    kind = number_kind(game)
    if kind == WHOLE and abs(value) < MAX_EXACT_INTEGER:
        return value + 1.0 if up else value - 1.0
    if kind == FLOAT32 and abs(value) <= MAX_FLOAT32:
        return float(np.nextafter(np.float32(value), np.float32(math.inf if up else -math.inf)))
    return math.nextafter(value, math.inf if up else -math.inf)


def table_key(game: Any, state: Any, path: tuple[int, ...]) -> Any:
    """Return the key of a position in one search.

    It is the number that the game declares, in a tree the moves from the root, else the state itself.
    """
    if _has_method(game, "position_key"):
        return game.position_key(state)
    if getattr(game, "is_tree", False):
        return path
    return state if type(state).__hash__ is not None and _is_hashable(state) else make_hashable(state)


def _is_hashable(state: Any) -> bool:
    try:
        hash(state)
    except TypeError:  # a tuple with a list in it
        return False
    return True


def make_hashable(thing: Any) -> Any:
    """Return an equal value that can be a key of a dict."""
    if isinstance(thing, (list, tuple)):
        return tuple(map(make_hashable, thing))
    if isinstance(thing, Mapping):
        return frozenset((key, make_hashable(value)) for key, value in thing.items())
    if isinstance(thing, (set, frozenset)):
        return frozenset(thing)
    if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        return thing.shape, str(thing.dtype), thing.tobytes()
    if type(thing).__hash__ is None:
        raise BadGame(
            f"the transposition table cannot tell states like {short_repr(thing)} apart: give {type(thing).__name__} a __hash__ "
            "that fits its __eq__, use tuples as states, or declare position_key(state)"
        )
    return thing


def centre_distance(game: Any, move: Any, place: int, moves: int) -> float:
    """Return the distance of a move from the middle: the game's own, else from its index among the number of moves."""
    return game.centre_distance(move) if _has_method(game, "centre_distance") else abs(2 * place - (moves - 1))


def can_list_noisy_moves(game: Any) -> bool:
    """Return True if the game declares which moves are noisy."""
    return _has_method(game, "noisy_moves")


def noisy_moves(replies: MovesByCode) -> dict[int, Any]:
    """Return the moves that may change the value of a state a lot, by recorded code, in their order.

    >>> from engine import connect
    >>> noisy_moves(MovesByCode(connect(), connect().state("303132")))
    {3: 3}
    """
    game: Any = replies.game
    declared = list(game.noisy_moves(replies.state))
    noisy = {code: move for code, move in replies.moves.items() if move in declared}
    if len(noisy) != len(declared):
        raise BadGame(
            f"noisy_moves() returned {short_repr(declared)} in state {short_repr(replies.state)}: return only moves that moves() "
            "lists, each once"
        )
    return noisy


def wins_only_game(game: Any) -> Any:
    """Return the game with the values 1, 0, -1 for won, undecided, lost; None if no win can be faster than another."""
    if has_leaf_values_only(game):
        return None
    return game.wins_only() if _has_method(game, "wins_only") else WinsOnlyGame(game)


class WinsOnlyGame:
    """A game in which only the end counts."""

    kernel_board = text = evaluation = evaluation_parts = None  # they belong to the game itself
    number_kind = WHOLE

    def __init__(self, game: Any):
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def evaluate(self, state: Any) -> int:
        value = self.game.evaluate(state) if self.game.is_over(state) else 0
        return (value > 0) - (value < 0)


def value_range(game: Any) -> tuple[float, float] | None:
    """Return the least and the greatest value that a game declares; None if it declares none."""
    return declared_range(game)


def has_priors(game: Any) -> bool:
    """Return True if the game declares how likely each move is to be good."""
    return _has_method(game, "prior")


def move_priors(game: Any, state: Any, count: int) -> list[float]:
    """Return the priors of the moves of a state, which add up to 1: those that the game declares, or the same for all."""
    if not has_priors(game):
        return [1 / count] * count
    declared = game.prior(state)
    try:
        weights = list(map(float, declared))
    except (TypeError, ValueError, OverflowError):
        weights = []
    total = math.fsum(weights)
    if len(weights) != count or not all(0 <= weight < math.inf for weight in weights) or not total > 0:
        raise BadGame(
            f"prior() returned {short_repr(declared)} in state {short_repr(state)}: return a number from 0 for each of its "
            f"{count} moves, not all 0"
        )
    return [weight / total for weight in weights]


# ---- the end


class Outcome(NamedTuple):
    """The end of a game. `value` is the value of the final state for MAX; in a literal tree, the leaf."""

    winner: str  # "max", "min", or "" for a draw
    value: float
    scores: tuple[int, int] | None  # of MAX and of MIN, if something is counted
    line: frozenset[int]  # cells of the winning line, or of all lines that count; may be empty


def game_outcome(game: Any, state: Any) -> Outcome:
    """Return the outcome of a state that is over. If nothing else decides, a positive value is a win of MAX."""
    value = static_value(game, state)
    return Outcome(game_winner(game, state), value, counted_scores(game, state), winning_line(game, state))


def game_winner(game: Any, state: Any) -> str:
    """Return the winner of a state that is over: "max", "min", or "" for a draw."""
    if not _has_method(game, "won_by"):
        value = static_value(game, state)
        return "max" if value > 0 else "min" if value < 0 else ""
    winner = game.won_by(state)
    if winner not in WINNERS:
        raise BadGame(f"won_by() returned {short_repr(winner)} in state {short_repr(state)}: return 'max', 'min' or ''")
    return str(winner)


def counted_scores(game: Any, state: Any) -> tuple[int, int] | None:
    """Return the scores of MAX and MIN so far; None if nothing is counted."""
    return game.counted_scores(state) if _has_method(game, "counted_scores") else None


def winning_line(game: Any, state: Any) -> frozenset[int]:
    """Return the cells of all finished lines on a board, of either side.

    >>> from engine import connect, tictactoe
    >>> sorted(winning_line(connect(), connect().state("0011223")))
    [35, 36, 37, 38]
    >>> sorted(winning_line(tictactoe(), tictactoe().state("03142")))
    [0, 1, 2]
    """
    return frozenset(game.winning_line(state)) if _has_method(game, "winning_line") else frozenset()


def winning_length(game: Any) -> int | None:
    """Return how many in a row win the game at once; None if no line ends it.

    >>> from engine import connect, nim, tictactoe
    >>> [winning_length(game) for game in (connect(), connect(rule="count"), tictactoe(), nim([3]))]
    [4, None, 3, None]
    """
    return _int_attribute(game, "winning_length")


# ---- where it comes from


def game_preset(game: Any) -> str:
    """Return the name of the game's preset; empty if it is not a preset."""
    return _text_attribute(game, "preset")


def game_quirk(game: Any) -> str:
    """Return the quirk of the published program that the game belongs to."""
    return _text_attribute(game, "quirk")


def program_sources(game: Any) -> list[Any]:
    """Return the source of each function of a recorded program; empty for any other game."""
    return list(getattr(game, "sources", ()))


def program_sides(game: Any) -> list[str]:
    """Return who moves in the calls of each function of a recorded program: "max", "min", "both" or "root"."""
    return list(getattr(game, "source_sides", ["both"] * len(program_sources(game))))


def is_searcher_max(game: Any) -> bool:
    """Return True if the published program plays MAX and the person MIN."""
    return bool(getattr(game, "searcher_is_max", False))


def _has_method(game: Any, method: str) -> bool:
    return callable(getattr(game, method, None))


def _text_attribute(game: Any, name: str) -> str:
    declared = getattr(game, name, "")
    return declared if isinstance(declared, str) else ""


def _int_attribute(game: Any, name: str) -> int | None:
    declared = getattr(game, name, None)
    return declared if isinstance(declared, int) else None
