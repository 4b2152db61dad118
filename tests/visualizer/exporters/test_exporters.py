"""Every format, for every kind of tree: it is written, it is valid, and it matches the tree."""

import csv
import io
import itertools
import json
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

import networkx
import numpy as np
import pygraphviz
import pytest
import yaml

from engine import ALGORITHMS, SearchTree, chance, connect, literal, nim, preset, search, tictactoe
from engine.core.atomic_files import BadTarget
from engine.core.errors import PlyscopeError
from engine.tree.parquet_file import BadTreeFile, load
from tests.support.formats import quick_style
from tests.support.games import Countdown
from tests.support.marks import mostly_slow
from tests.support.paths import ROOT, TESTS
from tests.support.processes import run
from visualizer import (
    View,
    check_target,
    export,
    formats,
    read_json,
    to_csv,
    to_dot,
    to_graphml,
    to_html,
    to_json,
    to_networkx,
    to_svg,
    to_tex,
    to_text,
)
from visualizer.drawing.graphviz_pictures import DrawingFailed, render_dot
from visualizer.drawing.size_limits import TooLarge
from visualizer.drawing.tree_drawing import lay_out_view, make_node_texts
from visualizer.drawing.view import STUB, BadView, select_items
from visualizer.exporters import FORMATS, UnknownFormat, find_exporter, is_animation

GOLDEN = ROOT / "sample_trees"
TREES = {
    "textbook": lambda: search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])),
    "stubs": lambda: search(preset("k-tables"), "3", depth=3),
    "one node": lambda: search(literal(7)),
    "ten thousand": lambda: search(preset("k-tables"), "324", depth=6, max_nodes=10_000),
}
MAGIC = {".png": b"\x89PNG", ".pdf": b"%PDF", ".gif": b"GIF89a", ".webp": b"RIFF"}  # how files of pixels and pages begin
SMALL_FORMATS = {".png": 3000, ".pdf": 3000, ".tex": 1000}


@pytest.fixture(scope="module", params=mostly_slow(TREES, quick=3))
def sample_tree(request):
    return TREES[request.param]()


@pytest.fixture(scope="module")
def textbook_tree():
    tree = TREES["textbook"]()
    return SearchTree(tree.search, tree.columns, 0.0)  # its seconds are in some files


def assert_valid(content: bytes, extension: str, nodes: int, items: int) -> None:
    """Check that the file is valid and holds this number of nodes; `items` counts skipped moves too."""
    if extension == ".parquet":
        assert content.startswith(b"PAR1")
        assert content.endswith(b"PAR1")
        return
    if extension in MAGIC:
        assert content.startswith(MAGIC[extension])
        return
    text = content.decode()
    if extension == ".txt":
        assert text.count("\n") == nodes + 3
    elif extension == ".csv":
        assert len(list(csv.reader(io.StringIO(text)))) == nodes + 1
    elif extension == ".json":
        assert len(json.loads(text)["nodes"]) == nodes
    elif extension == ".dot":
        assert len(re.findall(r"^  [ns]\d+ \[", text, re.MULTILINE)) == items
        assert text.count(" -> ") == items - 1
    elif extension == ".graphml":
        assert text.count("<node ") == items
    elif extension == ".yaml":
        events = yaml.load(text, yaml.CSafeLoader)["events"]
        assert [event["type"] for event in events].count("expanding") == nodes == len(events) / 2
    elif extension == ".svg":
        picture = ElementTree.fromstring(text)
        assert len(picture.findall(".//{*}g/{*}title")) == items
    elif extension == ".html":
        assert text[: text.index("</svg>")].count("<g transform") == items
    elif extension == ".tex":
        tops = max(1, text.count(r"\plypart{Part"))  # the top of a part is drawn in the part above it, too
        assert text.count("[{") == items + tops - 1
        assert text.endswith("\\end{document}\n")


@pytest.mark.parametrize("extension", FORMATS)
def test_every_format_writes_every_tree(sample_tree, extension, tmp_path):
    path = tmp_path / f"tree{extension}"
    items = sample_tree.expanded + sample_tree.skipped
    if items > SMALL_FORMATS.get(extension, items):
        with pytest.raises(TooLarge, match=r"narrow it"):
            export(sample_tree, path)
        assert not path.exists()
        export(sample_tree, path, View(max_depth=2))
        return
    assert export(sample_tree, path, **quick_style(extension)) == path.stat().st_size
    assert_valid(path.read_bytes(), extension, sample_tree.expanded, items)


