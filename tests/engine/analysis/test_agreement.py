"""How often evaluations agree with the truth: what is counted, drawn, written and said."""

import csv
import io
import json
import re
from functools import cache

import pytest
from streamlit.testing.v1 import AppTest

from engine import connect, preset, search
from engine.analysis.agreement import (
    NO_DEPTH,
    RANDOM_MOVE,
    Agreement,
    Agreements,
    PositionSample,
    find_counting_evaluations,
    find_solved_positions,
    measure_missing_agreements,
    measure_random_move,
)
from engine.core.errors import PlyscopeError
from tests.support.processes import MAX_WAIT_SECONDS
from visualizer.cli.command_line import plyscope
from visualizer.drawing import agreement_chart
from visualizer.drawing.scene import Label, Shape, right_edge
from visualizer.narration.agreement_messages import MEASURES, list_agreement_notes
from visualizer.report.agreement_files import FILE_RENDERERS, format_command, summarize_agreement

GAME = "connect:rows=4,cols=4"
SAMPLE = PositionSample(GAME, 5, 3)


@cache
def measure_sample():
    wanted = [(name, depth) for name in ("none", "lines") for depth in (1, 3)]
    chance, *rows = measure_missing_agreements(SAMPLE, wanted, ())
    return Agreements(SAMPLE, tuple(rows), chance)


def test_shares_are_those_of_the_moves_that_searches_choose():
    """Counted here from the moves and the scores of all columns; chance is the mean over the legal moves."""
    found = measure_sample()
    positions = find_solved_positions(connect(rows=4, cols=4), 5, 3)

    def sign(score):
        return (score > 0) - (score < 0)

    for row in found.rows:
        game = connect(rows=4, cols=4, evaluation=row.evaluation)
        chosen = [(one, search(game, one.state, depth=row.depth).root.best_move) for one in positions]
        assert row.best == sum(one.columns[move] == max(one.columns.values()) for one, move in chosen)
        assert row.kept == sum(sign(one.columns[move]) == sign(max(one.columns.values())) for one, move in chosen)
        assert row.kept >= row.best
    each = [[sign(score) == sign(max(one.columns.values())) for score in one.columns.values()] for one in positions]
    assert found.chance == measure_random_move(positions)
    assert found.chance.kept == pytest.approx(sum(sum(kept) / len(kept) for kept in each))
    assert 0 < found.chance.best <= found.chance.kept < 5


def test_what_is_known_is_not_measured_again(monkeypatch):
    known = {(row.evaluation, row.depth) for row in measure_sample().rows} | {(RANDOM_MOVE, NO_DEPTH)}
    assert [row.depth for row in measure_missing_agreements(SAMPLE, [("none", 1), ("none", 2)], known)] == [2]
    monkeypatch.delattr("engine.analysis.agreement.find_solved_positions")
    assert list(measure_missing_agreements(SAMPLE, [("none", 1)], known)) == []


def test_positions_that_take_too_long_are_told_of(monkeypatch):
    monkeypatch.setattr("engine.analysis.agreement.MAX_SOLVER_NODES", 1)
    with pytest.raises(PlyscopeError, match="choose a smaller board"):
        find_solved_positions(connect(), 1)


def test_every_file_holds_what_was_measured(tmp_path, capsys):
    arguments = ["evaluate", GAME, "--evaluations", "none,lines", "--depths", "1,3", "--positions", "5", "--seed", "3"]
    files = [tmp_path / f"agreement{extension}" for extension in FILE_RENDERERS]
    plyscope.main([*arguments, "--json", *(word for file in files for word in ("-o", str(file)))], standalone_mode=False)
    output = json.loads(capsys.readouterr().out)
    written = {file.suffix: file.read_bytes() for file in files}
    assert output == json.loads(written[".json"]) == summarize_agreement(measure_sample())
    rows = list(csv.DictReader(io.StringIO(written[".csv"].decode())))
    assert [(row["evaluation"], row["depth"], float(row["kept"]), float(row["best"])) for row in rows] == [
        *((row.evaluation, str(row.depth), row.kept, row.best) for row in measure_sample().rows),
        (RANDOM_MOVE, "", measure_sample().chance.kept, measure_sample().chance.best),
    ]
    assert written[".png"].startswith(b"\x89PNG")
    assert written[".pdf"].startswith(b"%PDF")
    for extension in (".svg", ".md", ".html"):
        text = " ".join(re.sub(r"<[^>]*>", " ", written[extension].decode()).split())
        assert all(name in text for name in ("none", "lines", RANDOM_MOVE))
        for note in list_agreement_notes(measure_sample()):
            assert note.split(":")[0].replace("`", "") in text.replace("\\", "").replace("`", "")
    assert format_command(measure_sample()).replace('"', "") == "plyscope " + " ".join(arguments)


