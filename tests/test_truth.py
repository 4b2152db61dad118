"""The truth where people are: hints, finished games, sentences beside what a search believes."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine import Question, connect, search, solve, tictactoe
from engine.analysis.agreement import solved_positions
from engine.errors import PlyscopeError
from engine.matches.match import Match, hints
from engine.matches.players import check_player, player_text, read_player
from engine.matches.true_line import true_hints, true_line
from engine.solver.truth import Truth
from tests.processes import PATIENCE
from visualizer.cli.commands import plyscope
from visualizer.text.truth_words import belief_words

SOLVED = json.loads((Path(__file__).parent / "golden" / "solved.json").read_text())
PATIENT = 100.0  # seconds: a busy machine changes nothing


def test_hints_are_true_where_a_position_is_solved_and_beliefs_elsewhere():
    row = next(row for row in SOLVED if len(row["moves"]) == 22 and len(set(row["columns"].values())) > 3)
    match = Match.read(connect(), row["moves"])
    found = true_hints(match, seconds=PATIENT)
    solution = solve(connect(), row["moves"], table_mb=1)
    assert {hint.move: hint.truth for hint in found} == {int(move): solution.column_words(int(move)) for move in row["columns"]}
    assert [hint.move for hint in found if hint.best] == solution.best_moves
    assert true_hints(Match(connect()), 3) == hints(Match(connect()), 3)
    counted = Match(connect(rows=4, cols=4, rule="count"))
    assert true_hints(counted, 3) == hints(counted, 3)


def test_when_the_time_is_over_only_what_is_proved_is_told():
    state = connect().state(next(row["moves"] for row in SOLVED if len(row["moves"]) == 12))
    assert Truth(connect(), seconds=0.0).of(state) is None
    asked = []
    assert Truth(connect(), PATIENT).of(state, lambda nodes: asked.append(nodes) or False) is None
    assert len(asked) == 1


def test_a_finished_game_has_its_truth_and_the_start_is_not_tried():
    """However many cells are empty; and what was not tried is not said to have failed."""
    state = connect().state("0011223")
    assert Truth(connect(), PATIENT).of(state).words == "has lost: the game is over"
    assert Truth(connect(), PATIENT).of(connect().start()) is None

    def part():
        from engine import Question, connect
        from visualizer.app_pages.truth_part import _tell_beliefs, _tell_rungs

        for moves in ("0011223", "3"):
            _tell_beliefs(Question(connect(), moves, 3), [])
        _tell_rungs(Question(connect(), "0011223", 3))

    shown = AppTest.from_function(part, default_timeout=PATIENCE).run()
    assert not shown.exception
    assert shown.markdown[0].value.replace("\\", "") == "**MIN has lost: the game is over.**"
    assert [element.value.split(" ")[:3] for element in shown.caption] == [["Positions", "with", "more"], ["The", "game", "is"]]


def test_the_line_of_truth_names_the_moves_that_gave_something_away():
    match = Match.read(connect(), "146660203633536103063450421504")
    line = [after for after, _ in zip(true_line(match, PATIENT), range(8), strict=False)]
    assert [after.ply for after in line] == list(range(29, 21, -1))
    assert [(after.ply, after.side, after.move, after.best) for after in line if after.mistake] == [
        (28, "max", 0, [5]),
        (27, "min", 5, [2]),
    ]
    for after in line:
        before = Match.read(connect(), match.position[: after.ply])
        solved = solve(connect(), before.state, table_mb=1)
        assert after.score == solved.columns[after.move] * (1 if after.side == "max" else -1)


@pytest.mark.parametrize("discs", [22, 26])
def test_a_belief_is_told_beside_the_truth(discs):
    for row in [row for row in SOLVED if len(row["moves"]) == discs][:6]:
        tree, solution = search(connect(), row["moves"], depth=3), solve(connect(), row["moves"], table_mb=1)
        said = belief_words(tree, solution)
        move = tree.root.best_move
        assert f"in truth column {move} {solution.column_words(move)}" in said
        assert ("nothing is better" in said) == (move in solution.best_moves)


def test_evaluations_are_compared_with_the_truth(capsys, tmp_path, monkeypatch):
    """A search to the end gives nothing away, whatever it believes on the way; one that knows nothing does."""
    asked = ["evaluate", "connect:rows=4,cols=4", "--evaluations", "none", "--depths", "1,10", "--positions", "6", "--json"]
    asked += ["--store", str(tmp_path / "found.json")]
    plyscope.main(asked, standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    with monkeypatch.context() as patched:
        patched.delattr("engine.analysis.agreement.solved_positions")  # all of it is kept: nothing is solved again
        plyscope.main(asked, standalone_mode=False)
        assert json.loads(capsys.readouterr().out) == told
    impossible = (tmp_path / "found.json").read_text().replace(",6,", ",0,")
    for wrong, words in (("[]", "is no store of"), (impossible, "cannot be true")):
        (tmp_path / "found.json").write_text(wrong)
        with pytest.raises(PlyscopeError, match=words):
            plyscope.main(asked, standalone_mode=False)
    assert [(row["depth"], row["positions"]) for row in told["rows"]] == [(1, 6), (10, 6)]
    assert told["rows"][1]["kept"] == 6 > told["rows"][0]["kept"]
    game = connect(rows=4, cols=4)
    for solution in solved_positions(game, 6):
        assert {(score > 0) - (score < 0) for score in solution.columns.values()} != {(solution.score > 0) - (solution.score < 0)}
    with pytest.raises(PlyscopeError, match="ask for fewer"):
        solved_positions(connect(rows=3, cols=2, connect=3), 5)


def test_a_perfect_player_gets_what_is_true():
    perfect = read_player("perfect")
    assert player_text(perfect) == "perfect"
    for row in [row for row in SOLVED if len(row["moves"]) == 26][:4]:
        match = Match.read(connect(), row["moves"], max_player=perfect, min_player=perfect)
        first = match.choose()
        assert first.truth == solve(connect(), row["moves"], table_mb=1).column_words(first.move)
        while not match.over:
            match = match.play(match.choose().move)
        winner = match.outcome.winner
        assert (winner == "max") - (winner == "min") == (row["score"] > 0) - (row["score"] < 0)
    opening = Match(connect(), max_player=perfect).choose()
    assert (opening.truth, opening.tree.K) == ("", 8)
    assert Match.read(connect(), SOLVED[-1]["moves"], max_player=perfect).choose(lambda nodes: False) is None
    with pytest.raises(PlyscopeError, match="nobody is perfect at tictactoe"):
        check_player(perfect, tictactoe(), "max")


def test_pages_tell_the_truth_when_they_are_asked():
    """Truth and rungs are found once, for everybody, when somebody opens them."""
    moves = "1460263026002213432204"
    question = Question(connect(), moves, 3)

    def part():
        from engine import Question, connect
        from visualizer.app_pages.truth_part import _tell_beliefs, _tell_rungs

        question = Question(connect(), "1460263026002213432204", 3)
        _tell_beliefs(question, [(3, 160.0, 3), (5, 12.0, 6)])
        _tell_rungs(question)

    shown = AppTest.from_function(part, default_timeout=PATIENCE).run()
    assert not shown.exception
    said = " ".join(element.value for element in (*shown.markdown, *shown.caption)).replace("\\", "")
    assert "MAX is to move and wins with its 20th disc, in 9 moves." in said
    assert "K=3 believes +160 for column 3; in truth column 3 draws and only column 6 wins in 9." in said
    assert "K=5 believes +12 for column 6; in truth column 6 wins in 9, and nothing is better." in said
    assert list(shown.dataframe[0].value["positions"])[-1] == f"{solve(question.game, moves, columns=False).nodes:,}"


def test_mistakes_of_a_tournament_are_counted_by_truth(capsys):
    """On a small board every position is solved: who sees less gives more away, and no random opening is anybody's mistake."""
    asked = ["tournament", "connect:rows=4,cols=5", "--depths", "1,12", "--games", "3", "--openings", "4", "--jobs", "1"]
    plyscope.main([*asked, "--evaluation", "none", "--truth", "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    judged = {row["player"]: row for row in told["mistakes"]}
    blind, seeing = (next(row for name, row in judged.items() if f"depth={depth}," in f"{name},") for depth in (1, 12))
    assert blind["games"] == seeing["games"] == 12
    assert blind["mistakes"] > seeing["mistakes"]
    plies = sum((len(game["moves"]) - 4) * game["times"] for cell in told["cells"] for game in cell["positions"])
    assert blind["moves"] + seeing["moves"] <= plies