@pytest.mark.parametrize("extension", FORMATS)
@pytest.mark.parametrize(
    "view",
    [View(principal=True), View(max_depth=1, stubs=False), View(root=5), View(first=4), View(collapse=(1, 5)), View(around=5)],
)
def test_every_format_writes_every_view(textbook_tree, extension, view, tmp_path):
    path = tmp_path / f"tree{extension}"
    if extension == ".parquet":
        with pytest.raises(BadView, match="holds the whole tree"):
            export(textbook_tree, path, view)
        return
    export(textbook_tree, path, view, **({"size": (320, 240)} if is_animation(extension) else {}))
    part = select_items(textbook_tree, view)
    assert_valid(path.read_bytes(), extension, int((part.kind != STUB).sum()), len(part))


@pytest.mark.parametrize("extension", [e for e in FORMATS if e not in (*MAGIC, ".parquet")])
def test_the_textbook_tree_as_it_should_be(textbook_tree, extension, tmp_path):
    """The samples are golden files: `python -m visualizer.samples` writes them anew."""
    export(textbook_tree, tmp_path / f"textbook{extension}")
    golden = (GOLDEN / f"textbook-alphabeta{extension}").read_text("utf-8")
    assert (tmp_path / f"textbook{extension}").read_text("utf-8") == golden


def test_the_values_style_is_that_of_the_report(textbook_tree):
    assert to_text(textbook_tree, style="values") == (
        "(3)\n ├──(3)\n │   ├──(3)\n │   ├──(12)\n │   └──(8)\n ├──(2)\n │   └──(2)\n"
        " └──(2)\n     ├──(14)\n     ├──(5)\n     └──(2)\n"
    )


def plain_values_text(tree):
    """The report's format by its description, node by node."""
    lines = []

    def write(row, padding, pointer):
        lines.append(f"{padding}{pointer}({tree[row].value:.0f})")
        below = "" if not pointer else padding + ("    " if pointer == " └──" else " │  ")
        children = tree.child_rows(row)
        for child in children:
            write(child, below, " └──" if child == children[-1] else " ├──")

    write(0, "", "")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_values_style_of_whole_searches(algorithm):
    tree = search(preset("k-tables"), "33443", depth=3, algorithm=algorithm)
    assert to_text(tree, style="values") == plain_values_text(tree)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
def test_the_values_style_is_what_the_original_program_wrote(algorithm):
    tree = search(preset("k-tables"), "3", depth=2, algorithm=algorithm, as_published=True)
    dumped = TESTS / "golden" / "trees" / f"chains_pos3_K2_{algorithm}.txt"
    assert to_text(tree, style="values").encode() == dumped.read_bytes()


def test_text_over_many_blocks_is_the_same(monkeypatch):
    from visualizer.exporters import csv, dot, json, line_writer, text

    tree = search(preset("k-tables"), "3", depth=4)
    once = [to_text(tree), to_text(tree, style="values"), to_dot(tree), to_json(tree), to_csv(tree)]
    for module in (csv, dot, json, text):
        monkeypatch.setattr(module, "BLOCK_ITEMS", 7)
    monkeypatch.setattr(line_writer, "CHUNK_BYTES", 100)
    assert [to_text(tree), to_text(tree, style="values"), to_dot(tree), to_json(tree), to_csv(tree)] == once


# ---- what the formats say


def test_graphviz_and_networkx_read_the_dot(sample_tree):
    if sample_tree.expanded > 3000:
        pytest.skip("reading ten thousand nodes with pygraphviz takes long; the count above covers them")
    part = select_items(sample_tree)
    graph = pygraphviz.AGraph(to_dot(sample_tree))
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (len(part), len(part) - 1)
    read = networkx.DiGraph(networkx.nx_agraph.from_agraph(graph))
    assert networkx.is_arborescence(read)
    for row in (0, sample_tree.expanded - 1):
        attributes = graph.get_node(f"n{row}").attr
        node = sample_tree[row]
        assert attributes["shape"] == ("triangle" if node.maximizing else "invtriangle")
        sign = {"exact": "", "lower": "≥", "upper": "≤", "open": "?"}[node.bound]
        assert attributes["label"].startswith(f"{sign}{node.value:g}")


