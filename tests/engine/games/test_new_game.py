"""A game type is one module: everything works with a new one."""

import json

import pytest
from click.testing import CliRunner

from engine import compare, search
from engine.algorithms import ALGORITHMS
from engine.core.errors import BadBoard, BadTreeFile, IllegalMove, PlyscopeError, UnknownName
from engine.games.capabilities import decode_state, encode_state, game_outcome
from engine.games.game_types import GameType
from engine.games.registry import GAME_TYPES, game_text, list_games_with_options, read_game, replace_options
from engine.matches.match import Match, search_hints
from engine.matches.players import SearchPlayer
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid, default_sizes, default_tournament_depths
from engine.tree.parquet_file import load
from engine.tree.trace import Trace
from tests.support import chomp
from tests.support.flips import Flips
from tests.support.formats import quick_style
from tests.support.reference import minimax_value
from tests.visualizer.app.test_forms import change_widget, find_widget, press_button
from tests.visualizer.app.test_pages import heat_of, open_page, wait_for_job
from tests.visualizer.narration.test_sentences import check_sentence, true_values
from tests.visualizer.viewer.test_viewer_logic import ask_browser, check_answer, needs_node
from visualizer import export, formats
from visualizer.app.forms.form_migration import migrate_moves
from visualizer.cli.command_line import plyscope
from visualizer.narration.glossary import game_name
from visualizer.narration.move_reasons import explain_choice
from visualizer.narration.move_text import describe_moves
from visualizer.narration.sentences import sentence
from visualizer.report import FORMATS, write_comparison

SMALL = "chomp:rows=2,cols=3,rule=poison"


@pytest.fixture(autouse=True)
def registered_games(monkeypatch):
    for kind in chomp.GAME_TYPES:
        monkeypatch.setitem(GAME_TYPES, kind.name, kind)


def run_command(*arguments, typed=""):
    result = CliRunner().invoke(plyscope, arguments, input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


# ---- as text


@pytest.mark.parametrize("text", ["chomp", "chomp:rows=2", "chomp:cols=5,rule=sweet", SMALL])
def test_it_is_read_and_written(text):
    game = read_game(text)
    assert read_game(game_text(game)) == game
    assert game_name("chomp") == "Chomp, 3 × 4"
    assert replace_options(game, {"rows": "1"}).rows == 1


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("chomp:rows=9", BadBoard, "1 to 6"),
        ("chomp:rows=two", BadBoard, "rows 'two' is not a whole number"),
        ("chomp:rule=bitter", UnknownName, "Known: poison, sweet"),
        ("chomp:size=3", UnknownName, "there is no option of chomp 'size'. Known: rows, cols, rule"),
        ("chomp:rows", PlyscopeError, "write each option once, as name=value"),
    ],
)
def test_an_invalid_game_text_is_refused(text, error, words):
    with pytest.raises(error, match=words):
        read_game(text)


def test_an_option_that_a_game_does_not_have_is_refused():
    with pytest.raises(PlyscopeError, match="chomp has its own values: an evaluation can be chosen only for Connect boards"):
        read_game("chomp", "lines")
    assert list_games_with_options(["rows"]) == "Connect boards and bars of chocolate"


def test_states_have_texts():
    game = read_game(SMALL)
    state = game.state("4")
    assert encode_state(game, state) == "[[3,1],false]"
    assert decode_state(game, encode_state(game, state)) == state


# ---- searched, written, stepped through


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("moves", ["", "5", "4,1"])
def test_every_algorithm_searches_it_with_true_sentences(algorithm, moves):
    game = read_game(SMALL)
    tree = search(game, moves, 4, algorithm)
    assert tree.root.value == minimax_value(game, game.state(moves), 4)
    truth = true_values(tree)
    for step in Trace(tree):
        check_sentence(step, truth)


def test_sentences_use_its_phrases():
    sentences = [sentence(step) for step in Trace(search(read_game("chomp:rule=sweet"), "9"))]
    assert sentences[1].startswith("MIN tries biting a1.")
    assert any(line.startswith("Biting a1 returns") for line in sentences)
    assert any("by biting a1. " in line and "a cutoff: the bites b1, c1 and d1 are skipped" in line for line in sentences)


