"""How often players agree with the solver: what is counted, drawn, written and said."""

import csv
import io
import json
from functools import cache

import pytest
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from engine import connect, search
from engine.analysis.agreement import PositionSample, find_solved_positions
from engine.analysis.player_agreement import PlayerAgreement, PlayerAgreements, list_players, measure_players
from engine.core.errors import PlyscopeError
from engine.matches.players import SearchPlayer, read_player
from tests.support.processes import MAX_WAIT_SECONDS
from visualizer.cli.command_line import plyscope
from visualizer.drawing.charts.player_agreement_chart import PANELS, draw_chart
from visualizer.drawing.scene import right_edge
from visualizer.narration.player_messages import player_title
from visualizer.report.player_agreement_files import FILE_RENDERERS, format_command, make_table

GAME = "connect:rows=4,cols=4"
SAMPLE = PositionSample(GAME, 5, 3)


@cache
def measure_sample():
    players = list_players(connect(rows=4, cols=4), ["mcts:c=0.5", "puct:iterations=8", "alphabeta"], [1, 2], [4, 32])
    chance, *rows = measure_players(SAMPLE, players)
    return PlayerAgreements(SAMPLE, tuple(rows), chance)


def test_players_without_a_size_have_every_size():
    found = measure_sample()
    assert [row.player for row in found.rows] == [
        "search:algorithm=mcts,iterations=4,c=0.5",
        "search:algorithm=mcts,iterations=32,c=0.5",
        "search:algorithm=puct,iterations=8",
        "search:depth=1",
        "search:depth=2",
    ]
    assert [len(rows) for rows in found.families.values()] == [2, 1, 2]


def test_shares_are_those_of_the_moves_that_players_choose():
    """Counted here from the scores of all columns; an evaluation is a leaf, or an iteration."""
    game, positions = connect(rows=4, cols=4), find_solved_positions(connect(rows=4, cols=4), 5, 3)
    for row in measure_sample().rows:
        player = read_player(row.player)
        trees = [search(game, one.state, player.depth, player.algorithm, **player.options) for one in positions]
        scores = [
            (one.columns[tree.root.best_move], max(one.columns.values())) for one, tree in zip(positions, trees, strict=True)
        ]
        assert row.best == sum(score == best for score, best in scores)
        assert row.kept == sum((score > 0) - (score < 0) == (best > 0) - (best < 0) for score, best in scores)
        assert row.evaluations == sum(tree.iterations if player.iterates else tree.leaves for tree in trees)
        low, high = row.interval("kept")
        assert 0 <= low <= row.share("kept") <= high <= 1
        assert row.seconds > 0


def test_files_say_the_same():
    found = measure_sample()
    rows = list(csv.DictReader(io.StringIO(FILE_RENDERERS[".csv"](found).decode())))
    data = json.loads(FILE_RENDERERS[".json"](found))
    assert [row["player"] for row in rows] == [row["player"] for row in data["rows"]] == [row.player for row in found.rows]
    assert [int(row["kept"]) for row in rows] == [row.kept for row in found.rows]
    assert data["random"] == found.chance
    titles = [player_title(read_player(row.player)) for row in found.rows]
    assert [row[0] for row in make_table(found).rows][:-1] == titles
    for extension in (".md", ".html"):
        assert all(title in FILE_RENDERERS[extension](found).decode() for title in titles)
    scene = draw_chart(found)
    assert max(map(right_edge, scene.items)) <= scene.width
    names = [item.text for item in scene.items if hasattr(item, "text")]
    assert names.count("MCTS, c = 0.5") == len(PANELS)


def test_the_command_measures_the_same_players_again():
    words = format_command(measure_sample()).split()[1:]
    result = CliRunner().invoke(plyscope, [*words, "--json"])
    assert result.exit_code == 0
    rows = json.loads(result.stdout)["rows"]
    known = [(row.player, row.best, row.kept, row.evaluations) for row in measure_sample().rows]
    assert [(row["player"], row["best"], row["kept"], row["evaluations"]) for row in rows] == known


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--player", "random"], "does not search"),
        (["--player", "mcts:depth=3"], "MCTS has no depth limit"),
        (["--player", "mcts:itrations=3"], "iterations="),
        (["--player", "mcts", "--evaluations", "lines"], "--player replaces"),
        (["--player", "search:algorithm=mcts,algorithm=puct"], "names two algorithms"),
    ],
)
def test_wrong_players_are_refused(words, reason):
    result = CliRunner().invoke(plyscope, ["evaluate", GAME, "--positions", "1", "--depths", "1", "--iterations", "2", *words])
    assert isinstance(result.exception, PlyscopeError)
    assert reason in str(result.exception)


def test_a_family_keeps_all_options_but_the_size():
    rows = [
        PlayerAgreement(f"search:algorithm=mcts,iterations={n},c={c}", 2, 1, 1, n, 0.1) for c in (0.5, 2.0) for n in (5, 1000)
    ]
    found = PlayerAgreements(SAMPLE, tuple(rows), {"best": 0.1, "kept": 0.2})
    assert list(map(len, found.families.values())) == [2, 2]
    assert all(isinstance(read_player(family), SearchPlayer) for family in found.families)


def test_the_page_measures_players_when_it_is_asked_and_keeps_it(monkeypatch):
    for name, value in {"POSITIONS": 3, "DEPTHS": range(1, 3), "ITERATIONS": (4, 16), "CONSTANTS": (0.5, 2.0)}.items():
        monkeypatch.setattr(f"visualizer.app.sections.player_agreement.{name}", value)

    def part():
        from engine import connect
        from visualizer.app.sections.player_agreement import show_player_agreement_section

        show_player_agreement_section(connect(rows=4, cols=4))

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert "MCTS with c = 0.5, c = 2 and alpha-beta choose moves in 3 positions" in app.caption[0].value
    assert [button.label for button in app.button] == ["Measure"]
    app.button[0].click().run()
    while not app.dataframe:
        assert not app.exception
        assert [button.label for button in app.button] == ["Cancel"]
        app.run()
    again = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert list(again.dataframe[0].value["player"]) == [
        "MCTS, 4 iterations, c = 0.5",
        "MCTS, 16 iterations, c = 0.5",
        "MCTS, 4 iterations, c = 2",
        "MCTS, 16 iterations, c = 2",
        "alpha-beta, K = 1",
        "alpha-beta, K = 2",
        "a random move",
    ]
    assert len(again.get("vega_lite_chart")) == len(PANELS)
    assert again.code[0].value.startswith("plyscope evaluate connect:rows=4,cols=4")
