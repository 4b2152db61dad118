"""The curves of a search in iterations as files, and the notes on them."""

import csv
import io
import json
import math

import pytest
from streamlit.testing.v1 import AppTest

from engine import connect, literal, search, tictactoe
from engine.analysis.search_curves import find_exact_values, trace_search
from engine.games.registry import read_game
from tests.support.processes import MAX_WAIT_SECONDS
from visualizer.drawing.charts.curves_chart import drawn_moves, list_ticks, marked_points, panel_series
from visualizer.narration.curve_messages import MAX_DRAWN_MOVES, list_curve_notes, list_panels
from visualizer.report.curve_files import FILE_RENDERERS

TEXTBOOK = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def curves_of(game, position=None, algorithm="mcts", iterations=500, **options):
    tree = search(game, position, algorithm=algorithm, iterations=iterations, **options)
    return tree, trace_search(tree, find_exact_values(tree.question))


@pytest.mark.parametrize(
    ("extension", "start"),
    [
        (".csv", b"iteration,move,visits"),
        (".json", b"{"),
        (".svg", b"<svg"),
        (".png", b"\x89PNG"),
        (".pdf", b"%PDF"),
        (".md", b"# "),
        (".html", b"<!DOCTYPE html>"),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_every_format_has_the_curves(extension, start, known):
    tree, curves = curves_of(TEXTBOOK, iterations=40) if known else curves_of(connect(), iterations=40)
    assert curves.is_solved == known
    made = FILE_RENDERERS[extension](tree, curves)
    assert start in made[:200]
    if extension in (".svg", ".html"):
        assert (b"Simple regret" in made, b"dashed" in made) == (known, known)


def test_data_files_have_every_move_at_every_moment():
    tree, curves = curves_of(tictactoe(), "04", iterations=700)
    rows = list(csv.DictReader(io.StringIO(FILE_RENDERERS[".csv"](tree, curves).decode())))
    told = json.loads(FILE_RENDERERS[".json"](tree, curves))
    assert len(rows) == len(told["rows"]) == len(curves.moves) * len(curves.iterations)
    assert told["changes"] == list(curves.changes)
    for row, same in zip(rows, told["rows"], strict=True):
        assert {name: row[name] for name in row} == {
            name: "" if value is None else str(int(value) if isinstance(value, bool) else value) for name, value in same.items()
        }
        then = tree.at(int(row["iteration"]))
        (place,) = (child for child in tree.root.children if child.move_name == row["move"])
        assert int(row["visits"]) == then.visits[place]
        assert (row["mean"] == "") == (then.visits[place] == 0)


def notes_of(*arguments, **options):
    return list(list_curve_notes(*curves_of(*arguments, **options)))


def test_notes_say_whether_the_most_visited_move_is_a_best_one():
    assert "Move 0, the most visited move, is a best move: its regret is 0." in notes_of(TEXTBOOK)
    assert any("is not a best move: its regret is 1." in note for note in notes_of(read_game("nim:3,4,5"), iterations=5))
    assert "The exact values of the moves are not known, so there is no regret." in notes_of(connect(), iterations=50)
    assert notes_of(TEXTBOOK, algorithm="puct", iterations=1) == ["No move of the root was visited yet."]


def test_notes_name_equal_moves_and_changes():
    first = notes_of(TEXTBOOK, iterations=2)
    assert first[0].startswith("No other move was ever visited more often than move ")
    assert "the first of the 2 most visited moves" in first[1]
    tree, curves = curves_of(TEXTBOOK)
    times = f"changes {len(curves.changes)} times, the last time after iteration {curves.changes[-1]:,}."
    assert next(list_curve_notes(tree, curves)).endswith(times)


def test_a_proven_move_is_named_where_it_is_not_the_most_visited():
    for seed in range(40):
        tree, curves = curves_of(tictactoe(), "0418", algorithm="mcts-solver", iterations=200, seed=seed)
        is_other = int(tree.root.best_child) != curves.moves[curves.best[-1]].row
        assert any("a proven result counts more" in note for note in list_curve_notes(tree, curves)) == is_other
        if is_other:
            return
    pytest.fail("no search whose proven move is not the most visited one")


def test_the_chart_draws_the_most_visited_moves_and_says_so():
    tree, curves = curves_of(tictactoe(), iterations=300)
    drawn = drawn_moves(curves)
    assert len(drawn) == MAX_DRAWN_MOVES < len(curves.moves)
    assert min(curve.visits[-1] for curve in drawn) >= min(curve.visits[-1] for curve in curves.moves)
    assert any("Only the 8 most visited of 9 moves are drawn" in note for note in list_curve_notes(tree, curves))
    styles = [(line.series.colour, line.series.mark) for line in panel_series(tree, curves, "share")]
    assert len(set(styles)) == len(styles)


def test_scales_hold_all_points_and_marks_lie_on_the_line():
    for game, position in ((TEXTBOOK, None), (connect(), None), (read_game("nim:3,4,5"), None), (tictactoe(), "04")):
        tree, curves = curves_of(game, position, iterations=90)
        for panel in list_panels(curves):
            ticks = list_ticks(curves, panel)
            assert ticks == sorted(ticks)
            assert ticks[0] == 0
            for series, exact in panel_series(tree, curves, panel):
                assert all(0 <= point.number <= ticks[-1] for point in series.points)
                assert exact is None or 0 <= exact <= 1
                marks = marked_points(series)
                assert set(marks) <= set(series.points)
                assert marks[-1] == series.points[-1]
                assert not any(math.isnan(point.number) for point in series.points)


@pytest.mark.parametrize(("game", "position", "charts"), [("tictactoe", "04", 4), ("connect4", "", 3), ("tictactoe", "03142", 0)])
def test_the_page_shows_the_curves_of_a_position(game, position, charts, monkeypatch):
    monkeypatch.setattr("visualizer.app.sections.search_curves.READABLE_ITERATIONS", 50)

    def part(game, position):
        from engine import Question
        from engine.games.registry import read_game
        from visualizer.app.sections.search_curves import show_position_curves

        show_position_curves(Question(read_game(game), position))

    app = AppTest.from_function(part, args=(game, position), default_timeout=MAX_WAIT_SECONDS).run()
    assert not app.exception
    assert len(app.get("vega_lite_chart")) == charts
    if charts:
        assert len(app.dataframe[0].value) == 7
    else:
        assert "There is no choice in this position" in app.caption[0].value
