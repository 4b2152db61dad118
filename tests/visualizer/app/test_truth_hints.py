"""Exact results on pages: hints, reviews of finished games, and sentences beside the estimates of a search."""

import json
import random

import pytest
from streamlit.testing.v1 import AppTest

from engine import Question, connect, search, solve, tictactoe
from engine.analysis.agreement import find_solved_positions
from engine.core.errors import PlyscopeError
from engine.matches.forced_wins import PLIES, find_forced_ends, review_early_moves
from engine.matches.game_review import position_truth, review_moves, solve_hints, solve_position
from engine.matches.match import Match, PositionTruth, search_hints
from engine.matches.move_marks import BLUNDER, MISTAKE
from engine.matches.players import check_player, player_text, read_player
from engine.solver.scores import moves_to_end
from engine.solver.timed_solver import TimedSolver
from tests.support.paths import TESTS
from tests.support.processes import MAX_WAIT_SECONDS
from tests.visualizer.app.test_pages import open_page, wait_for_job
from visualizer.app.sections import truth_hints
from visualizer.cli.command_line import plyscope
from visualizer.narration.truth_messages import (
    describe_belief,
    describe_mistake,
    describe_reviewed_move,
    explain_reviewed_move,
    summarize_review,
)
from visualizer.pool.work_types import ReviewGame

SOLVED = json.loads((TESTS / "golden" / "solved.json").read_text())
PATIENT = 100.0  # seconds: a busy machine changes nothing


def test_hints_are_exact_where_a_position_is_solved_and_estimates_elsewhere():
    row = next(row for row in SOLVED if len(row["moves"]) == 22 and len(set(row["columns"].values())) > 3)
    match = Match.read(connect(), row["moves"])
    found = solve_hints(match, seconds=PATIENT)
    solution = solve(connect(), row["moves"], table_mb=1)
    assert {hint.move: hint.truth for hint in found} == {int(move): solution.column_words(int(move)) for move in row["columns"]}
    assert [hint.move for hint in found if hint.best] == solution.best_moves
    assert solve_hints(Match(connect()), 3) == search_hints(Match(connect()), 3)
    counted = Match(connect(rows=4, cols=4, rule="count"))
    assert solve_hints(counted, 3) == search_hints(counted, 3)


def test_when_the_time_is_over_only_proved_results_are_shown():
    state = connect().state(next(row["moves"] for row in SOLVED if len(row["moves"]) == 12))
    assert TimedSolver(connect(), seconds=0.0).of(state) is None
    progress = []
    assert TimedSolver(connect(), PATIENT).of(state, lambda nodes: progress.append(nodes) or False) is None
    assert len(progress) == 1


def test_a_finished_game_has_an_exact_result_and_the_start_is_not_tried():
    """However many cells are empty; and what was not tried is not said to have failed."""
    state = connect().state("0011223")
    assert TimedSolver(connect(), PATIENT).of(state).words == "has lost: the game is over"
    assert TimedSolver(connect(), PATIENT).of(connect().start()) is None

    def part():
        from engine import Question, connect
        from visualizer.app.sections.truth import _show_beliefs, _show_rungs

        _show_beliefs(Question(connect(), "0011223", 3), [])
        _show_rungs(Question(connect(), "0011223", 3))

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert not app.exception
    assert app.markdown[0].value.replace("\\", "") == "**MIN has lost: the game is over.**"
    assert [element.value.split(" ")[:3] for element in app.caption] == [["The", "game", "is"]]


def test_the_review_names_the_mistakes():
    match = Match.read(connect(), "146660203633536103063450421504")
    line = [after for after, _ in zip(review_moves(match, PATIENT), range(8), strict=False)]
    assert [after.ply for after in line] == list(range(29, 21, -1))
    assert [(after.ply, after.side, after.move, after.best) for after in line if after.mistake] == [
        (28, "max", 0, [5]),
        (27, "min", 5, [2]),
    ]
    for after in line:
        before = Match.read(connect(), match.position[: after.ply])
        solved = solve(connect(), before.state, table_mb=1)
        assert after.score == solved.columns[after.move] * (1 if after.side == "max" else -1)


GIVEN_AWAY = "31544333242506"  # move 9 gives a win away, and takes seconds to solve