@pytest.mark.parametrize("position", ["4", chomp.State((3, 1), False)])
def test_it_is_written_in_every_format_and_loaded_again(position, tmp_path):
    tree = search(read_game(SMALL), position, 4)
    for extension in formats():
        assert export(tree, tmp_path / f"tree{extension}", **quick_style(extension)) > 0
    again = load(tmp_path / "tree.parquet")
    assert again.root.state == tree.root.state
    assert again.columns.value.tolist() == tree.columns.value.tolist()
    assert "biting" not in (tmp_path / "tree.csv").read_text()
    assert "a1" in (tmp_path / "tree.csv").read_text()


def test_its_file_is_loaded_even_if_it_is_not_registered(tmp_path, monkeypatch):
    """It is then a user's game, but its states are still in the file."""
    monkeypatch.delitem(GAME_TYPES, "chomp")
    game = chomp.chomp(2, 3)
    tree = search(game, chomp.State((3, 1), False), 4)
    export(tree, tmp_path / "tree.parquet")
    assert load(tmp_path / "tree.parquet", game=game).root.state == tree.root.state
    with pytest.raises(BadTreeFile, match="belongs to a user's game"):
        load(tmp_path / "tree.parquet")


@needs_node
def test_the_browser_steps_through_it(tmp_path):
    tree = search(read_game(SMALL), "4", 4)
    ((steps, rows, answer),) = ask_browser([tree], tmp_path)
    check_answer(tree, steps, rows, answer)


def test_it_is_compared(tmp_path):
    comparison = compare(read_game(SMALL), "4", depths=[1, 2, 3], repeat=1)
    assert not comparison.disagreements
    for extension in FORMATS:
        write_comparison(comparison, tmp_path / f"report{extension}")
    assert f"plyscope compare {SMALL}" in (tmp_path / "report.md").read_text()


# ---- played


def test_a_match_is_played_to_its_end():
    game = read_game(SMALL)
    match = Match(game, SearchPlayer(6, prefer_faster_win=True), SearchPlayer(6))
    choice = match.choose()
    explanation = " ".join(explain_choice(choice))
    assert f"plyscope search {SMALL}" in explanation
    assert "biting" in explanation
    while not match.is_finished:
        match = match.play(match.choose().move)
    assert (match.outcome.winner, match.outcome.value) == ("max", 1)  # the first player of chomp wins
    assert game_outcome(read_game("chomp:rows=1,cols=1"), Match.read(read_game("chomp:rows=1,cols=1"), "0").state).winner == "min"
    assert max(hint.value for hint in search_hints(Match(game), 6)) == 1
    with pytest.raises(IllegalMove, match="piece c2 is eaten: choose 0-2"):
        Match.read(game, "3").play(5)


def test_a_tournament_is_played_on_its_boards():
    game = read_game("chomp")
    assert (default_sizes(game), default_tournament_depths(game)) == ("", "1-4")
    played = Tournament(Grid("chomp", sizes=(2, 3), depths=(1, 2), games=2, openings=1))
    cells = played.run().cells()
    assert [(cell.size, cell.depth1, cell.depth2) for cell in cells] == [
        (size, one, two) for size in (2, 3) for one in (1, 2) for two in (1, 2)
    ]
    assert all(cell.wins1 + cell.wins2 == 2 and not cell.draws for cell in cells)
    with pytest.raises(PlyscopeError, match="chomp has only one board: Connect boards"):
        Tournament(Grid("chomp", connect=(3,)))


# ---- minimal declarations


class Words(Flips):
    """Othello with named moves, which declares only a text."""

    text = "flips"


@pytest.fixture
def flips_game(monkeypatch):
    monkeypatch.setitem(GAME_TYPES, "flips", GameType("flips", "Flips", "Othello on a small board", Words))
    return read_game("flips")


def test_a_game_with_named_moves_needs_only_a_text(flips_game, tmp_path):
    tree = search(flips_game, "0,2", 3)
    assert tree.root.state == flips_game.play(flips_game.play(flips_game.start(), "b1"), "a3")
    export(tree, tmp_path / "tree.parquet")
    assert load(tmp_path / "tree.parquet").root.state == tree.root.state
    assert describe_moves(flips_game, "0,2") == "b1, a3"
    assert (describe_moves(flips_game, "0,99"), migrate_moves("0,99", flips_game, flips_game).text) == ("b1, 99", "0")
    with pytest.raises(IllegalMove, match=r"move 99 is not legal there \(move 2 of the position '0,99'\)"):
        search(flips_game, "0,99", 2)
    with pytest.raises(PlyscopeError, match="MAX moves first in flips"):
        search(flips_game, "0", 2, first="min")
    played = Tournament(Grid("flips", depths=(1, 2), games=2, openings=2)).run().cells()
    assert len(played) == 4
    output = run_command("play", "flips", "--depth", "2", "--prefer-faster-win", typed="0\nwhy\nquit\n")
    assert "MIN, the computer: move " in output
    assert "The moves were b1, " in output


