"""Stand-ins for packages do what a program that searches needs of them, and a user chooses what leads to the search."""

import argparse
import ast
import optparse
import random
import sys

import pytest

from engine.checker.discovery.input_driver import find_menu
from engine.checker.discovery.script_options import OptionChooser, chosen_options, list_argument_words
from engine.checker.sandbox import python2
from engine.checker.sandbox.user_choices import CHOICES, UserChoices
from engine.checker.sandbox.window_events import EVENTS
from engine.checker.stand_ins.chess_board import Board
from engine.checker.stand_ins.chess_pieces import Move
from engine.checker.stand_ins.chess_stub import ChessModule
from engine.checker.stand_ins.pygame_stub import PygameFont, PygameModule, PygameRect
from engine.checker.stand_ins.small_packages import AnytreeModule, CompilerModule, ProgressModule
from engine.checker.stand_ins.tkinter_stub import TkinterModule

PERFT = [  # published numbers of positions
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [48, 2039]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486]),
]


def count_positions(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count_positions(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize(("fen", "counts"), PERFT)
def test_the_rules_of_chess_give_the_published_numbers_of_positions(fen, counts):
    board = Board(fen)
    assert [count_positions(board, depth) for depth in (1, 2)] == counts
    assert board.fen() == fen


def test_a_game_of_chess_can_be_played_read_and_taken_back():
    board = Board()
    for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"]:
        board.push_san(text)
    assert (board.is_checkmate(), board.result(), board.outcome().winner) == (True, "1-0", True)
    while board.move_stack:
        board.pop()
    assert board == Board()
    with pytest.raises(ValueError, match="illegal"):
        board.push_uci("e2e5")
    chess = ChessModule("chess")
    assert (chess.E4, chess.square_name(chess.E4), len(Board().pieces(chess.PAWN, chess.WHITE))) == (28, "e4", 8)
    assert chess.popcount(Board().occupied_co[chess.WHITE] & Board().pawns) == 8


def test_random_games_of_chess_are_taken_back_exactly():
    draw = random.Random(5)
    board = Board()
    fens = []
    for _ in range(40):
        moves = list(board.legal_moves)
        if not moves:
            break
        fens.append(board.fen())
        board.push(draw.choice(moves))
        assert Board(board.fen()).fen() == board.fen()
    while fens:
        board.pop()
        assert board.fen() == fens.pop()
    assert Move.from_uci("e7e8q").uci() == "e7e8q"


def test_a_tree_of_anytree_is_linked_from_both_ends():
    tree = AnytreeModule("anytree")
    root = tree.Node("root")
    left, right = tree.Node("left", parent=root, score=3), tree.AnyNode(parent=root, score=5)
    leaf = tree.Node("leaf", parent=left)
    assert root.children == (left, right)
    assert (root.is_leaf, leaf.is_leaf, leaf.depth, root.height) == (False, True, 2, 2)
    assert [node.is_leaf for node in tree.PostOrderIter(root)] == [True, False, True, False]
    assert root.leaves == (leaf, right)


def test_progress_bars_and_compilers_hand_on_what_they_get():
    assert list(ProgressModule("tqdm").tqdm([1, 2, 3])) == [1, 2, 3]
    numba = CompilerModule("numba")
    assert numba.njit(len) is len
    assert numba.jit(nopython=True)(len) is len


def test_a_form_of_tkinter_keeps_values_and_chooses_the_search():
    tk = TkinterModule("tkinter")
    mode = tk.StringVar(value="two players")
    for value in ("two players", "computer", "alphabeta"):
        tk.Radiobutton(None, text=value, variable=mode, value=value)
    assert mode.get() == "alphabeta"
    CHOICES.restart()
    entry = tk.Entry(None)
    assert len({entry.get() for _ in range(4)}) == 4  # another number each time, until one is accepted
    entry.insert(0, "12")
    assert entry.get() == "12"
    assert tk.simpledialog.askinteger("Size", "?", minvalue=4, maxvalue=6) in (4, 5, 6)


def test_a_button_of_pygame_that_names_the_search_is_clicked_first():
    EVENTS.restart()
    PygameRect(0, 0, 20, 20)
    area = PygameFont().render("Alpha-beta").get_rect(center=(300, 200))
    clicks = []
    while len(clicks) < 3:
        if EVENTS.next_kind() == "MOUSEBUTTONDOWN":
            clicks.append(EVENTS.pointer)
    assert area.collidepoint(clicks[0])
    assert PygameModule("pygame").transform.scale(None, (30, 40)).get_size() == (30, 40)


# ---- options and menus


def test_options_of_argparse_choose_the_search_and_fill_what_is_required(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["program.py"])
    parser = argparse.ArgumentParser()
    parser.add_argument("size", type=int)
    parser.add_argument("--player", choices=["human", "random", "minimax"], default="human")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-graphics", action="store_true")
    with chosen_options(OptionChooser(["minimax"], [], is_eager=True)):
        eager = parser.parse_args([])
    with chosen_options(OptionChooser(["minimax"], [], is_eager=False)):
        required = parser.parse_args([])
    assert (eager.size, eager.player, eager.depth, eager.seed, eager.no_graphics) == (3, "minimax", 2, 1, True)
    assert (required.size, required.player, required.depth) == (3, "human", 8)


def test_options_of_optparse_choose_the_class_of_the_search(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["program.py"])
    parser = optparse.OptionParser()
    parser.add_option("-p", "--pacman", dest="pacman", default="KeyboardAgent")
    parser.add_option("-g", "--ghosts", dest="ghost", default="RandomGhost")
    parser.add_option("-a", "--agentArgs", dest="agentArgs")
    parser.add_option("-q", "--quietTextGraphics", action="store_true", dest="quiet", default=False)
    with chosen_options(OptionChooser(["AlphaBetaAgent"], [], is_eager=True)):
        options, _ = parser.parse_args([])
    assert (options.pacman, options.ghost, options.agentArgs, options.quiet) == ("AlphaBetaAgent", "RandomGhost", None, True)


def test_words_for_a_script_that_reads_its_arguments_itself():
    source = "import sys\ndepth = int(sys.argv[2])\nif sys.argv[1] == 'random': pass\nelif sys.argv[1] == 'minimax': pass\n"
    assert list_argument_words(ast.parse(source), []) == ["minimax", "3"]
    assert list_argument_words(ast.parse("import sys\nopen(sys.argv[1])\n"), ["tree.txt"]) == ["tree.txt"]
    assert list_argument_words(ast.parse("print('hello')\n"), ["tree.txt"]) == []


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("1 - Humano vs Humano\n2 - Humano vs Minimax\n0 - Sair\n", "2"),
        ("Choose: 1) two players 2) against the computer: ", "2"),
        ("a. easy AI\nb. human\nq. quit\n", "a"),
    ],
)
def test_a_menu_is_answered_with_the_computer(question, first):
    assert find_menu(question)[0] == first


def test_a_drawn_board_is_not_a_menu():
    assert find_menu(" X | O | 3\n---+---+---\n 4 | 5 | 6\nYour move (1-9): ") == []


def test_the_search_itself_is_preferred_to_other_searches():
    choices = UserChoices()
    choices.set_search(["select_alpha_beta", "AI"])
    assert sorted(["Player", "MinMax", "Alpha-beta", "Quit", "Computer"], key=choices.rank) == [
        "Alpha-beta", "MinMax", "Computer", "Player", "Quit"]  # fmt: skip


def test_python_2_that_can_be_parsed_is_recognized_by_its_names():
    new = "try:\n    input = raw_input\nexcept NameError:\n    pass\n"
    assert [python2.is_old_source(text, ast.parse(text)) for text in ("xrange(3)", "def xrange(n): pass\nxrange(3)", new)] == [
        True, False, False]  # fmt: skip
    assert python2.rewrite_names("keys = table.keys()\n") == "keys = list(table.keys())\n"