def test_the_dot_marks_cutoffs_stubs_and_the_principal_variation(textbook_tree):
    graph = pygraphviz.AGraph(to_dot(textbook_tree))
    assert graph.get_node("n5").attr["style"] == "filled,dashed"
    legend = graph.graph_attr["label"].split("\\n", 2)[2].replace("\\n", " · ")
    assert "dashed: cutoff, the value is a bound · crossed out: skipped" in legend
    assert graph.get_node("n5").attr["label"] == "≤2\\n[3, ∞]"
    assert graph.get_edge("n5", "s7").attr["style"] == "dashed"
    assert graph.get_edge("n0", "n1").attr["penwidth"] == "3"
    assert not graph.get_edge("n0", "n5").attr["penwidth"]
    assert graph.get_edge("n0", "n5").attr["label"].strip() == "1"


def test_boards_as_labels():
    tree = search(tictactoe(), "4021", depth=1)
    graph = pygraphviz.AGraph(to_dot(tree, boards=True))
    label = graph.get_node("n0").attr["label"]
    assert label.startswith("O O X\\n. X .\\n. . .\\n")


GAMES_WITH_BOARDS = {
    "connect": (lambda: search(connect(rows=4, cols=4), "0112", depth=2), {"disc", "ring", "grid"}),
    "tictactoe": (lambda: search(tictactoe(), "40263"), {"cross", "ring", "grid"}),
    "nim": (lambda: search(nim([2, 1, 30]), depth=1), {"stick"}),
    "textbook": (TREES["textbook"], set()),
    "a game of one's own": (lambda: search(Countdown(), depth=3), set()),
}


@pytest.mark.parametrize("name", GAMES_WITH_BOARDS)
@pytest.mark.parametrize("view", [View(), View(principal=True)])
def test_boards_in_a_picture(name, view):
    """Every node has its own board: as many discs, marks and sticks as its state has, or its text."""
    make, classes = GAMES_WITH_BOARDS[name]
    tree = make()
    picture = ElementTree.fromstring(to_svg(tree, view, boards=True))
    items = picture.findall("{*}g[@transform]")
    seen = set()
    for item, row in zip(items, select_items(tree, view).row.tolist(), strict=True):
        board = item.find("{*}g[@transform]")
        assert (board is None) == (row < 0)
        if board is None:
            continue
        drawn = {path.get("class"): path.get("d").count("M") for path in board.findall("{*}path")}
        texts = [text.text for text in board.findall("{*}text")]
        seen |= set(drawn)
        recorded = tree[row].board
        if name in ("connect", "tictactoe"):
            assert drawn.get("disc", 0) + drawn.get("cross", 0) == recorded.count("X")
            assert drawn.get("ring", 0) == recorded.count("O")
        elif name == "nim":
            assert drawn.get("stick", 0) == sum(min(heap, 24) for heap in tree[row].state.heaps)
        else:
            assert texts == recorded.split("\n")
    assert seen == classes


@pytest.mark.parametrize("name", GAMES_WITH_BOARDS)
def test_boards_stay_within_the_picture_and_clear_of_each_other(name):
    part = select_items(GAMES_WITH_BOARDS[name][0]())
    texts = make_node_texts(part, windows=True, boards=True)
    drawing = lay_out_view(part, texts)
    box = []
    for board, x, top in zip(texts.boards, drawing.x, drawing.y + drawing.notes, strict=True):
        if board.svg:
            box.append((x - board.width / 2, x + board.width / 2, top, top + board.height))
    for index, (left, right, top, bottom) in enumerate(box):
        assert left >= 0
        assert right <= drawing.width
        assert bottom <= drawing.height - 24, "the legend stands there"
        for other in box[:index]:
            assert other[0] >= right or other[1] <= left or other[2] >= bottom or other[3] <= top
    assert (drawing.below[part.row >= 0] > drawing.notes[part.row >= 0]).all()


