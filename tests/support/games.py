"""The games that the laws are tested on, and how to make random ones."""

from hypothesis import strategies as st

from engine import connect, literal, nim, preset, tictactoe
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.othello import othello
from tests.support.flips import Flips

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
NAMED = {
    "name": "A",
    "children": [
        {"move": "left", "name": "B", "children": [3, {"name": "<b>&", "value": 12}, [8, 8]]},
        {"name": 'C "$_%\\', "children": [2, {"move": "=1+1", "value": 4}]},
        7,
    ],
}


class Countdown:
    """A game of the user's own: take 1, 2 or 3 from a number; moves are words, and the same side may move twice."""

    def start(self):
        return (9, True)

    def moves(self, state):
        return [("take", n) for n in (1, 2, 3) if n <= state[0]]

    def play(self, state, move):
        number, maximizing = state[0] - move[1], state[1]
        return (number, maximizing if number % 4 == 0 else not maximizing)

    def is_over(self, state):
        return state[0] == 0

    def maximizing(self, state):
        return state[1]

    def evaluate(self, state):
        return (state[0] * 7 % 5) * (1 if state[1] else -1) + 0.5


ALL_GAMES = {
    "connect4": (connect(), 4),
    "connect count": (connect(rows=4, cols=4, connect=3, rule="count"), 4),
    "connect wide": (connect(rows=3, cols=8, connect=4, order="centre"), 3),
    "connect big": (connect(rows=9, cols=9, connect=5), 2),
    **{name: (preset(name), 3) for name in ("full-depth", "connect-m", "long-state", "threats", "k-tables")},
    "tictactoe": (tictactoe(), 4),
    "nim": (nim([2, 3, 1]), 5),
    "othello": (othello(4), 4),
    "textbook": (literal(TEXTBOOK), 2),
    "named tree": (literal(NAMED, "min"), 3),
    "countdown": (Countdown(), 5),
    "flips": (Flips(), 4),
}


@st.composite
def connect_games(draw, bits=64):
    """Any Connect board that fits the bits, with any rule, order and evaluation that goes with it."""
    if draw(st.integers(0, 3)) == 0:
        rows, cols = 6, 7
    else:
        rows = draw(st.integers(1, 8) | st.integers(1, 31))
        cols = draw(st.integers(1, min(9 if rows < 9 else 31, bits // (rows + 1))))
    if max(rows, cols) < 2:
        rows = 2
    line = draw(st.integers(2, max(rows, cols)))
    names = [name for name in EVALUATIONS if (rows, cols) == (6, 7) or name not in ("chains", "spread")]
    orders = st.permutations(range(cols)) | st.sampled_from(["left", "centre"])
    return connect(
        rows,
        cols,
        line,
        draw(st.sampled_from(["first", "count"])),
        draw(st.sampled_from(names)),
        {"max": draw(orders), "min": draw(orders)},
    )


@st.composite
def random_positions(draw, game):
    """A position met by random play, from the empty board to the full one."""
    state = game.state("", first=draw(st.sampled_from(["max", "min"])))
    length = draw(st.integers(0, game.rows * game.cols))
    random = draw(st.randoms(use_true_random=False))
    for _ in range(length):
        if game.is_over(state):
            break
        state = game.play(state, random.choice(game.moves(state)))
    return state


literal_trees = st.recursive(
    st.integers(-9, 9) | st.floats(-9, 9, allow_nan=False),
    lambda children: st.lists(children, min_size=1, max_size=4),
    max_leaves=40,
)
