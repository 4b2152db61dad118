"""A saved tree is loaded unchanged, and an invalid file is refused with a reason."""

import json
import os
import random
import re
import sys
from functools import partial

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import connect, literal, nim, preset, search, tictactoe
from engine.games.presets import PRESETS
from engine.tree import parquet_file
from engine.tree.parquet_file import COLUMN_DTYPES, METADATA_KEY, BadTreeFile, load, make_header, save
from tests.support.games import Countdown
from tests.support.marks import ALL_EXAMPLES, mostly_slow
from tests.support.processes import run


class Halving:
    """A user's game: halve or decrement a number. Moves are texts."""

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
    "rounded": lambda: search(literal([2**53 + 1, 3])),
}


@pytest.mark.parametrize("name", TREES)
def test_a_saved_tree_comes_back_the_same(name, tmp_path):
    tree = TREES[name]()
    save(tree, tmp_path / "tree.parquet")
    loaded = load(tmp_path / "tree.parquet")
    assert loaded.search == tree.search
    assert (loaded.seconds, loaded.stopped, loaded.rounded) == (tree.seconds, tree.stopped, tree.rounded)
    for column, same in zip(tree.columns, loaded.columns, strict=True):
        assert column.dtype == same.dtype
        np.testing.assert_array_equal(column, same)
    last = loaded[len(loaded) - 1]
    assert last.state == tree[len(tree) - 1].state


def test_a_users_game_is_passed_to_load(tmp_path):
    path = tmp_path / "own.parquet"
    game = Halving()
    tree = search(game, depth=4)
    save(tree, path)
    with pytest.raises(BadTreeFile, match="load it with game="):
        load(path)
    np.testing.assert_array_equal(load(path, game=game).value, tree.value)
    save(search(game, 7, depth=4), path)
    np.testing.assert_array_equal(load(path, game=game).value, search(game, 7, depth=4).value)


def test_loading_with_another_game_is_refused(tmp_path):
    save(search(nim([3, 4])), tmp_path / "nim.parquet")
    with pytest.raises(BadTreeFile, match=re.escape("belongs to nim:3,4, not to tictactoe")):
        load(tmp_path / "nim.parquet", game=tictactoe())


def rewrite_file(path, change_header=None, change_column=None):
    """The file with another header or another column."""
    table = pq.read_table(path)
    header = msgspec.json.decode(table.schema.metadata[METADATA_KEY])
    if change_column:
        name, column = change_column
        table = table.set_column(table.column_names.index(name), name, pa.array(column))
    header.update(change_header or {})
    pq.write_table(table.replace_schema_metadata({METADATA_KEY: msgspec.json.encode(header)}), path)
    return path


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "format version 2, but this program reads version 1: update Plyscope"),
        ({"version": None}, "format version None"),
        ({"colour": "red"}, "cannot be read"),
        ({"rows": 3}, "does not have the 3 rows"),
        ({"algorithm": "guess"}, "known are minimax, alphabeta"),
        ({"dtypes": {}}, "but the columns of a tree are move, depth"),
        ({"seconds": -1.0}, "-1.0 seconds"),
        ({"game": "halma"}, "there is no game 'halma'"),
    ],
)
def test_an_unknown_header_is_refused(change, message, tmp_path):
    path = tmp_path / "tree.parquet"
    save(search(literal([[3, 12], [2, 4]])), path)
    with pytest.raises(ValueError, match=re.escape(message)):
        load(rewrite_file(path, change))


# the tree [[3, 12], [2, 4]] without pruning: rows 0, 1 (2, 3), 4 (5, 6)
@pytest.mark.parametrize(
    ("column", "values", "dtype", "message"),
    [
        ("depth", [0, 1, 2, 2, 1, 3, 2], "uint16", "damaged at row 5: its depth is 3, but the search gives 2"),
        ("depth", [0, 1, 2, 2, 0, 1, 1], "uint16", "damaged at row 4: its depth is 0, but the search gives 1"),
        ("end", [7, 4, 3, 4, 6, 6, 7], "int32", "damaged at row 4: its end is 6, but the search gives 7"),
        ("end", [7, 4, 3, 4, 99, 6, 7], "int32", "its end is 99"),
        ("flags", [8 + 3, 3, 8 + 1, 8 + 7, 3, 8 + 1, 8 + 1], "uint8", "damaged at row 3: its status is unknown (15)"),
        (
            "flags",
            [8 + 3, 1, 8 + 1, 8 + 1, 3, 8 + 1, 8 + 1],
            "uint8",
            "row 1: its status is terminal with MIN to move, but the search gives exhausted with MIN",
        ),
        ("flags", [3, 8 + 3, 1, 1, 8 + 3, 1, 1], "uint8", "row 0: its status is exhausted with MIN"),
        ("skipped", [0, 0, 1, 0, 0, 0, 0], "uint32", "row 2: its number of skipped moves is 1, but the search gives 0"),
        ("value", [3, 3, float("nan"), 12, 2, 2, 4], "float64", "row 2: its value is nan"),
        ("value", [3, 3, 3, 12, 2, 2, 4], "int64", "it must be int32 or float32 or float64"),
        ("move", [0, 0, 0, 1, 1, 0, 1], "int32", "row 0: its move is 0"),
    ],
)
def test_rows_that_differ_from_the_search_are_refused(column, values, dtype, message, tmp_path):
    path = tmp_path / "tree.parquet"
    save(search(literal([[3, 12], [2, 4]]), algorithm="minimax"), path)
    load(path)
    with pytest.raises((BadTreeFile, pa.ArrowInvalid), match=re.escape(message)):
        load(rewrite_file(path, change_column=(column, np.array(values, dtype))))


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"PAR1", b"digraph {}"])
def test_other_files_are_refused(content, tmp_path):
    (tmp_path / "x.parquet").write_bytes(content)
    with pytest.raises(BadTreeFile, match=re.escape("'x.parquet' is not a tree file, or it is damaged")):
        load(tmp_path / "x.parquet")