def test_states_in_text_stand_below_their_nodes():
    text = to_text(search(tictactoe(), "40263", depth=2), View(root=1, max_depth=1), states=True)
    assert text.split("\n\n")[1] == (
        "1  MAX  depth 1  [-inf, inf]  = 1\n"
        "│   O O X\n"
        "│   X X .\n"
        "│   O . .\n"
        "├── 5  MIN  depth 2  [-inf, inf]  = 1  terminal\n"
        "│       O O X\n"
        "│       X X X\n"
        "│       O . .\n"
        "├── 7  MIN  depth 2  [1, inf]  = 0\n"
        "│       O O X\n"
        "│       X X .\n"
        "│       O X .\n"
        "└── 8  MIN  depth 2  [1, inf]  = 0\n"
        "        O O X\n"
        "        X X .\n"
        "        O . X\n"
    )


def test_without_the_states_the_text_is_the_same():
    tree = search(connect(rows=4, cols=4), "01", depth=3)
    text, with_states = to_text(tree), to_text(tree, states=True)
    lines = with_states.splitlines()
    assert [line for line in lines if "depth" in line] == [line for line in text.splitlines() if "depth" in line]
    boards = [line.lstrip("│ ├└─") for line in lines[3:] if "depth" not in line]
    assert boards == [row.lstrip() for node in range(len(tree)) for row in tree[node].board.split("\n")]


def test_states_in_a_table():
    tree = search(tictactoe(), "40263", depth=2)
    for row in csv.DictReader(io.StringIO(to_csv(tree, states=True))):
        assert row["state"].split("/") == tree[int(row["row"])].board.split("\n")
    assert "state" not in to_csv(tree).splitlines()[0]


@pytest.mark.parametrize("extension", [".txt", ".dot", ".svg", ".tex", ".html"])
def test_a_file_of_a_part_says_that_the_counts_are_of_the_whole_search(extension):
    tree = search(preset("k-tables"), "3", depth=3)
    for view in (View(), View(root=1), View(max_depth=1)):
        text = b"".join(find_exporter(f"x{extension}").chunks(tree, view)).decode()
        before_counts = text[: text.index("234 nodes expanded")].rsplit("value", 1)[0]
        assert before_counts.endswith("the whole search: ") == (not view.is_whole)


