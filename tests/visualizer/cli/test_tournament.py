"""The output and the files of `plyscope tournament`."""

import csv
import io
import json
import re
from xml.etree import ElementTree

import pytest

from engine.analysis.published_figures import HEAT_MAPS, cell_winner
from engine.core.errors import BadList
from engine.core.parsing import read_numbers
from engine.matches.tournament import CellGame, CellResult, Tournament
from engine.matches.tournament_grid import Fixture, Grid
from tests.support.processes import run_command
from tests.visualizer.cli.test_commands import run_plyscope
from visualizer.drawing import scene, tournament_heatmap
from visualizer.drawing.theme import DARK, LIGHT, level_colours
from visualizer.narration.tournament_notes import describe_unfinished, list_tournament_notes
from visualizer.report.tournament_files import FILE_RENDERERS, summarize_tournament

PUBLISHED = Grid("connect-m", sizes=(3, 4, 5, 6))


@pytest.fixture(scope="module")
def published_cells():
    return Tournament(PUBLISHED).run().cells()


@pytest.mark.slow  # the page does the same in every run
def test_the_published_heat_maps_cell_for_cell_on_the_command_line():
    process = run_plyscope("tournament", "connect-m", "--json")
    result = json.loads(process.stdout)
    assert process.stderr == ""
    cells = result["cells"]
    assert list(cells[0])[:6] == ["size", "depth1", "depth2", "wins1", "wins2", "draws"]
    measured = {(cell["size"], cell["depth1"], cell["depth2"]): (cell["wins1"], cell["wins2"], cell["draws"]) for cell in cells}
    won = {"0": (0, 0, 3), "1": (3, 0, 0), "2": (0, 3, 0)}
    assert measured == {
        (size, depth1, depth2): won[cell]
        for size, (rows, _) in HEAT_MAPS.items()
        for depth1, row in enumerate(rows, start=1)
        for depth2, cell in enumerate(row, start=1)
    }
    assert [board["draws"] for board in result["draws"]] == [draws for _, draws in HEAT_MAPS.values()]
    assert all(cell["repeated"] and cell["played"] == 1 for cell in cells)


@pytest.mark.slow
def test_the_tables_on_the_terminal():
    output = run_plyscope("tournament", "connect-m", "--sizes", "3", env={"COLUMNS": "140", "PATH": ""}).stdout
    assert "3 × 3, 3 in a row" in output
    assert ["1", "2:3*", "2:3*", "2:3*", "2:3*"] in [line.split() for line in output.splitlines()]
    assert "12 of 48" in output
    assert "Both players are deterministic" in output
    assert "The report concludes that players of equal depth draw" in output
    assert "16 of 16 cells have the same winner as the published heat maps" in output


def test_notes_say_what_the_data_say(published_cells):
    notes = " ".join(list_tournament_notes(PUBLISHED, published_cells))
    equal = [cell for cell in published_cells if cell.depth1 == cell.depth2]
    assert f"{sum(cell_winner(cell) == 0 for cell in equal)} of the {len(equal)} cells of equal depths are draws" in notes
    opened = Grid("connect-m", sizes=(3,), depths=(1,), games=9, openings=1)
    notes = " ".join(list_tournament_notes(opened, Tournament(opened).run().cells()))
    assert "the cells count 9 games, and 3 of them are different" in notes
    assert "report" not in notes


@pytest.mark.parametrize(
    ("wins1", "wins2", "draws", "words"),
    [
        (1, 0, 1, "player 1 (MAX) wins 1 game, player 2 (MIN) wins 0 games, and 1 game is a draw."),
        (2, 1, 0, "player 1 (MAX) wins 2 games, player 2 (MIN) wins 1 game, and 0 games are draws."),
    ],
)
def test_one_game_is_one_game(wins1, wins2, draws, words):
    cell = CellResult(
        None, "tictactoe", 2, 2, "", "", "alphabeta", "max", "search:depth=2", "search:depth=2", wins1, wins2, draws, []
    )
    notes = list_tournament_notes(Grid("tictactoe", depths=(2,)), [cell])
    assert notes == ["MAX moves first in every game.", f"Between players of equal depth, {words}"]


@pytest.mark.parametrize(
    ("counts", "times", "words", "label"),
    [
        ((3, 0, 0), [3], "MAX wins 3 games (always the same game)", "MAX*"),
        ((0, 1, 0), [1], "MIN wins 1 game", "MIN"),
        ((1, 1, 1), [1, 1, 1], "MAX wins 1 game, MIN wins 1 game, 1 game is a draw", "▲1 ▼1 =1"),
        ((0, 0, 3), [2, 1], "3 games are draws (some are the same game)", "draw*"),
    ],
)
def test_a_cell_as_text(counts, times, words, label):
    fixture = Fixture("tictactoe", "search:depth=1", "search:depth=2", "max", "")
    games = [CellGame(fixture, "0", "", number) for number in times]
    cell = CellResult(None, "tictactoe", 1, 2, "", "", "alphabeta", "max", fixture.max_player, fixture.min_player, *counts, games)
    assert tournament_heatmap.describe_result(cell) == words
    assert tournament_heatmap.describe_cell(cell) == f"MAX with K=1 against MIN with K=2: {words}"
    assert tournament_heatmap.label_cell(cell) == label