def test_the_chart_stays_on_its_paper():
    """A mark for every point, all on the plot; words inside the picture; no two lines alike."""
    scene = agreement_chart.draw_chart(measure_sample())
    assert all(right_edge(item) <= scene.width for item in scene.items)
    drawn = sum(len(series.points) + 1 for panel in agreement_chart.build_plots(measure_sample()) for series in panel.series)
    assert sum(isinstance(item, Shape) for item in scene.items) == drawn
    heights = [y for item in scene.items if not isinstance(item, Label) for _, y in item.points]
    assert min(heights) > 0
    assert max(item.y for item in scene.items if isinstance(item, Label)) < scene.height
    many = [f"evaluation {number}" for number in range(16)]
    rows = tuple(Agreement(name, depth, 4, 0, 4) for name in many for depth in range(1, 40))
    large = agreement_chart.draw_chart(Agreements(SAMPLE, rows, Agreement(RANDOM_MOVE, NO_DEPTH, 4, 0, 4)))
    assert all(right_edge(item) <= large.width for item in large.items)
    [kept, _] = agreement_chart.build_plots(Agreements(SAMPLE, rows, Agreement(RANDOM_MOVE, NO_DEPTH, 4, 0, 4)))
    assert len({(series.colour, series.mark) for series in kept.series}) == 17


def test_it_is_said_which_evaluations_were_made_for_another_rule():
    assert find_counting_evaluations() == {preset("k-tables").evaluation, preset("long-state").evaluation}
    rows = tuple(Agreement(name, 1, 4, 2, 2) for name in ("chains", "lines"))
    text = " ".join(
        list_agreement_notes(Agreements(PositionSample("connect4", 4, 0), rows, Agreement(RANDOM_MOVE, NO_DEPTH, 4, 1, 1)))
    )
    assert "chains was made for another rule" in text
    assert "another rule" not in " ".join(list_agreement_notes(measure_sample()))
    threes = Agreements(PositionSample("connect:rows=4,cols=4,connect=3", 4, 0), rows, Agreement(RANDOM_MOVE, NO_DEPTH, 4, 1, 1))
    assert "chains and lines look for four in a row, but this board needs another number." in list(list_agreement_notes(threes))


def test_what_a_narrow_terminal_leaves_out_is_named(capsys):
    arguments = ["evaluate", GAME, "--evaluations", "none", "--depths", "1-25", "--positions", "2"]
    plyscope.main(arguments, standalone_mode=False)
    output = " ".join(capsys.readouterr().out.split())
    left_out = re.search(r"The terminal is too narrow for: ([K=\d, ]+)\.", output)[1].split(", ")
    assert left_out[-1] == "K=25"
    assert f"K={26 - len(left_out)}" == left_out[0]
    assert len(MEASURES) == 2


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("known formats are .csv", [GAME, "-o", "x.bmp"]),
        ("K = 0: a search needs 1 to 500 plies", [GAME, "--depths", "0-2"]),
        ("is only defined on 6 rows x 7 columns", [GAME, "--evaluations", "chains"]),
        ("only Connect boards with the rule `first`", ["k-tables", "--depths", "1"]),
        ("0 positions", [GAME, "--positions", "0"]),
        ("choose a larger board", ["connect:rows=4,cols=1", "--positions", "3"]),
        ("nim has its own values", ["nim:3,4", "--evaluations", "none"]),
    ],
)
def test_what_cannot_be_measured_is_said(words, arguments):
    with pytest.raises(PlyscopeError, match=re.escape(words)):
        plyscope.main(["evaluate", *arguments], standalone_mode=False)


def test_the_page_measures_when_it_is_asked_and_keeps_it(monkeypatch):
    monkeypatch.setattr("visualizer.app.sections.agreement.POSITIONS", 3)
    monkeypatch.setattr("visualizer.app.sections.agreement.DEPTHS", range(1, 3))

    def part():
        from engine import connect
        from visualizer.app.sections.agreement import show_agreement_section

        show_agreement_section(connect(rows=4, cols=4, evaluation="lines"))

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert [button.label for button in app.button] == ["Measure"]
    app.button[0].click().run()
    while not app.dataframe:
        assert not app.exception
        assert [button.label for button in app.button] == ["Cancel"]
        app.run()
    assert len(app.dataframe) == 2
    assert list(app.dataframe[0].value["evaluation"])[-1] == RANDOM_MOVE
    again = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert len(again.dataframe) == 2
    page_text = " ".join(caption.value for caption in again.caption).replace("\\", "")
    assert "Sample: 3 random positions (seed 0)" in page_text