def test_other_parquet_files_and_missing_files_are_refused(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "x.parquet")
    with pytest.raises(BadTreeFile, match="but not a tree file"):
        load(tmp_path / "x.parquet")
    with pytest.raises(BadTreeFile, match="there is no file"):
        load(tmp_path / "y.parquet")
    os.mkfifo(tmp_path / "pipe.parquet")
    for place in (tmp_path, tmp_path / "pipe.parquet", "/dev/zero"):
        with pytest.raises(BadTreeFile, match="is not a file"):
            load(place)


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
    header = json.loads(table.schema.metadata[METADATA_KEY]) | change
    pq.write_table(table.replace_schema_metadata({METADATA_KEY: json.dumps(header).encode()}), path)
    with pytest.raises(BadTreeFile):
        load(path)


# ---- forged files: refused or loaded exactly; no crash, no excessive memory


def make_interrupted_tree():
    """A tree whose last nodes were entered but not left when Ctrl-C was pressed."""
    game = Countdown()
    entered = 0

    def is_over(state):
        nonlocal entered
        entered += 1
        if entered == 40:
            raise KeyboardInterrupt
        return Countdown().is_over(state)

    game.is_over = is_over
    tree = search(game, depth=6)
    assert tree.stopped == "interrupted"
    return tree


def search_as_published(name):
    return search(preset(name), depth=3, as_published=True)


LIARS = TREES | {
    "own": lambda: search(Countdown(), depth=4),
    "interrupted": make_interrupted_tree,
    "not compiled": lambda: search(connect(rows=4, cols=4), depth=3, compiled=False),
    "tic-tac-toe": lambda: search(tictactoe(), "4", depth=3),
    "nim": lambda: search(nim([2, 3])),
    "memory": lambda: search(connect(), depth=5, max_memory=4000),
} | {f"{name} as published": partial(search_as_published, name) for name in PRESETS}  # fmt: skip
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 11, 12, 127, -1, -2, -128, 255, 1000, 65_535, 1_000_000, 2_000_000_000, -(2**31), 2**31 - 1]
HEADERS = [
    {"K": 0}, {"K": 1}, {"K": None}, {"K": 500}, {"K": 501}, {"K": -1}, {"algorithm": "minimax"}, {"algorithm": "alphabeta"},
    {"cut_on_equal": False}, {"as_published": True}, {"as_published": False}, {"compiled": True}, {"compiled": False},
    {"stopped": ""}, {"stopped": "node limit"}, {"stopped": "bored"}, {"first": "min"}, {"first": "me"}, {"position": "1"},
    {"position": "9" * 1000}, {"state": None}, {"state": [0, 0, True]}, {"state": [[1, 1], True]}, {"state": []},
    {"game": "nim:2,3"}, {"game": "nim:999,999,999"}, {"game": "connect:rows=32,cols=32"}, {"game": "tree:[1,2]"}, {"game": ""},
]  # fmt: skip


def falsify_table(table, header, chance):
    """The table and the header with something changed."""
    table, header = {name: column.copy() for name, column in table.items()}, dict(header)
    kind = chance.choice(["cell", "cell", "cell", "cells", "swap", "cut", "repeat", "header", "type"])
    name = chance.choice(sorted(table))
    column = table[name]
    row = chance.randrange(len(column))
    if kind in ("cell", "cells"):
        for _ in range(1 if kind == "cell" else 5):
            number = chance.choice(
                [*NUMBERS, float("nan"), float("inf"), float("-inf"), 0.5][: None if column.dtype.kind == "f" else -4]
            )
            column[chance.randrange(len(column))] = np.array(number).astype(column.dtype)
    elif kind == "swap":
        other = chance.randrange(len(column))
        column[[row, other]] = column[[other, row]]
    elif kind in ("cut", "repeat"):
        keep = np.arange(max(1, row)) if kind == "cut" else np.sort(np.append(np.arange(len(column)), row))
        table = {name: column[keep] for name, column in table.items()}
        header["rows"] = len(keep)
    elif kind == "header":
        header.update(chance.choice(HEADERS))
    else:
        wanted = chance.choice(COLUMN_DTYPES[name])
        with np.errstate(all="ignore"):
            table[name] = column.astype(wanted)
        header["dtypes"] = {**header["dtypes"], name: wanted}
    return table, header