def test_the_graph_has_everything_as_attributes(sample_tree):
    graph = to_networkx(sample_tree)
    part = select_items(sample_tree)
    assert graph.number_of_nodes() == len(part)
    assert networkx.is_arborescence(graph)
    for row in {0, sample_tree.expanded // 2, sample_tree.expanded - 1}:
        node, attributes = sample_tree[row], graph.nodes[row]
        for name in ("depth", "status", "value", "bound", "alpha", "beta", "pruned", "skipped"):
            assert attributes[name] == getattr(node, name), name
        assert attributes["side"] == ("max" if node.maximizing else "min")
        if row:
            assert graph.edges[int(node.parent), row]["move"] == node.move


@pytest.mark.parametrize("boards", [False, True], ids=["plain", "boards"])
def test_graphml_is_what_networkx_writes(sample_tree, boards):
    if sample_tree.expanded > 3000:
        pytest.skip("the small trees say the same in less time")
    assert to_graphml(sample_tree, boards=boards) == write_by_networkx(sample_tree, boards)


def test_graphml_with_names_of_all_kinds_is_what_networkx_writes():
    tree = search(
        literal({"name": "A & <B>", "children": [{"move": 'é "1"', "name": "'", "value": 1}, {"move": "], ü", "value": 2}]})
    )
    assert to_graphml(tree, boards=True) == write_by_networkx(tree, True)


@pytest.mark.parametrize("options", [{}, {"quiescence": 3}], ids=["plain", "quiescence"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_graphml_of_every_algorithm_and_of_a_part_is_what_networkx_writes(algorithm, options):
    if not options.keys() <= {option.name for option in ALGORITHMS[algorithm].options}:
        pytest.skip("without windows there is no quiescence")
    tree = search(connect(rows=4, cols=4), "01", depth=3, algorithm=algorithm, **options)
    assert bool(len(tree.columns.static)) == bool(options)
    for view in (View(), View(max_depth=2), View(max_depth=0)):
        assert to_graphml(tree, view) == write_by_networkx(tree, False, view)


def write_by_networkx(tree, boards, view=None):
    graph = to_networkx(tree, view, boards=boards)
    graph.graph.clear()  # networkx would write them as attributes of its own kind
    return "\n".join(networkx.generate_graphml(graph, named_key_ids=True)) + "\n"


def test_graphml_is_read_back_the_same(sample_tree):
    if sample_tree.expanded > 3000:
        pytest.skip("the small trees say the same in less time")
    graph = to_networkx(sample_tree)
    read = networkx.parse_graphml(to_graphml(sample_tree))
    assert networkx.is_arborescence(read)
    assert dict(read.nodes(data=True)) == {str(key): data for key, data in graph.nodes(data=True)}
    assert list(read.edges(data=True)) == [(str(a), str(b), data) for a, b, data in graph.edges(data=True)]


ROUND_TRIPS = {
    **TREES,
    "float32": lambda: search(preset("long-state"), "33", depth=3),
    "strict": lambda: search(connect(rows=4, cols=4), "01", depth=4, cut_on_equal=False, first="min"),
    "as published": lambda: search(preset("k-tables"), "335505221440012231334444626166515153626", depth=6, as_published=True),
    "thirds": lambda: search(literal([[1 / 3, 2e-300], [-1e299, 0.1]])),
}


@pytest.mark.parametrize("name", ROUND_TRIPS)
def test_json_and_tree_files_come_back_the_same(name, tmp_path):
    tree = ROUND_TRIPS[name]()
    export(tree, tmp_path / "tree.parquet")
    for read in (read_json(to_json(tree)), load(tmp_path / "tree.parquet")):
        assert read.search == tree.search
        assert (read.seconds, read.stopped) == (tree.seconds, tree.stopped)
        for column, same in zip(tree.columns, read.columns, strict=True):
            assert column.dtype == same.dtype
            np.testing.assert_array_equal(column, same)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-20], "does not hold a tree"),
        (lambda text: text.replace('"plyscope tree"', '"other"'), "has the format 'other'"),
        (lambda text: text.replace('"whole":true', '"whole":false'), "a part of a tree"),
        (lambda text: text.replace('"version":1', '"version":9'), "version 9"),
        (lambda text: text.replace('"row":4', '"row":44'), "does not hold the rows"),
        (lambda text: text.replace('"status":"cutoff"', '"status":"cut"'), "impossible number or word"),
        (lambda text: text.replace('"end":7', '"end":8'), "damaged at row 5: its end is 8, but the search gives 7"),
        (lambda text: text.replace('"depth":2', '"depth":-2'), "impossible number or word"),
        (lambda text: text.replace('"value":14', '"value":"x"'), "impossible number or word"),
        (lambda text: text.replace('"end":"int32"', '"end":"object"'), "has a column 'end' of 'object'"),
        (lambda text: "[" * 100_000, "does not hold a tree"),
    ],
)
def test_json_without_a_tree_is_refused(textbook_tree, change, message):
    with pytest.raises(BadTreeFile, match=re.escape(message)):
        read_json(change(to_json(textbook_tree)))


def test_csv_holds_the_columns(sample_tree):
    table = list(csv.DictReader(io.StringIO(to_csv(sample_tree))))
    for name, column in (
        ("parent", sample_tree.parent),
        ("depth", sample_tree.depth),
        ("move", sample_tree.move),
        ("end", sample_tree.end),
    ):
        assert [int(row[name]) for row in table] == column.tolist()
    for name in ("alpha", "beta", "value"):
        assert [float(row[name]) for row in table] == getattr(sample_tree, name).tolist()


def test_bound_values_are_never_shown_as_exact(sample_tree):
    """In text, DOT and SVG a value that is a bound has its sign."""
    text = to_text(sample_tree)
    expected = np.bincount(sample_tree.bound, minlength=4)
    assert [len(re.findall(rf"  {re.escape(sign)} -?(?:\d|inf)", text)) for sign in "=≥≤?"] == expected.tolist()
    dot = to_dot(sample_tree, View(stubs=False))
    assert [len(re.findall(rf'label="{re.escape(sign)}-?[\d∞]', dot)) for sign in "≥≤?"] == expected[1:].tolist()
    svg = to_svg(sample_tree, View(stubs=False))
    assert [len(re.findall(rf'<text y="\d+">{re.escape(sign)}-?[\d∞]', svg)) for sign in "≥≤?"] == expected[1:].tolist()