@pytest.mark.slow
def test_a_review_takes_the_time_that_a_mistake_needs():
    match = Match.read(connect(), GIVEN_AWAY)
    line = sorted(review_moves(match, PATIENT, together=True))
    assert [(after.ply, after.best) for after in line if after.mistake] == [(8, [4])]
    assert describe_mistake(match, line[0]).startswith("9. column 2?? wins → loses; column 4 was right: ")
    assert summarize_review(len(match.moves), line) == (
        "Of 6 judged moves, 1 gave away a win or a draw, 1 made a win come later or a loss sooner. "
        "Moves 1 to 8 were not judged: their positions were not solved in time."
    )


def test_the_summary_covers_judged_moves_only():
    match = Match.read(connect(), "146660203633536103063450421504")
    line = sorted(after for after, _ in zip(review_moves(match, PATIENT), range(4), strict=False))
    assert summarize_review(30, line).startswith("Of 4 judged moves, 2 gave away a win or a draw. Moves 1 to 26 were not")
    assert summarize_review(30, line[-1:]) == (
        "The only judged move gave nothing away. Moves 1 to 29 were not judged: their positions were not solved in time."
    )
    small = Match.read(connect(rows=3, cols=4, connect=3), "012301230123"[:7])
    assert "not judged" not in summarize_review(7, list(review_moves(small, PATIENT)))


class StopsAfter:
    """A visitor who cancels a review when so many moves are judged."""

    def __init__(self, judged):
        self.judged = judged

    def progress(self, amount):
        return amount < self.judged

    def add_result(self, item):
        pass


def test_a_cancelled_review_keeps_the_judged_moves():
    match = Match.read(connect(), GIVEN_AWAY)
    assert [after.ply for after in ReviewGame(match, PATIENT)(StopsAfter(4))] == [13, 12, 11, 10]
    assert len(list(review_moves(match, 0.0, together=True))) < 4  # only those that take no time


@pytest.mark.parametrize("discs", [22, 23, 26])
def test_the_outcome_of_a_position_agrees_with_its_solution(discs):
    match = Match.read(connect(), "146660203633536103063450421504"[:discs])
    solution = solve(connect(), match.state, table_mb=1)
    truth = solve_position(match, seconds=PATIENT)
    assert truth == position_truth(solution)
    assert truth.score == solution.score * (1 if match.side == "max" else -1)
    assert truth.moves == (moves_to_end(solution.score, solution.disc_count) if solution.score else None)
    assert {hint.comes_to for hint in solve_hints(match, seconds=PATIENT) if hint.best} == {truth}


QUICK_LOSS = "32026242"  # all positions take too long to solve; move 7 does not stop three in a column


def test_a_short_game_is_judged_by_the_wins_that_a_side_can_force():
    match = Match.read(connect(), QUICK_LOSS)
    line = sorted(ReviewGame(match, 0.0)(StopsAfter(99)))
    assert [after.mark for after in line] == ["", "", "", "", "", "", "?", ""]
    assert [describe_reviewed_move(match, after) for after in line[5:]] == [
        "6. column 2: nobody can force a win in 5 moves or fewer.",
        "7. column 4?: MAX loses in 1; with column 2 it does not lose in 5 moves or fewer.",
        "8. column 2: MIN wins in 1, and no move is better.",
    ]
    assert explain_reviewed_move(match, line[6], line[7], "max")[-1].startswith("The better move is column 2. It stops")
    assert summarize_review(8, line) == ("Moves 1 to 8 take too long to solve: a search with K=10 finds 1 missed or allowed win.")


@pytest.mark.parametrize("seed", range(6))
def test_forced_wins_are_those_of_the_solver(seed):
    """Within the moves that a short search looks ahead its results are exact, and beyond them it claims none."""
    choice, board = random.Random(seed), connect(rows=4, cols=5, connect=3 + seed % 2)
    match = Match(board)
    while not match.is_finished:
        match = match.play(choice.choice(match.legal_moves))
    exact = {after.ply: after for after in review_moves(match, PATIENT)}
    for early in review_early_moves(match, len(match.moves)):
        solution = solve(board, Match.read(board, match.position[: early.ply]).state, table_mb=1)
        for move, plies in find_forced_ends(board, solution.state).items():
            score = solution.columns[move]
            moves = moves_to_end(score, solution.disc_count) if score else PLIES
            found = (plies > 0) - (plies < 0), (abs(plies) + 1) // 2
            assert found == ((score > 0) - (score < 0), moves) if moves <= PLIES // 2 else found == (0, 0)
        truth = exact[early.ply]
        if early.words:
            assert (early.score, early.words, early.before or truth.before) == (truth.score, truth.words, truth.before)
        if early.mark:
            assert truth.mark in (MISTAKE, BLUNDER)


