"""Everything that reads foreign text or bytes answers, or refuses in a sentence; nothing crashes, hangs or is evaluated.

Some examples in every run; `python -m tests.test_fuzz 10` goes on for ten minutes, with new examples every time.
"""

import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from engine import PlyscopeError, literal, preset, search
from engine.algorithms.variants import read_variants
from engine.checker.run_file import read_run_file
from engine.core.parsing import read_depths, read_numbers, read_words
from engine.games.positions import read_position
from engine.games.registry import read_game
from engine.games.tree_formats import FORMATS, read_tree
from engine.matches.game_store import GameStore, read_games
from engine.matches.players import player_text, read_player
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid
from engine.tree.parquet_file import load, save
from tests.support.marks import examples
from visualizer.app.sections.exercises import read_exercise
from visualizer.app.state.url_params import read_comparison_params, read_match_params, read_search_params, read_tournament_params
from visualizer.viewer.bundle import read_sent_number

GAMES = ["connect4", "connect:rows=4,cols=5,connect=4,rule=count", "k-tables", "tictactoe", "nim:3,4,5", "tree:[[3,1],[2,-4]]"]
WORDS = [
    *GAMES,
    "tree-min:[1,[2,3]]",
    "random-tree:",
    "seed=7",
    "low=-3",
    "search:depth=3,faster",
    "random:seed=7",
    "human",
    "end",
    "1-6",
    "2,4,6",
    "minimax",
    "mtdf:guess=1e300",
    "alphabeta:order=killer",
    "table:slots=",
    "pvs-calls",
    "max",
]
PIECES = st.sampled_from(
    [*WORDS, ":", ",", "=", "-", "[", "]", "9" * 25, "1e999", "nan", "\0", "\ud800", "٣", "../", "<script>", " "]
)
TEXT = st.one_of(st.lists(PIECES, max_size=5).map("".join), st.text(max_size=30))
NAMES = [
    "exercise",
    "difficulty",
    "game",
    "moves",
    "first",
    "depth",
    "depths",
    "algorithm",
    "algorithms",
    "repeat",
    "strict",
    "published",
    "max",
    "min",
    "sizes",
    "games",
]
ADDRESS = st.dictionaries(st.sampled_from(NAMES), TEXT, max_size=5)
MESSAGES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@cache
def tree_file():
    """The bytes of a small tree file that is right."""
    with tempfile.TemporaryDirectory() as folder:
        save(search(preset("k-tables"), "3", depth=2), Path(folder) / "x.parquet")
        return (Path(folder) / "x.parquet").read_bytes()


@cache
def store_file():
    """The bytes of a small store of games that is right."""
    with tempfile.TemporaryDirectory() as folder:
        store = GameStore(Path(folder) / "x.db")
        Tournament(Grid("tictactoe", depths=(1, 2)), store).run()
        store.close()
        return (Path(folder) / "x.db").read_bytes()


@st.composite
def damaged_files(draw, whole):
    """A file with some bytes changed, cut off or put in."""
    content = bytearray(whole())
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(content)))
        content[place : place + draw(st.integers(0, 40))] = draw(st.binary(max_size=40))
    return bytes(content)


def read_as_file(read, extension):
    def target(content):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"x{extension}"
            path.write_bytes(content)
            read(path)

    return target


def check_player_text(text):
    assert read_player(player_text(read_player(text))) == read_player(text)


def read_contenders_back(text):
    found = read_variants(text)
    assert read_variants(",".join(one.text for one in found)) == found


def read_address(read):
    def target(parameters):
        value, wrong = read(parameters)
        assert isinstance(wrong, str)
        assert value is not None

    return target


def read_message(message):
    for count in (0, 1, 10):
        number = read_sent_number(SimpleNamespace(node=message), "node", count)
        assert number is None or (type(number) is int and 0 <= number < count)