def test_collapsed_nodes_say_what_they_hide():
    tree = search(preset("k-tables"), "3", depth=5)
    child = tree[tree.child_rows(0)[0]]
    cutoffs = int(tree.pruned[child.subtree].sum())
    stub_text = f"+{child.size - 1} nodes, {cutoffs} cutoffs"
    assert stub_text in to_text(tree, View(max_depth=1))
    assert stub_text.replace(", ", "\\n") in to_dot(tree, View(max_depth=1))
    for part in stub_text.split(", "):
        assert f">{part}</text>" in to_svg(tree, View(max_depth=1))
        assert part in to_tex(tree, View(max_depth=1))


def test_pictures_and_pages_load_nothing_and_run_nothing(textbook_tree):
    for text in (to_svg(textbook_tree), to_html(textbook_tree)):
        assert "<script" not in text
        assert not re.findall(r"""(?:href|src)=["'](?!#)""", text)
        assert re.findall(r"https?://[^\s\"']+", text) in ([], ["http://www.w3.org/2000/svg"])
        assert "prefers-color-scheme:dark" in text


def bounding_boxes(svg):
    """Left, right, top and bottom of each triangle and text of a picture, texts by a generous width."""
    picture = ElementTree.fromstring(svg)
    half = max(float(number) for number in re.findall(r'id="u1-\d+" d="M0,0L([\d.]+),', svg))
    found = []
    for group in picture.findall("{*}g[@transform]"):
        x, y = (int(number) for number in re.findall(r"-?\d+", group.get("transform")))
        use = group.find("{*}use").get("href")
        wide, high = (10, 20) if use[2] == "x" else (half, 34)
        found.append((x - wide, x + wide, y, y + high))
        for text in group.findall("{*}text[@class]"):
            size = {"m": 11, "w": 10}[text.get("class")]
            wide, base = len(text.text) * size * 0.62 / 2, y + float(text.get("y"))
            found.append((x - wide, x + wide, base - size * 0.75, base + 1))
    return picture, found


@pytest.mark.parametrize("name", ["K=2", "K=3", "spread", "nim", "textbook", "principal"])
def test_nothing_in_a_picture_overlaps_or_is_cut_off(name):
    tree = {
        "K=2": lambda: search(preset("k-tables"), "3", depth=2),
        "K=3": lambda: search(preset("k-tables"), "334", depth=3),
        "spread": lambda: search(preset("long-state"), "33", depth=2),
        "nim": lambda: search(nim([2, 2])),
        "textbook": TREES["textbook"],
        "principal": lambda: search(preset("k-tables"), "3", depth=5),
    }[name]()
    picture, found = bounding_boxes(to_svg(tree, View(principal=name == "principal")))
    width, height = (int(picture.get(side)) for side in ("width", "height"))
    box = np.array(found)
    assert box[:, 0].min() >= 0
    assert box[:, 1].max() <= width
    assert box[:, 3].max() <= height - 24, "the legend stands there"
    box = box[np.lexsort((box[:, 0], box[:, 2]))]
    for index, (left, right, top, bottom) in enumerate(box):
        others = np.delete(box, index, axis=0)
        overlap = (others[:, 0] < right) & (others[:, 1] > left) & (others[:, 2] < bottom) & (others[:, 3] > top)
        assert not overlap.any(), (left, right, top, bottom, others[overlap])


def corners_of(path):
    """The points of a path of M, L, H and V."""
    points = []
    for letter, numbers in re.findall(r"([MLHV])([-\d.,]+)", path):
        given = [float(number) for number in numbers.split(",")]
        points.append({"H": lambda g: (g[0], points[-1][1]), "V": lambda g: (points[-1][0], g[0])}.get(letter, tuple)(given))
    return points