@pytest.mark.parametrize("stop", range(1, 12))
def test_the_numbers_of_a_stopped_tournament_add_up(stop):
    """Games played = games that the finished cells show + games of other cells; the note counts the same games as the cells."""
    grid = Grid("connect-m", sizes=(3,), depths=(1, 2), games=4, openings=1)
    tournament = Tournament(grid)
    tournament.run(on_game=lambda played: len(tournament.played) < stop)
    sentence = describe_unfinished(tournament)
    cells = tournament.cells()
    played, fixtures = map(int, re.match(r"(\d+) of (\d+) different games", sentence).groups())
    assert (played, fixtures) == (min(stop, len(tournament.fixtures)), len(tournament.fixtures))
    shown = sum(len(cell.games) for cell in cells)
    others = int((re.search(r"the other (\d+) belong", sentence) or ["0", "0"])[1]) or "the other one" in sentence
    assert shown + others == played or (not cells and "No cell is finished" in sentence)
    for note in list_tournament_notes(grid, cells):
        if counts := re.search(r"the cells count (\d+) games, and (\d+) of them are different", note):
            assert int(counts[1]) == sum(cell.wins1 + cell.wins2 + cell.draws for cell in cells)
            assert int(counts[2]) == shown


@pytest.mark.slow
def test_every_format_is_written(tmp_path):
    outputs = [part for kind in FILE_RENDERERS for part in ("-o", str(tmp_path / f"grid{kind}"))]
    result = run_plyscope("tournament", "connect-m", "--sizes", "3-4", "--depths", "1-2", "--json", *outputs)
    assert result.returncode == 0, result.stderr
    assert sorted(path.suffix for path in tmp_path.iterdir()) == sorted(FILE_RENDERERS)
    begins = {
        ".png": b"\x89PNG",
        ".pdf": b"%PDF",
        ".svg": b"<svg",
        ".json": b"{",
        ".csv": b"size,depth1,depth2,wins1,wins2,draws",
    }
    for path in tmp_path.iterdir():
        assert path.read_bytes().startswith(begins[path.suffix])
    assert json.loads((tmp_path / "grid.json").read_text()) == json.loads(result.stdout)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "grid.csv").read_text())))
    assert [int(row["wins2"]) for row in rows] == [cell["wins2"] for cell in json.loads(result.stdout)["cells"]]


def test_the_picture_holds_every_cell_apart_from_every_other(published_cells):
    picture = tournament_heatmap.draw_heatmaps(published_cells, "", ["a note that is long enough to be wrapped " * 5])
    boxes = [(*item.points[0], *item.points[2]) for item in picture.items if isinstance(item, scene.Shape)]
    assert len(boxes) == 64 + 4 + 3  # cells, bars, legend
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left <= right <= picture.width
        assert 0 <= top <= bottom <= picture.height
        for others_left, others_top, others_right, others_bottom in boxes[:at]:
            assert left >= others_right + 2 or others_left >= right + 2 or top >= others_bottom + 2 or others_top >= bottom + 2
    assert all(scene.right_edge(item) <= picture.width for item in picture.items)
    svg = ElementTree.fromstring(FILE_RENDERERS[".svg"](PUBLISHED, published_cells))
    texts = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(text == "D:3*" for text in texts) == sum(cell.draws == 3 for cell in published_cells)
    tooltips = [path[0].text for path in svg.iter("{http://www.w3.org/2000/svg}path") if len(path)]
    assert len(tooltips) == 64
    assert tooltips[0].startswith("MAX with K=1 against MIN with K=1: ")


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_on_every_colour(palette):
    def brightness(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for name, colour in level_colours(palette).items():
        dark, light = sorted((brightness(colour), brightness(palette.text)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name


def test_cells_with_mixed_results():
    grid = Grid("connect4", depths=(1, 3), games=12, openings=3, seed=3)
    cells = Tournament(grid).run().cells()
    for cell in cells:
        assert tournament_heatmap.format_cell(cell).count(":") == sum(
            bool(times) for times in (cell.wins1, cell.wins2, cell.draws)
        )
    assert max(map(tournament_heatmap.heat_level, cells)) > 0 > min(map(tournament_heatmap.heat_level, cells))
    assert summarize_tournament(grid, cells)["cells"][0]["size"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--depths", "0"], "give 1 to 500 plies"),
        (["--depths", "x"], "is not a list of depths"),
        (["--sizes", "3-1000000000"], "write at most 1000"),
        (["--sizes", "3-900"], "choose 3-10"),
        (["--games", "0"], "at least 1"),
        (["--resume"], "--resume needs a store: add --store FILE"),
        (["-o", "grid.xyz"], "known formats are .csv, .json, .svg, .png, .pdf"),
        (["-o", "nowhere/grid.svg"], "there is no folder"),
        (["--evaluation", "line"], "did you mean 'lines'"),
        (["--jobs", "0"], "jobs"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_played(arguments, words):
    result = run_command("tournament", "connect-m", *arguments)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words in result.stderr


@pytest.mark.parametrize("text", ["", "a", "3-", "-3", "3--4", "5-3", "1,1", "1-3,2", "0-99999", "٣"])
def test_lists_that_cannot_be_read(text):
    with pytest.raises(BadList):
        read_numbers(text, "depths")


def test_a_large_picture_is_drawn_too():
    """Graphviz reads 16,384 characters of a text at most: the drawing is handed over in pieces."""
    grid = Grid("connect-m", (3, 4, 5, 6))
    cells = Tournament(grid).run().cells()
    for extension, begins in ((".png", b"\x89PNG"), (".pdf", b"%PDF-")):
        assert FILE_RENDERERS[extension](grid, cells).startswith(begins)
