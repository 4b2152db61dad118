"""Searches in iterations in files: saved and loaded, exported with visits and means, hardly visited nodes left out."""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from engine import connect, literal, load, save, search, tictactoe
from engine.algorithms import ITERATIVE_ALGORITHMS
from engine.core.errors import BadTreeFile, PlyscopeError
from visualizer import export
from visualizer.drawing.view import BadView, View, select_items
from visualizer.exporters import FORMATS, find_exporter, is_animation
from visualizer.exporters.json import read_json

every_algorithm = pytest.mark.parametrize("algorithm", ITERATIVE_ALGORITHMS)
EXTENSIONS = [extension for extension in FORMATS if extension not in (".png", ".pdf", ".yaml") and not is_animation(extension)]


REFUSED = (".yaml", ".gif", ".webp")  # they show calls


def make_tree(algorithm="mcts", iterations=80, **options):
    return search(connect(rows=4, cols=4), algorithm=algorithm, iterations=iterations, seed=7, **options)


def write_text(tree, extension, view=None):
    return b"".join(find_exporter(f"x{extension}").chunks(tree, view)).decode()


def assert_equal_trees(one, other):
    assert one.question.settings == other.question.settings
    assert one.stopped == other.stopped
    for first, second in ((one.columns, other.columns), (one.log, other.log)):
        for name in first._fields:
            assert np.array_equal(getattr(first, name), getattr(second, name)), name


@every_algorithm
@pytest.mark.parametrize("game", [connect(), tictactoe(), literal([[3, 12], [2, 4]])], ids=["compiled", "readable", "floats"])
def test_a_saved_search_has_the_same_tree_and_log(game, algorithm, tmp_path):
    tree = search(game, algorithm=algorithm, iterations=150, c=0.7, seed=3)
    save(tree, tmp_path / "tree.parquet")
    assert_equal_trees(load(tmp_path / "tree.parquet"), tree)
    assert_equal_trees(read_json(write_text(tree, ".json")), tree)


def test_a_stopped_search_is_saved_as_far_as_it_came(tmp_path):
    for limits in ({"max_nodes": 60}, {"on_progress": lambda done: done < 2000}):
        tree = search(connect(), algorithm="mcts", iterations=100_000, compiled=True, **limits)
        assert tree.stopped
        save(tree, tmp_path / "tree.parquet")
        assert_equal_trees(load(tmp_path / "tree.parquet"), tree)


@pytest.mark.parametrize("name", ["visits", "born", "value", "move", "end", "flags"])
def test_a_changed_file_is_refused(name, tmp_path):
    document = json.loads(write_text(make_tree(), ".json"))
    node = document["nodes"][9]
    key = "status" if name == "flags" else name
    node[key] = "exhausted" if name == "flags" and node[key] == "open" else "open" if name == "flags" else node[key] + 1
    with pytest.raises(BadTreeFile, match="row 9"):
        read_json(json.dumps(document))


def test_missing_rows_and_columns_are_refused():
    document = json.loads(write_text(make_tree(), ".json"))
    longer = json.loads(json.dumps(document).replace('"seed": 7', '"seed": 8'))
    with pytest.raises(BadTreeFile, match="damaged"):
        read_json(json.dumps(longer))
    del document["header"]["dtypes"]["visits"]
    with pytest.raises(BadTreeFile, match="no column 'visits'"):
        read_json(json.dumps(document))


def test_tables_hold_visits_and_means():
    tree = make_tree("mcts-solver", 400)
    rows = list(csv.DictReader(io.StringIO(write_text(tree, ".csv"))))
    nodes = json.loads(write_text(tree, ".json"))["nodes"]
    for node, row, entry in zip(tree[:], rows, nodes, strict=True):
        known = (node.visits, node.born, node.proven, node.mean)
        assert (int(row["visits"]), int(row["born"]), int(row["proven"]), float(row["mean"])) == known
        assert (entry["visits"], entry["born"], entry["proven"], entry["mean"]) == known
    graph = ElementTree.fromstring(write_text(tree, ".graphml"))
    found = [data.text for data in graph.iter("{http://graphml.graphdrawing.org/xmlns}data") if data.get("key") == "visits"]
    assert found == [str(node.visits) for node in tree[:]]


@every_algorithm
@pytest.mark.parametrize("extension", EXTENSIONS)
def test_every_format_writes_every_algorithm(extension, algorithm, tmp_path):
    export(make_tree(algorithm), tmp_path / f"tree{extension}")
    assert (tmp_path / f"tree{extension}").stat().st_size > 100


@pytest.mark.parametrize("extension", [".dot", ".svg", ".tex", ".txt"])
def test_pictures_show_visits_and_means_instead_of_windows(extension):
    tree = make_tree(iterations=300)
    text = write_text(tree, extension, View(min_visits=20))
    best = tree.root.best_child
    assert f"{best.visits} visits" in text
    assert f"{best.value:.2f}" in text
    assert "300 iterations" in text
    assert "∞" not in text
    assert "?" not in text.replace("<?xml", "")


def test_hardly_visited_nodes_are_left_out():
    tree = make_tree(iterations=300)
    shown = select_items(tree, View(min_visits=20))
    assert shown.row.tolist() == np.flatnonzero(tree.visits >= 20).tolist()
    assert shown.hidden.sum() == len(tree) - len(shown)
    assert len(select_items(tree, View(min_visits=10**6))) == 1
    with pytest.raises(BadView, match="min_visits=3: alphabeta does not run in iterations"):
        select_items(search(tictactoe(), depth=1), View(min_visits=3))


@pytest.mark.parametrize(("extension", "style"), [*((extension, {}) for extension in REFUSED), (".html", {"interactive": True})])
def test_formats_that_show_calls_refuse_iterations(extension, style, tmp_path):
    with pytest.raises(PlyscopeError, match="runs in iterations, not in calls"):
        export(make_tree(), tmp_path / f"tree{extension}", **style)


def test_a_notebook_draws_the_tree():
    shown = make_tree(iterations=30)._repr_mimebundle_()
    assert "tree.timeline" in shown["image/svg+xml"]
    assert "30 iterations" in shown["text/plain"]