def test_the_bar_is_full_at_the_end_and_even_in_a_draw():
    shares = [truth_hints._make_bar(PositionTruth(1, moves, 12)).share for moves in range(13)]
    assert shares[0] == shares[1] == 1.0
    assert sorted(shares[1:], reverse=True) == shares[1:]
    assert shares[-1] == pytest.approx(0.5 + truth_hints.MIN_LEAD)
    assert shares[-1] < truth_hints._make_bar(PositionTruth(1, None, 12)).share < shares[0]  # who wins, but not how soon
    assert truth_hints._make_bar(PositionTruth(-1, 3, 12)).share == pytest.approx(1 - shares[3])
    assert truth_hints._make_bar(PositionTruth(0, None, 0)).share == 0.5


def test_a_finished_game_is_reviewed_on_the_page(monkeypatch):
    bars, lists = [], []
    drawn = truth_hints.evaluation_bar
    monkeypatch.setattr(truth_hints, "show_move_list", lambda moves, *_: lists.append(moves))
    monkeypatch.setattr("visualizer.app.views.play.evaluation_bar", lambda *asked: bars.append(drawn(*asked)) or bars[-1])
    board = connect(rows=4, cols=4, connect=3)
    moves = "31301332"
    app = open_page("play", {"game": "connect:rows=4,cols=4,connect=3", "moves": moves, "max": "human", "min": "human"})
    assert bars == [None]
    next(button for button in app.button if button.label == "Analyse this game").click().run()
    wait_for_job(app)
    line = sorted(review_moves(Match.read(board, moves), PATIENT))
    page_text = [element.value.replace("\\", "") for element in app.markdown]
    assert f"**{summarize_review(len(moves), line)}**" in page_text
    match = Match.read(board, moves)
    assert bars[-1].share in (0.0, 1.0)
    assert [(move.name, move.mark) for move in lists[-1]] == [(str(after.move), after.mark) for after in line]
    first = next(after for after in line if after.mistake)
    app.query_params[truth_hints.LOOK_PARAM] = str(first.ply + 1)  # as a click on the mistake does
    app.run()
    wait_for_job(app)
    page_text = [element.value.replace("\\", "") for element in app.markdown]
    assert f"**{describe_mistake(match, first)}**" in page_text
    assert "\n".join(f"- {reason}" for reason in explain_reviewed_move(match, first, line[first.ply + 1])) in page_text
    assert app.subheader[0].value == f"After move {first.ply + 1} of {len(moves)}"
    assert bars[-1] == truth_hints._make_bar(line[first.ply + 1].before)
    next(button for button in app.button if button.label == "Try another move here").click().run()
    wait_for_job(app)
    assert len(app.query_params["moves"]) == first.ply
    assert bars[-1] == truth_hints._make_bar(first.before)


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("tictactoe", "01438", "Of 5 judged moves, 1 gave away"),
        ("nim:1,1,1", "1,1001,2001", "judged moves"),
        ("tree:[[3,12],[2,4]]", "01", "There is nothing to analyse: a tree has values instead of a winner."),
    ],
)
def test_a_link_to_a_move_opens_the_review_of_any_game(monkeypatch, game, moves, words):
    lists = []
    monkeypatch.setattr(truth_hints, "show_move_list", lambda moves, shown, *_: lists.append((len(moves), shown)))
    app = open_page("play", {"game": game, "moves": moves, "max": "human", "min": "human", "look": "2"})
    wait_for_job(app)
    assert any(words in element.value for element in [*app.markdown, *app.caption])
    if lists:
        assert lists[-1][1] == 2
        assert app.subheader[0].value == f"After move 2 of {lists[-1][0]}"


@pytest.mark.parametrize("discs", [22, 26])
def test_an_estimate_is_shown_beside_the_exact_result(discs):
    for row in [row for row in SOLVED if len(row["moves"]) == discs][:6]:
        tree, solution = search(connect(), row["moves"], depth=3), solve(connect(), row["moves"], table_mb=1)
        sentence = describe_belief(tree, solution)
        move = tree.root.best_move
        assert f"in fact column {move} {solution.column_words(move)}" in sentence
        assert ("no move is better" in sentence) == (move in solution.best_moves)


