"""`plyscope play`, typed into a pipe and at a real terminal."""

import re
import shlex
import sys

import pytest

from engine import connect, preset, search
from engine.games.registry import read_game
from engine.matches.match import Hint, Match
from engine.matches.players import SearchPlayer
from tests.support.processes import open_terminal
from tests.visualizer.cli.test_commands import PLYSCOPE, run_plyscope
from visualizer.cli.keyboard import Keyboard
from visualizer.cli.play_session import _hint_table, read_command, read_move
from visualizer.narration.move_reasons import explain_choice, search_command

GAMES = ["connect4", "connect-m:size=3", "k-tables", "long-state", "threats", "full-depth", "tictactoe", "nim:2,3"]


def play_lines(*lines, game="connect4", options=()):
    return run_plyscope("play", game, *options, input="".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize("game", [*GAMES, "tree:[[3,12,8],[2,4,6],[14,5,2]]", "connect:rows=4,cols=12"])
def test_every_game_can_be_played_to_its_end_through_a_pipe(game):
    """The person tries all moves in turn and plays the first legal one."""
    played = read_game(game)
    choices = [played.move_name(move) for move in played.moves(played.start())]
    result = play_lines(*(choices * 50), game=game, options=("--depth", "2") if played.default_depth else ())
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert re.search(r"(You win|MAX wins|MIN wins|A draw|this leaf has the value)", result.stdout)
    moves = re.search(r"--moves ([\d,]+) to continue later", result.stdout)[1]
    you = "min" if getattr(played, "searcher_is_max", False) else "max"
    assert Match.read(played, moves, you).is_finished


def test_the_computer_plays_the_move_of_its_search_and_why_explains_it():
    output = play_lines("3", "why", game="k-tables").stdout
    tree = search(preset("k-tables"), "3", depth=3, first="max")
    assert f"MIN, the computer: column {tree.root.best_move} (value −3, 234 nodes)." in output
    assert "It searched 3 moves ahead with alpha-beta, evaluation chains, and expanded 234 nodes." in output
    assert output.count(" returns ") == 7
    assert "The search is done: the root is worth −3, and the best move for MIN is column 3." in output
    command = re.search(r"The whole search: plyscope (.*)", output)[1]
    assert "expanded" in run_plyscope(*shlex.split(command)).stdout


def test_rolls_are_shown_and_follow_from_the_seed():
    output = play_lines("0", "hint", "0", "1", "why", game="pig", options=("--seed", "7")).stdout
    assert "pig:target=12,die=3: you are MAX." in output
    assert "Value of each move, for MAX, 6 moves ahead" in output
    assert re.search(r"MIN, the computer: move roll \(value 0\.\d+, \d+ nodes\)", output)
    assert "It searched 6 moves ahead with expectiminimax" in output
    shown = re.findall(r"Chance brings (\d) \(probability 1/3\)\.", output)
    match = Match.read(read_game("pig"), re.search(r"Use --moves ([\d,]+) --seed 7 to continue later", output)[1], seed=7)
    draws = [(before, move) for before, move in zip(match.earlier_matches, match.moves, strict=True) if before.is_chance]
    assert [*map(int, shown)] == [move for _, move in draws] == [before.choose().move for before, _ in draws]


def test_a_player_is_named_with_its_settings():
    output = play_lines("3", "why", options=("--against", "mcts:iterations=300", "--seed", "5")).stdout
    tree = search(connect(), "3", algorithm="mcts", iterations=300, seed=5, first="max")
    assert f"MIN, the computer: column {tree.root.best_move} (mean {tree.root.value:.2f} for MAX, 300 iterations)." in output
    assert output.count(" of 300 visits, mean 0.") == 7
    assert "--algorithm mcts --iterations 300 --seed 5" in output


def test_hints_undo_new_help_and_a_full_column():
    output = play_lines("hint", "3", "undo", "undo", "help", "new", "quit", "3").stdout
    assert "Value of each move, for MAX, 4 moves ahead (* best for MAX):" in output
    assert output.count("*") == 1 + 1
    assert "You have no move to take back." in output
    assert "explain the computer's last move" in output
    assert "The moves were" not in output
    full = play_lines(
        "0", "0", "0", "0", game="connect:rows=3,cols=4,connect=3", options=("--depth", "1", "--against", "human")
    ).stdout
    assert "Column 0 is full: choose 1-3." in full


def test_input_that_is_not_a_move_is_refused_and_the_game_continues():
    output = play_lines("9", "foo", "", "\x1b[31m", "3").stdout
    assert "There is no column 9: choose 0-6." in output
    assert "'foo' is not a move: type, for example, '0', or help." in output
    assert "\x1b" not in output
    assert "MIN, the computer" in output


def test_names_of_moves():
    match = Match(read_game("nim:3,4"))
    assert read_move(match, "2 from heap 1") == read_move(match, " 2  FROM heap 1 ") == read_move(match, "2 1") == 1002
    assert read_move(match, "1002") == 1002
    assert [read_command(word) for word in ("h", "hints", "?", "WHY", "n", "q", "3", "", "s")] == [
        "hint",
        "hint",
        "help",
        "why",
        "new",
        "quit",
        "",
        "",
        "",
    ]


def test_the_starting_side_and_the_side_of_the_user():
    assert "MAX, the computer" in play_lines(options=("--you", "min", "--starts", "max")).stdout
    assert "you are MIN" in play_lines(game="threats").stdout
    assert "you are MAX" in play_lines(game="k-tables").stdout
    started = {seed: play_lines(options=("--starts", "random", "--seed", seed)).stdout for seed in "01234567"}
    assert len({"MIN, the computer" in output for output in started.values()}) == 2
    assert play_lines("3", options=("--against", "random")).stdout == play_lines("3", options=("--against", "random")).stdout


def test_the_faster_win_is_explained():
    options = ("--moves", "064262300014510", "--starts", "min", "--depth", "4")
    plain = play_lines(game="threats", options=options).stdout
    faster = play_lines("why", game="threats", options=(*options, "--prefer-faster-win")).stdout
    assert "MAX, the computer: column 2 (value 100" in plain
    assert "MAX, the computer: column 3 (value 1," in faster
    assert "MAX wins." in faster
    assert "this is the first search that found a win" in faster
    assert "The whole search: plyscope search threats:evaluation=none --moves 064262300014510 --first min --depth 1" in faster


@pytest.mark.parametrize("strict", [False, True])
def test_the_command_of_a_move_is_its_search(strict):
    choice = Match(preset("threats"), SearchPlayer(3, "alphabeta", cut_on_equal=not strict), first="max").choose()
    words = shlex.split(search_command(choice.question))
    assert words[:3] == ["plyscope", "search", "threats"]
    assert ("--strict" in words) == strict
    assert list(explain_choice(choice))[-1] == f"The whole search: {shlex.join(words)}"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "there is no game 'chess'"),
        (["connect4", "--depth", "0"], "give 1 to 500 plies"),
        (["connect4", "--moves", "9"], "there is no column 9"),
        (["connect4", "--you", "me"], "'me' is not one of"),
        (["connect4", "--as-published"], "as_published needs a preset"),
        (["threats", "--as-published", "--prefer-faster-win"], "no published program prefers the faster win"),
        (["full-depth", "--as-published", "--you", "max"], "plays only MAX"),
        (["tree:[[1,2],[3,4]]", "--depth", "1"], "ends above the leaves of this tree"),
        (["tictactoe", "--evaluation", "lines"], "only for Connect boards"),
        (["pig", "--algorithm", "alphabeta"], "in which chance moves: use expectiminimax, star1, star2, mcts or puct"),
        (["connect4", "--algorithm", "mcts", "--depth", "3"], "MCTS has no depth limit"),
        (["connect4", "--against", "policy:hold=5"], "connect4 declares no policies"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, words):
    result = run_plyscope("play", *arguments, input="0\n")
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr
    assert words in result.stderr