def test_its_pages_work_too(flips_game):
    app = open_page("step", {"game": "flips", "moves": "0", "depth": "2"})
    assert any(caption.value == "b1" for caption in app.caption)
    change_widget(app, "Moves so far", "0, 2")
    press_button(app, "Search")
    assert app.query_params["moves"] == "0,2"
    app = open_page("play", {"game": "flips", "moves": "0", "max": "human", "min": "search:depth=2,faster"})
    wait_for_job(app)
    press_button(app, "See why")
    assert any(" returns " in element.value for element in app.markdown)


# ---- on the command line


def test_the_command_line_lists_searches_compares_and_plays_it(tmp_path):
    listed = " ".join(run_command("list").split())
    assert "chomp bite off a piece of chocolate and all below and to the right of it" in listed
    assert "Rules of Chomp (rule=) poison who takes the last piece loses" in listed
    found = json.loads(run_command("search", SMALL, "--moves", "4", "--json", "-o", str(tmp_path / "tree.svg")))
    assert (found["game"], found["position"], found["depth"], found["evaluation"]) == (SMALL, "4", 3, None)
    assert (tmp_path / "tree.svg").exists()
    assert "MAX a1" in run_command("search", "chomp:rows=1,cols=1")
    assert len(json.loads(run_command("compare", SMALL, "--depths", "1-2", "--repeat", "1", "--json"))["rows"]) == 4
    output = run_command("play", SMALL, typed="c2\nhint\nwhy\n1\nundo\nquit\n")
    assert "MIN, the computer: biting" in output
    assert "The moves were c2, " in output
    cells = json.loads(run_command("tournament", "chomp", "--sizes", "2", "--depths", "1-2", "--jobs", "1", "--json"))["cells"]
    assert len(cells) == 4


# ---- on the pages


def open_with_chomp(page, parameters=()):
    """A page on which the game has been chosen in the form, on a bar of 2 x 3."""
    app = change_widget(open_page(page, parameters), "Game", "chomp")
    change_widget(change_widget(app, "Rows of chocolate", 2), "Columns of chocolate", 3)
    assert find_widget(app, "Last piece").options[1] == "sweet: who takes the last piece wins"
    assert not app.error
    return app


def test_it_is_chosen_and_searched_on_step():
    app = open_with_chomp("step")
    assert any("Bite off a piece of chocolate" in caption.value for caption in app.caption)
    change_widget(app, "Moves so far", "4")
    assert any(caption.value == "b2" for caption in app.caption)
    change_widget(app, "Depth K", "2")
    press_button(app, "Search")
    assert (app.query_params["game"], app.query_params["moves"], app.query_params["depth"]) == (SMALL, "4", "2")
    assert any("Chomp, 2 × 3 · after b2" in element.value.replace("\\", "") for element in app.markdown)


def test_moves_survive_another_size_of_it_and_not_another_game():
    app = open_page("step", {"game": SMALL, "moves": "4,2", "depth": "2"})
    change_widget(app, "Last piece", "sweet")
    assert find_widget(app, "Moves so far").value == "4, 2"
    change_widget(app, "Game", "nim")
    assert any("belong to another game" in caption.value for caption in app.caption)


@pytest.mark.slow
def test_it_is_compared_played_and_has_a_tournament_on_the_pages():
    app = open_with_chomp("compare", {"game": "connect4", "depths": "1-2", "repeat": "1"})
    press_button(app, "Compare")
    assert app.query_params["game"] == SMALL
    app = open_with_chomp("play")
    press_button(app, "New game")
    assert app.query_params["game"] == SMALL
    app = open_page("play", {"game": SMALL, "moves": "4", "max": "human", "min": "search:depth=2"})
    wait_for_job(app)
    press_button(app, "See why")
    assert any("biting" in element.value for element in app.markdown)
    app = open_with_chomp("tournament", {"game": "connect-m", "sizes": "3", "depths": "1", "games": "1"})
    press_button(app, "Play")
    assert not app.error
    assert heat_of(app)