TREES = {  # of each format something right, to be damaged, and pieces to put together
    "nested lists": (b"[[3, 12, -8.5], [2, 4e2]]", ["[", "]", ",", "3", "-1.5", "MIN", " ", "\n", "nan", "\u2212"]),
    "JSON trees": (
        b'{"name": "A", "first": "min", "children": [{"move": "a", "value": 3}, [1, 2]]}',
        ["{", "}", "[", "]", ":", ",", '"name"', '"value"', '"children"', '"first"', '"\\ud800"', "3", "\n"],
    ),
    "indented trees": (
        b'MAX root\n  a -> MIN B\n    b -> x: 3\n    "4": 12\n  2\n',
        ["MAX", "MIN", "\n", "\n  ", "\n    ", "\t", "a", "->", ":", "3", '"', "\\", "#"],
    ),
    "graphs as trees": (
        b'digraph { first=min; A -> {B C} [label="x"]; B [value=3]; C [label="4"]; /* end */ }',
        [
            "digraph",
            "{",
            "}",
            "A",
            "B",
            "->",
            "[",
            "]",
            "label",
            "value",
            "=",
            "3",
            ";",
            '"',
            "/*",
            "//",
            "\n",
            "first",
            "min",
            "<",
        ],
    ),
}


def read_written_tree(content):
    read = read_tree(content)
    game = literal(read.tree, read.first or "max")
    for form in FORMATS.values():
        if form.names or game.labels is None:
            again = read_tree(form.write(game.data, game.first))
            assert literal(again.tree, again.first or "max") == game


def mutated_texts(right, pieces):
    return st.lists(st.sampled_from(pieces), max_size=12).map("".join) | damaged_files(lambda: right) | st.text(max_size=30)


TARGETS = {
    **{name: (read_written_tree, mutated_texts(*case)) for name, case in TREES.items()},
    "games": (read_game, TEXT),
    "positions": (lambda case: read_position(read_game(case[0]), case[1]), st.tuples(st.sampled_from(GAMES), TEXT)),
    "players": (check_player_text, TEXT),
    "numbers": (lambda text: read_numbers(text, "sizes"), TEXT),
    "words": (lambda text: read_words(text, "starts"), TEXT),
    "depths": (read_depths, TEXT),
    "contenders": (read_contenders_back, TEXT),
    "addresses of Step": (read_address(read_search_params), ADDRESS),
    "addresses of Compare": (read_address(read_comparison_params), ADDRESS),
    "addresses of Play": (read_address(read_match_params), ADDRESS),
    "addresses of Tournament": (read_address(read_tournament_params), ADDRESS),
    "addresses of exercises": (read_address(read_exercise), ADDRESS),
    "messages of components": (read_message, MESSAGES),
    "tree files": (read_as_file(load, ".parquet"), damaged_files(tree_file)),
    "other files as trees": (read_as_file(load, ".parquet"), st.binary(max_size=200)),
    "stores of games": (read_as_file(lambda path: list(read_games(path)), ".db"), st.binary(max_size=200)),
    "damaged stores of games": (read_as_file(read_games, ".db"), damaged_files(store_file)),
    "run files": (read_run_file, st.binary(max_size=200) | MESSAGES.map(lambda value: repr(value).encode("utf-8", "replace"))),
}


def try_case(target, case):
    message = "fine"
    try:
        target(case)
    except PlyscopeError as error:
        message = str(error)
    assert message
    assert "\n" not in message


def make_fuzz_test(name):
    """A function that tries many cases of a target."""
    target, cases = TARGETS[name]

    @given(cases)
    def tried(case):
        try_case(target, case)

    return tried


@pytest.mark.parametrize("name", TARGETS)
def test_every_input_is_read_or_refused_with_a_sentence(name):
    examples(40)(make_fuzz_test(name))()


def fuzz_for_minutes(minutes):
    """Try new examples until the time is up; a mistake ends it with the smallest example there is."""
    until, rounds = time.monotonic() + 60 * minutes, 0
    often = settings(max_examples=500, deadline=None, derandomize=False, suppress_health_check=list(HealthCheck))
    while time.monotonic() < until:
        rounds += 1
        for name in TARGETS:
            print(f"round {rounds}: {name}", flush=True)
            often(seed(time.monotonic_ns())(make_fuzz_test(name)))()


if __name__ == "__main__":
    fuzz_for_minutes(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