@pytest.mark.parametrize(
    "view",
    [View(principal=True), View(max_depth=2), View(around=40), pytest.param(View(collapse=(1,)), marks=pytest.mark.slow), View()],
)
@pytest.mark.parametrize("name", ["connect", "tictactoe", "textbook", "uneven"])
def test_no_edge_runs_through_what_is_written(name, view):
    tree = {
        "connect": lambda: search(connect(), depth=4),
        "tictactoe": lambda: search(tictactoe(), "402", depth=4),
        "textbook": TREES["textbook"],
        "uneven": lambda: search(literal([[[1, [2, [3, 4]]], 5], 6, [[7, 8, 9], [[10, 11], 12]]])),
    }[name]()
    if (view.around or 0) >= len(tree) or (view == View() and len(tree) > 500):
        view = View(around=len(tree) - 1)
    picture, found = bounding_boxes(to_svg(tree, view))
    box = np.array(found)
    for path in picture.findall(".//{*}g[@class='edges']/{*}path"):
        points = np.array(corners_of(path.get("d")))
        for (x, y), (to_x, to_y) in itertools.pairwise(points):
            at = np.linspace(0, 1, 200)[:, None]
            on_x, on_y = x + (to_x - x) * at, y + (to_y - y) * at
            hit = (on_x > box[:, 0]) & (on_x < box[:, 1]) & (on_y > box[:, 2]) & (on_y < box[:, 3])
            assert not hit.any(), (path.get("d"), box[hit.any(axis=0)])


PACKED_TIGHTLY = tictactoe(), "40825", 4, "pvs"  # triangles that forest cannot pack without running out of numbers