def write_table(path, table, header):
    arrays = pa.table({name: pa.array(column) for name, column in table.items()})
    pq.write_table(arrays.replace_schema_metadata({METADATA_KEY: msgspec.json.encode(header)}), path)


def load_in_process(folder):
    """Return the result of loading each file in the folder, and the megabytes it took."""
    result = run([sys.executable, "-m", "tests.support.lying_files", str(folder)])
    output = dict(json.loads(line) for line in result.stdout.splitlines())
    assert result.returncode == 0, (list(output.items())[-1:], result.stderr[-2000:])
    return output, output.pop("megabytes")


def test_a_forged_file_is_refused_or_equals_the_search(tmp_path):
    chance = random.Random(7)
    for kind, make in LIARS.items():
        save(make(), tmp_path / "true.parquet")
        stored = pq.read_table(tmp_path / "true.parquet")
        header = msgspec.json.decode(stored.schema.metadata[METADATA_KEY])
        table = {name: stored.column(name).to_numpy() for name in stored.column_names}
        write_table(tmp_path / f"{kind} true.parquet", table, header)
        for number in range(25 if ALL_EXAMPLES else 8):
            write_table(tmp_path / f"{kind} {number}.parquet", *falsify_table(table, header, chance))
        (tmp_path / "true.parquet").unlink()
    verdicts, megabytes = load_in_process(tmp_path)
    assert [verdicts[f"{kind} true.parquet"] for kind in LIARS] == ["as written"] * len(LIARS)
    wrong = {name: word for name, word in verdicts.items() if word != "as written" and not word.startswith("refused: ")}
    assert not wrong
    refused = sum(word.startswith("refused") for word in verdicts.values())
    assert refused > 0.7 * len(verdicts)
    assert megabytes < 700


@pytest.mark.parametrize("claim", [1_000, 1_000_000, 2_000_000_000])
def test_a_forged_count_of_skipped_moves_is_refused_in_one_sentence(claim, tmp_path):
    """Such files once caused a segmentation fault and took 48 GB."""
    path = tmp_path / "nim.parquet"
    tree = search(nim([3, 4]))
    save(tree, path)
    skipped = tree.columns.skipped.copy()
    skipped[tree.pruned.argmax()] = claim
    rewrite_file(path, change_column=("skipped", skipped))
    result = run([sys.executable, "-m", "visualizer.cli.main", "export", str(path), "-o", str(tmp_path / "x.txt")])
    assert result.returncode == 2
    assert f"its number of skipped moves is {claim}" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", mostly_slow(["zeros", "one level", "a true beginning", "one piece"], quick=0))
def test_a_large_forged_file_is_refused_before_it_takes_memory(kind, tmp_path):
    """Twenty million nearly empty rows: 400 MB if they were trusted."""
    group = 20 if kind == "one piece" else 1
    rows = 1 << 20
    tree = search(connect(), depth=10, max_nodes=rows)
    header = msgspec.json.decode(msgspec.json.encode(make_header(tree))) | {"rows": 20 * rows}
    table = {name: column for name, column in tree.columns._asdict().items() if len(column)}
    nothing = {name: np.zeros(group * rows, column.dtype) for name, column in table.items()}
    if kind == "one level":
        nothing["depth"][:] = 1
    schema = pa.schema(
        {name: pa.array(column[:1]).type for name, column in nothing.items()}, {METADATA_KEY: msgspec.json.encode(header)}
    )
    with pq.ParquetWriter(tmp_path / "large.parquet", schema, compression="zstd") as writer:
        if kind == "a true beginning":
            writer.write_table(pa.table(table, schema=schema), row_group_size=rows)
        for _ in range((19 if kind == "a true beginning" else 20) // group):
            writer.write_table(pa.table(nothing, schema=schema), row_group_size=group * rows)
    assert (tmp_path / "large.parquet").stat().st_size < 8_000_000
    del nothing, table, tree
    verdicts, megabytes = load_in_process(tmp_path)
    assert "damaged at row" in verdicts["large.parquet"] or "has a group of" in verdicts["large.parquet"]
    assert megabytes < 450


@pytest.mark.parametrize("max_nodes", [1_000, 100_000])
def test_loading_reports_its_progress(max_nodes, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_file, "GROUP_ROWS", 300)
    tree = search(connect(), depth=5, max_nodes=max_nodes)
    save(tree, tmp_path / "run.parquet")
    reported = []
    assert len(load(tmp_path / "run.parquet", on_progress=lambda *progress: reported.append(progress))) == len(tree)
    done = [checked for checked, _ in reported]
    assert done == sorted(done)
    assert len(done) >= 2 * len(tree) // 300
    assert reported[-1] == (2 * len(tree), 2 * len(tree))