# ---- at a terminal


def open_play_terminal(*arguments):
    return open_terminal([*PLYSCOPE, "play", *arguments])


only_posix = pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own needs pty")


@only_posix
def test_arrow_keys_digits_and_words_at_a_terminal():
    with open_play_terminal("connect4", "--depth", "2") as terminal:
        terminal.wait_for("        ^")  # under column 3
        terminal.press("\x1b[C")
        terminal.wait_for("          ^")
        terminal.press("\r")
        assert "MIN, the computer" in terminal.wait_for("^")
        terminal.press("whx\x7fy\r")
        terminal.wait_for("The whole search: plyscope search connect4 --moves 4 ")
        terminal.wait_for("^")
        terminal.press("3")
        terminal.wait_for("MIN, the computer")
        terminal.wait_for("^")
        terminal.press("quit\r")
        terminal.wait_for("The moves were 4")
        assert terminal.end() == 0


@only_posix
def test_keys_that_come_too_early_are_not_lost():
    with open_play_terminal("connect4", "--depth", "1") as terminal:
        terminal.wait_for("^")
        terminal.press("\x1b[C\x1b[D\x1b[D\r3\x1b[15~q\r")
        terminal.wait_for("The moves were")
        assert terminal.end() == 0
    assert len(re.search(r"--moves (2\d+) to continue later", terminal.shown)[1]) == 4


@only_posix
@pytest.mark.parametrize(("key", "code"), [("\x04", 0), ("\x03", 130)], ids=["end of input", "Ctrl-C"])
def test_leaving_a_terminal(key, code):
    with open_play_terminal("nim:3,4", "--against", "human", "--moves", "1") as terminal:
        terminal.wait_for("< 2 from heap 1 >")
        terminal.press(key)
        terminal.wait_for("Use --moves 1 to continue later. The moves were 1 from heap 0.")
        assert terminal.end() == code
    assert "Traceback" not in terminal.shown


@only_posix
def test_ctrl_c_while_the_computer_thinks():
    with open_play_terminal("nim:9,9,9,9", "--depth", "30", "--you", "min", "--starts", "max") as terminal:
        terminal.wait_for("nim:9,9,9,9: you are MIN")
        terminal.wait_for("searching")
        terminal.press("\x03")
        terminal.wait_for("plyscope: interrupted\r\n")
        assert terminal.end() == 130
    assert "Traceback" not in terminal.shown


def test_a_board_wider_than_ten_columns_has_moves_of_two_digits():
    output = play_lines("11", game="connect:rows=4,cols=12", options=("--depth", "1")).stdout
    assert "The moves were 11," in output
    assert Match.read(connect(rows=4, cols=12), "11,3").position == "11,3"


def test_hints_that_do_not_fit_in_a_row_are_shown_in_a_column():
    found = [Hint(move, str(move), -100000.0, False) for move in range(12)]
    assert len(_hint_table(found, 80).columns) == 2
    assert len(_hint_table(found, 200).columns) == 12


def test_hints_that_differ_look_different():
    found = [Hint(0, "0", 1.0, False), Hint(1, "1", 1.0000001, True)]
    table = _hint_table(found, 80)
    assert [[str(cell) for cell in column.cells] for column in table.columns][:2] == [["1"], ["1.0000001*"]]


def test_enter_after_a_digit_plays_no_second_move():
    keys = Keyboard()
    keys._after_digit = True
    match = Match(connect())
    typed = iter(["\r", "4"])
    assert keys._read_keys(match, None, lambda: next(typed)) == "4"