def test_evaluations_are_compared_with_exact_results(capsys, tmp_path, monkeypatch):
    """A search to the end gives nothing away, whatever it believes on the way; one that knows nothing does."""
    arguments = ["evaluate", "connect:rows=4,cols=4", "--evaluations", "none", "--depths", "1,10", "--positions", "6", "--json"]
    arguments += ["--store", str(tmp_path / "found.json")]
    plyscope.main(arguments, standalone_mode=False)
    output = json.loads(capsys.readouterr().out)
    with monkeypatch.context() as patched:
        patched.delattr("engine.analysis.agreement.find_solved_positions")  # all of it is kept: nothing is solved again
        plyscope.main(arguments, standalone_mode=False)
        assert json.loads(capsys.readouterr().out) == output
    impossible = (tmp_path / "found.json").read_text().replace(",6,", ",0,")
    for wrong, words in (("[]", "is not a store of"), (impossible, "is impossible")):
        (tmp_path / "found.json").write_text(wrong)
        with pytest.raises(PlyscopeError, match=words):
            plyscope.main(arguments, standalone_mode=False)
    assert [(row["depth"], row["positions"]) for row in output["rows"]] == [(1, 6), (10, 6)]
    assert output["rows"][1]["kept"] == 6 > output["rows"][0]["kept"]
    game = connect(rows=4, cols=4)
    for solution in find_solved_positions(game, 6):
        assert {(score > 0) - (score < 0) for score in solution.columns.values()} != {(solution.score > 0) - (solution.score < 0)}
    with pytest.raises(PlyscopeError, match="ask for fewer"):
        find_solved_positions(connect(rows=3, cols=2, connect=3), 5)


def test_a_perfect_player_reaches_the_exact_result():
    perfect = read_player("perfect")
    assert player_text(perfect) == "perfect"
    for row in [row for row in SOLVED if len(row["moves"]) == 26][:4]:
        match = Match.read(connect(), row["moves"], max_player=perfect, min_player=perfect)
        first = match.choose()
        assert first.truth == solve(connect(), row["moves"], table_mb=1).column_words(first.move)
        while not match.is_finished:
            match = match.play(match.choose().move)
        winner = match.outcome.winner
        assert (winner == "max") - (winner == "min") == (row["score"] > 0) - (row["score"] < 0)
    opening = Match(connect(), max_player=perfect).choose()
    assert (opening.truth, opening.tree.K) == ("", 8)
    assert Match.read(connect(), SOLVED[-1]["moves"], max_player=perfect).choose(lambda nodes: False) is None
    with pytest.raises(PlyscopeError, match="tictactoe has no perfect player"):
        check_player(perfect, tictactoe(), "max")


def test_pages_show_exact_results_on_request():
    """Truth and rungs are found once, for everybody, when somebody opens them."""
    moves = "1460263026002213432204"
    question = Question(connect(), moves, 3)

    def part():
        from engine import Question, connect
        from visualizer.app.sections.truth import _show_beliefs, _show_rungs

        question = Question(connect(), "1460263026002213432204", 3)
        _show_beliefs(question, [(3, 160.0, 3), (5, 12.0, 6)])
        _show_rungs(question)

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert not app.exception
    page_text = " ".join(element.value for element in (*app.markdown, *app.caption)).replace("\\", "")
    assert "MAX is to move and wins with its 20th disc, in 9 moves." in page_text
    assert "K=3 estimates +160 for column 3; in fact column 3 draws and only column 6 wins in 9." in page_text
    assert "K=5 estimates +12 for column 6; in fact column 6 wins in 9, and no move is better." in page_text
    assert list(app.dataframe[0].value["positions"])[-1] == f"{solve(question.game, moves, columns=False).nodes:,}"


def test_mistakes_of_a_tournament_are_counted_by_exact_results(capsys):
    """On a small board every position is solved: who sees less gives more away, and no random opening is anybody's mistake."""
    arguments = ["tournament", "connect:rows=4,cols=5", "--depths", "1,12", "--games", "3", "--openings", "4", "--jobs", "1"]
    plyscope.main([*arguments, "--evaluation", "none", "--truth", "--json"], standalone_mode=False)
    output = json.loads(capsys.readouterr().out)
    judged = {row["player"]: row for row in output["mistakes"]}
    blind, seeing = (next(row for name, row in judged.items() if f"depth={depth}," in f"{name},") for depth in (1, 12))
    assert blind["games"] == seeing["games"] == 12
    assert blind["mistakes"] > seeing["mistakes"]
    plies = sum((len(game["moves"]) - 4) * game["times"] for cell in output["cells"] for game in cell["positions"])
    assert blind["moves"] + seeing["moves"] <= plies
