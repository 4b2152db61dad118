"""A tree that was saved comes back the same, and a file that is no tree is refused with a reason."""

import json
import random
import re

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import connect, literal, nim, preset, search, tictactoe
from engine.tree_file import KEY, BadTreeFile, load, save


class Halving:
    """A game of one's own: halve or decrement a number; the moves are words."""

    def start(self):
        return 9

    def moves(self, state):
        return ["halve", "decrement"]

    def play(self, state, move):
        return state // 2 if move == "halve" else state - 1

    def is_over(self, state):
        return state <= 1

    def maximizing(self, state):
        return state % 2 == 1

    def evaluate(self, state):
        return state / 3


TREES = {
    "textbook": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
    "k-tables": lambda: search(preset("k-tables"), "334", depth=3),
    "minimax": lambda: search(preset("k-tables"), "3", depth=4, algorithm="minimax"),
    "as published": lambda: search(preset("threats"), "33", depth=3, as_published=True),
    "float32": lambda: search(preset("long-state"), -4496562564508441720, depth=3),
    "strict": lambda: search(connect(rows=4, cols=5), "22", depth=4, cut_on_equal=False, first="min"),
    "from a state": lambda: search(tictactoe(), tictactoe().state("4021")),
    "nim from a state": lambda: search(nim([2, 2]), nim([2, 2]).state("1")),
    "stopped": lambda: search(preset("k-tables"), "3", depth=5, max_nodes=100),
    "one node": lambda: search(literal(7)),
}


@pytest.mark.parametrize("name", TREES)
def test_a_saved_tree_comes_back_the_same(name, tmp_path):
    tree = TREES[name]()
    save(tree, tmp_path / "tree.parquet")
    loaded = load(tmp_path / "tree.parquet")
    assert loaded.search == tree.search
    assert (loaded.seconds, loaded.stopped) == (tree.seconds, tree.stopped)
    for column, same in zip(tree.columns, loaded.columns, strict=True):
        assert column.dtype == same.dtype
        np.testing.assert_array_equal(column, same)
    last = loaded[len(loaded) - 1]
    assert last.state == tree[len(tree) - 1].state


def test_a_game_of_ones_own_is_passed_when_loading(tmp_path):
    path = tmp_path / "own.parquet"
    game = Halving()
    tree = search(game, depth=4)
    save(tree, path)
    with pytest.raises(BadTreeFile, match="load it with game="):
        load(path)
    np.testing.assert_array_equal(load(path, game=game).value, tree.value)
    save(search(game, 7, depth=4), path)
    np.testing.assert_array_equal(load(path, game=game).value, search(game, 7, depth=4).value)


def test_another_game_than_the_saved_one_is_refused(tmp_path):
    save(search(nim([3, 4])), tmp_path / "nim.parquet")
    with pytest.raises(BadTreeFile, match=re.escape("is of the game nim:3,4, not of tictactoe")):
        load(tmp_path / "nim.parquet", game=tictactoe())


def rewritten(path, change_header=None, change_column=None):
    """The file with another header or another column."""
    table = pq.read_table(path)
    header = msgspec.json.decode(table.schema.metadata[KEY])
    if change_column:
        name, column = change_column
        table = table.set_column(table.column_names.index(name), name, pa.array(column))
    header.update(change_header or {})
    pq.write_table(table.replace_schema_metadata({KEY: msgspec.json.encode(header)}), path)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "format version 2, and this program reads version 1"),
        ({"version": None}, "format version None"),
        ({"colour": "red"}, "cannot be read"),
        ({"rows": 3}, "does not hold the 3 rows"),
        ({"algorithm": "guess"}, "known are minimax, alphabeta"),
        ({"dtypes": {}}, "those of a tree are move, depth"),
        ({"seconds": -1.0}, "-1.0 seconds"),
        ({"game": "halma"}, "there is no game 'halma'"),
    ],
)
def test_a_header_that_is_not_known_is_refused(change, message, tmp_path):
    path = tmp_path / "tree.parquet"
    save(search(literal([[3, 12], [2, 4]])), path)
    with pytest.raises(ValueError, match=re.escape(message)):
        load(rewritten(path, change))


