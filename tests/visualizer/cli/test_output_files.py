"""What the command line says about the files it writes, and the page about those it offers."""

import re

import pytest
from click.testing import CliRunner

from engine import PlyscopeError, connect, literal, nim, preset, search, tictactoe
from tests.visualizer.app.test_pages import open_page
from visualizer import View
from visualizer.cli.command_line import plyscope
from visualizer.cli.options import choose_max_nodes
from visualizer.drawing.paging import min_picture_width, picture_size
from visualizer.drawing.view import select_items


def run_plyscope(*arguments):
    return CliRunner().invoke(plyscope, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.mark.parametrize("extension", [".svg", ".html", ".png"])
def test_a_picture_wider_than_a_screen_gives_a_warning(extension, tmp_path):
    target = tmp_path / f"tree{extension}"
    result = run_plyscope("search", "k-tables", "--moves", "3", "--depth", "3", "-o", target)
    assert result.exit_code == 0
    match = re.search(r"plyscope: tree\S+ is ([\d,]+) pixels wide: (.*)", result.stderr)
    assert int(match[1].replace(",", "")) > 10_000
    if extension == ".png":
        assert match[2] == "--to-depth or --subtree shows less of the tree"
        return
    assert f'width="{match[1].replace(",", "")}"' in target.read_text()
    assert match[2] == "--to-depth 2 makes it narrow enough for a screen"
    assert (
        "pixels" not in run_plyscope("search", "k-tables", "--moves", "3", "--depth", "3", "--to-depth", "2", "-o", target).stderr
    )


def test_a_node_with_too_many_children_gets_no_useless_depth_advice(tmp_path):
    result = run_plyscope("search", "nim:300", "--depth", "1", "-o", tmp_path / "tree.svg")
    assert "pixels wide: --to-depth or --subtree shows less of the tree" in result.stderr


def test_other_files_give_no_warning(tmp_path):
    result = run_plyscope(
        "search", "k-tables", "--moves", "3", "--depth", "3", "-o", tmp_path / "tree.dot", "-o", tmp_path / "tree.csv"
    )
    assert result.stderr == ""


def test_states_in_files(tmp_path):
    text, table = tmp_path / "tree.txt", tmp_path / "tree.csv"
    result = run_plyscope("search", "tictactoe", "--moves", "40263", "--states", "-o", text, "-o", table)
    assert result.exit_code == 0
    assert "│   X X ." in text.read_text()
    assert ",state\n" in table.read_text()


def test_states_of_a_large_tree_are_left_out_with_a_warning(tmp_path):
    table = tmp_path / "tree.csv"
    result = run_plyscope("search", "connect4", "--depth", "7", "--states", "-o", table)
    assert result.exit_code == 0
    assert "plyscope: tree.csv has no states: they are written for up to 20,000 nodes, and this tree has 62,467" in result.stderr
    assert ",state" not in table.read_text()[:200]
    run_plyscope("search", "connect4", "--depth", "7", "--states", "--to-depth", "3", "-o", table)
    assert ",state\n" in table.read_text()[:200]


def test_values_only_have_no_states(tmp_path):
    with pytest.raises(PlyscopeError, match="states go with the style 'full'"):  # which is one sentence and exit code 2
        run_plyscope("search", "connect4", "--text-style", "values", "--states", "-o", tmp_path / "tree.txt")


@pytest.mark.parametrize(
    "tree",
    [
        lambda: search(preset("k-tables"), "3", depth=4),
        lambda: search(tictactoe(), "402"),
        lambda: search(nim([3, 2])),
        lambda: search(literal([[1, [2, 3]], 4])),
        lambda: search(connect(), depth=4, algorithm="minimax"),
    ],
)
def test_a_picture_with_a_warning_is_really_too_wide(tree):
    tree = tree()
    for view in (View(), View(max_depth=2), View(principal=True)):
        assert min_picture_width(select_items(tree, view)) <= picture_size(tree, view).width


def test_the_page_warns_of_wide_pictures_and_offers_boards():
    wide = "The picture is more than"
    app = open_page("step", {"game": "k-tables", "moves": "3", "depth": "4", "algorithm": "alphabeta"})
    assert any(wide in caption.value for caption in app.caption)
    assert any(toggle.label == "Boards" for toggle in app.toggle)
    app = open_page("step", {"game": "k-tables", "moves": "3", "depth": "2", "algorithm": "alphabeta"})
    assert not any(wide in caption.value for caption in app.caption)


def test_printed_parts_explain_their_boards(tmp_path):
    run_plyscope("search", "k-tables", "--moves", "3", "--depth", "3", "--subtree", "1", "--boards", "-o", tmp_path / "tree.html")
    page = (tmp_path / "tree.html").read_text()
    assert 'class="onpaper"' in page
    assert re.search(r'<p class="legend">.*bold: best line from the top.* · discs: MAX, rings: MIN</p>', page)


def test_an_overview_is_written_by_search_and_by_export(tmp_path):
    saved, drawn = tmp_path / "run.parquet", [tmp_path / "overview.svg", tmp_path / "again.svg"]
    done = run_plyscope("search", "connect4", "--depth", "5", "--view", "overview", "--colour", "saved", "-o", drawn[0])
    assert done.exit_code == 0
    assert "wrote" in done.stdout
    assert run_plyscope("search", "connect4", "--depth", "5", "-o", saved).exit_code == 0
    done = run_plyscope("export", saved, "--view", "overview", "--colour", "saved", "-o", drawn[1])
    assert done.exit_code == 0
    assert done.stderr == ""
    assert drawn[0].read_text() == drawn[1].read_text()
    assert "moves that a cutoff skipped" in drawn[0].read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "overview.dot"], "cannot write an overview to 'overview.dot': known formats are .svg, .png, .pdf"),
        (["-o", "overview.svg", "-o", "tree.parquet"], "known formats are .svg, .png, .pdf"),
        ([], "name its file"),
        (["-o", "overview.svg", "--colour", "red"], "there is no colouring 'red'"),
        (["-o", "overview.svg", "--best-line"], "leave out the principal variation"),
        (["-o", "overview.svg", "--algorithm", "minimax", "--colour", "node-type"], "minimax has no windows"),
    ],
)
def test_wrong_overviews_are_refused_in_one_sentence(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlyscopeError, match=re.escape(words)):
        run_plyscope("search", "connect4", "--depth", "2", "--view", "overview", *arguments)
    assert not list(tmp_path.iterdir())


def test_the_node_limit_follows_from_the_memory_unless_it_is_typed():
    assert choose_max_nodes(None, 1 << 30) == (1 << 30) // 20
    assert choose_max_nodes(None, 1 << 20) == 1_000_000  # at least a million: the memory itself is a limit, too
    assert choose_max_nodes(5, 1 << 30) == 5