@pytest.mark.parametrize(
    "arguments",
    [(literal([[3, 12, 8], [2, 4, 6]]),), PACKED_TIGHTLY, (tictactoe(), "40825", 4, "mtdf")],
    ids=["alpha-beta", "packed", "diamonds"],
)
def test_latex_compiles(arguments, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex here to compile it")
    export(search(*arguments), tmp_path / "tree.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tree.tex"]
    result = run(command, cwd=tmp_path, text=False)
    assert result.returncode == 0, result.stdout[-2000:]
    assert (tmp_path / "tree.pdf").read_bytes().startswith(b"%PDF")


def test_latex_keeps_long_moves_apart_and_writes_small_numbers_as_powers():
    chances = search(literal([5, chance((0.5, [4, 9]), (0.5, [3, 8]))]), algorithm="star2")
    apart = [float(points) for points in re.findall(r"s sep=([\d.]+)pt", to_tex(chances).split(r"\begin{forest}")[1])]
    letters = len("1 (1/2)")
    assert max(apart) * 0.66 > 2 * letters  # the moves to two skipped outcomes: at least two points a letter
    assert "s sep" not in to_tex(search(literal([[3, 12], [2, 4]]))).split(r"\begin{forest}")[1]
    assert r"$1\cdot 10^{-7}$" in to_tex(search(literal([1e-7, 0])))


def test_latex_brackets_balance(sample_tree):
    text = to_tex(sample_tree, View(max_depth=2))
    body = text[text.index("\\begin{forest}") : text.index("\\end{forest}")]
    bare = re.sub(r"\{\[\}|\{\]\}|\$\[[^$]*\]\$", "", body)
    assert bare.count("[") == bare.count("]")
    assert bare.count("{") == bare.count("}")


def test_pdf_fonts_are_embedded(textbook_tree, tmp_path):
    export(textbook_tree, tmp_path / "tree.pdf")
    assert b"/FontFile" in (tmp_path / "tree.pdf").read_bytes()


def test_graphviz_that_fails_or_hangs_is_an_error():
    with pytest.raises(DrawingFailed, match=r"could not draw the .png"):
        render_dot(b"no graph", "png")
    with pytest.raises(DrawingFailed, match=r"did not finish the .pdf within 0.01 s"):
        render_dot(b"digraph {a}", "pdf", seconds=0.01)


@pytest.mark.slow
def test_an_illegible_png_is_refused(tmp_path):
    tree = search(preset("k-tables"), "3", depth=4, algorithm="minimax")
    with pytest.raises(DrawingFailed, match=r"too wide for a readable \.png: narrow the view, or write \.pdf or \.svg"):
        export(tree, tmp_path / "x.png")


# ---- asking


def test_bad_targets_are_refused_before_any_work(tmp_path):
    with pytest.raises(UnknownFormat, match=r"cannot export to 'tree.doc': known formats are .dot, .txt, .svg"):
        check_target(tmp_path / "tree.doc")
    with pytest.raises(UnknownFormat):
        check_target(tmp_path / "tree")
    with pytest.raises(BadTarget, match="there is no folder"):
        check_target(tmp_path / "nowhere" / "tree.svg")
    assert check_target(tmp_path / "TREE.SVG") == tmp_path / "TREE.SVG"
    for error in (UnknownFormat, BadTarget, TooLarge, BadView, DrawingFailed):
        assert issubclass(error, ValueError)


def test_more_than_a_format_holds_is_refused(tmp_path):
    tree = search(connect(), depth=8)
    for extension in (".svg", ".html", ".graphml"):
        with pytest.raises(TooLarge, match=r"can hold 200,000 nodes, and this view has \d{3},\d{3}: narrow it"):
            export(tree, tmp_path / f"x{extension}")
    with pytest.raises(TooLarge, match="a networkx graph"):
        to_networkx(tree)
    with pytest.raises(TooLarge, match="boards as labels"):
        export(tree, tmp_path / "x.dot", boards=True)
    with pytest.raises(TooLarge, match=r"an \.svg with boards can hold 20,000 nodes"):
        export(tree, tmp_path / "x.svg", View(max_depth=6), boards=True)
    for extension in (".txt", ".csv"):
        with pytest.raises(TooLarge, match=rf"a \{extension} with states can hold 20,000 nodes"):
            export(tree, tmp_path / f"x{extension}", states=True)
    assert list(tmp_path.iterdir()) == []


def test_options_that_a_format_does_not_have_are_refused(textbook_tree, tmp_path):
    with pytest.raises(PlyscopeError, match=r"no option of .txt 'windows'"):
        export(textbook_tree, tmp_path / "x.txt", windows=True)
    with pytest.raises(PlyscopeError, match="no text style 'short'"):
        export(textbook_tree, tmp_path / "x.txt", style="short")
    with pytest.raises(PlyscopeError, match=r"\.json has no options"):
        export(textbook_tree, tmp_path / "x.json", style="values")
    with pytest.raises(PlyscopeError, match="states go with the style 'full'"):
        export(textbook_tree, tmp_path / "x.txt", style="values", states=True)
    assert list(tmp_path.iterdir()) == []


def test_every_format_is_described():
    described = formats()
    assert list(described) == list(FORMATS)
    assert all(described.values())


def test_progress_is_reported_for_large_files(tmp_path):
    progress = []
    size = export(search(preset("k-tables"), "3", depth=6), tmp_path / "x.json", on_progress=progress.append)
    assert size > 3_000_000
    assert progress[-1] == size
    assert progress == sorted(progress)


def test_importing_stays_light():
    code = "import sys, visualizer; print([m for m in ('numba', 'streamlit', 'networkx', 'pyarrow') if m in sys.modules])"
    environment = {"PYTHONPATH": str(ROOT)}
    result = run([sys.executable, "-c", code], env=environment)
    assert result.stdout == "[]\n"


def test_a_tree_shows_itself_in_a_notebook(textbook_tree):
    assert textbook_tree._repr_svg_() == to_svg(textbook_tree)
    large = search(preset("k-tables"), "3", depth=6)
    picture = large._repr_svg_()
    assert 5 < picture.count("<g transform") <= 500
    assert int(re.search(r'width="(\d+)"', picture)[1]) <= 2000


def test_memory_stays_bounded_while_writing():
    """The pieces are small, however large the file."""
    from visualizer.exporters import find_exporter

    tree = search(preset("k-tables"), "3", depth=6, algorithm="minimax")
    for extension in (".dot", ".txt", ".json", ".csv"):
        sizes = [len(piece) for piece in find_exporter("x" + extension).chunks(tree)]
        assert sum(sizes) > 1_000_000
        assert max(sizes) < 1_200_000


@pytest.mark.parametrize(
    ("extension", "words"),
    [
        (".txt", ["1  CHANCE  depth 1", "0 (1/2)  MIN  depth 2"]),
        (".dot", [' shape=circle color="#6F6F78"', '[label="  1 (1/2)  "]']),
        (".svg", [", chance, value 3.5", "● chance", "0 (1/2)", 'class="chance"']),
        (".tex", ["ply chance", "0 (1/2)"]),
        (".graphml", [">chance<"]),
    ],
)
def test_chance_is_a_circle_with_probabilities_at_its_edges(extension, words, tmp_path):
    tree = search(literal([5, chance((0.5, [4, 9]), ("1/2", [3, 8]))]), algorithm="star1")
    export(tree, tmp_path / f"chance{extension}")
    written = (tmp_path / f"chance{extension}").read_text("utf-8")
    for expected in words:
        assert expected in written