# the tree [[3, 12], [2, 4]] without pruning: rows 0, 1 (2, 3), 4 (5, 6)
@pytest.mark.parametrize(
    ("column", "values", "dtype", "message"),
    [
        ("depth", [0, 1, 2, 2, 1, 3, 2], "uint16", "damaged at row 5: its depth is more than one below"),
        ("depth", [0, 1, 2, 2, 0, 1, 1], "uint16", "damaged at row 4: a second root"),
        ("end", [7, 4, 3, 4, 6, 6, 7], "int32", "its subtree does not end where the next one begins"),
        ("end", [7, 4, 3, 4, 99, 6, 7], "int32", "its subtree does not end where the next one begins"),
        ("flags", [8 + 3, 3, 8 + 1, 8 + 7, 3, 8 + 1, 8 + 1], "uint8", "damaged at row 3: its status is unknown"),
        ("flags", [8 + 3, 1, 8 + 1, 8 + 1, 3, 8 + 1, 8 + 1], "uint8", "damaged at row 1: a leaf with children"),
        ("flags", [3, 8 + 3, 1, 1, 8 + 3, 1, 1], "uint8", "its first row is not the root"),
        ("skipped", [0, 0, 1, 0, 0, 0, 0], "uint32", "damaged at row 2: moves are skipped"),
        ("value", [3, 3, float("nan"), 12, 2, 2, 4], "float64", "not a number"),
        ("value", [3, 3, 3, 12, 2, 2, 4], "int64", "int32 or float32 or float64 is needed"),
        ("move", [0, 0, 0, 1, 1, 0, 1], "int32", "its first row is not the root"),
    ],
)
def test_rows_that_make_no_tree_are_refused(column, values, dtype, message, tmp_path):
    path = tmp_path / "tree.parquet"
    save(search(literal([[3, 12], [2, 4]]), algorithm="minimax"), path)
    load(path)
    with pytest.raises((BadTreeFile, pa.ArrowInvalid), match=re.escape(message)):
        load(rewritten(path, change_column=(column, np.array(values, dtype))))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"digraph {}"])
def test_another_file_is_no_tree_file(content, tmp_path):
    (tmp_path / "x.parquet").write_bytes(content)
    with pytest.raises(BadTreeFile, match=re.escape("'x.parquet' is no tree file, or a damaged one")):
        load(tmp_path / "x.parquet")


def test_other_parquet_files_and_missing_ones_are_named_as_such(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(BadTreeFile, match="but no tree file"):
        load(tmp_path / "x.parquet")
    with pytest.raises(BadTreeFile, match="there is no file"):
        load(tmp_path / "y.parquet")


def test_no_flipped_bit_changes_a_tree_silently(tmp_path):
    tree = search(preset("k-tables"), "3", depth=3)
    path = tmp_path / "tree.parquet"
    save(tree, path)
    whole = path.read_bytes()
    shuffle = random.Random(1)
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[shuffle.randrange(len(whole))] ^= 1 << shuffle.randrange(8)
        path.write_bytes(damaged)
        try:
            again = load(path)
        except ValueError:
            continue
        for old, new in zip(tree.columns, again.columns, strict=True):
            assert (old == new).all()


@pytest.mark.parametrize(
    "change", [{"game": "tree:5"}, {"game": "tictactoe"}, {"state": [-1, 0, False]}, {"state": [2**64, 0, False]}]
)
def test_a_header_that_does_not_fit_its_rows_is_refused(tmp_path, change):
    tree = search(preset("k-tables"), "3", depth=2)
    path = tmp_path / "tree.parquet"
    save(tree, path)
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[KEY]) | change
    pq.write_table(table.replace_schema_metadata({KEY: json.dumps(header).encode()}), path)
    with pytest.raises(BadTreeFile):
        load(path)
