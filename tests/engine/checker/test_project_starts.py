"""The search of a project is found and started wherever it lies, whichever file or folder is checked."""

import json
import time

import pytest

from engine.checker.check import check
from engine.checker.discovery.project import find_project_search, read_project
from engine.checker.sandbox.launcher import max_worker_seconds, run_worker
from engine.checker.sandbox.program_files import read_project_files
from engine.checker.sandbox.python2 import convert_source
from engine.checker.sandbox.worker_protocol import CheckRequest

SEARCH = """
def minimax(board, depth, maximizing):
    free = [place for place in range(len(board)) if board[place] == " "]
    if depth == 0 or not free:
        return board.count("X") - 2 * board.count("O") + board.index("X") if "X" in board else 0
    scores = []
    for place in free:
        board[place] = "X" if maximizing else "O"
        scores.append(minimax(board, depth - 1, not maximizing))
        board[place] = " "
    return max(scores) if maximizing else min(scores)
"""
METHOD = """
class Agent:
    def __init__(self, depth):
        self.depth = depth

    def get_move(self, board):
        return max(board.free(), key=lambda place: self.value(board.after(place), self.depth - 1))

    def value(self, board, depth):
        if depth == 0 or not board.free():
            return sum(board.cells)
        return max(-self.value(board.after(place), depth - 1) for place in board.free())
"""
BOARD = """
class Board:
    def __init__(self, cells):
        self.cells = cells

    def free(self):
        return [place for place, cell in enumerate(self.cells) if not cell]

    def after(self, place):
        return Board([*self.cells[:place], 1, *self.cells[place + 1 :]])
"""
LOOP = """
import pygame
from ai import minimax

def play():
    board = [" "] * 4
    while True:
        for event in pygame.event.get():
            if event.type == pygame.KEYDOWN and event.key == pygame.K_F12:
                print(minimax(board, 3, True))

if __name__ == "__main__":
    play()
"""
MENU = """
from ai import minimax
def main():
    print("1. two players")
    print("2. against the computer")
    if input() == "2":
        minimax([" "] * 4, 3, True)
main()
"""
CLEARING = """
import os
from ai import minimax
def main():
    os.system("cls" if os.name == "nt" else "clear")
    minimax([" "] * 4, 3, True)
main()
"""
PROTOCOL = """
from typing import Protocol
class Scores(Protocol):
    def score(self, n: int) -> int: ...
class Count:
    def score(self, n: int) -> int:
        return n % 5
class Agent:
    def __init__(self, scores: Scores):
        self.scores = scores
    def search(self, n: int, depth: int) -> int:
        return self.scores.score(n) if depth == 0 else max(-self.search(n + step, depth - 1) for step in (1, 2))
"""
FORM = """
import tkinter as tk
from ai import minimax
root = tk.Tk()
size = tk.Entry(root)
def start():
    if 8 <= int(size.get()) <= 18:
        root.after(100, lambda: minimax([" "] * 4, 3, True))
tk.Button(root, text="Start", command=start).pack()
root.mainloop()
"""
SCREENS = """
import pygame
from ai import minimax
pygame.init()
screen = pygame.display.set_mode((600, 400))
button = pygame.font.SysFont(None, 30).render("Computer", True, "white")
place = button.get_rect(center=(450, 350))
typed, chosen = "", False
while True:
    for event in pygame.event.get():
        if event.type == pygame.QUIT:
            raise SystemExit
        if event.type == pygame.MOUSEBUTTONDOWN and place.collidepoint(event.pos):
            chosen = True
        if chosen and event.type == pygame.KEYDOWN:
            if event.key == pygame.K_RETURN:
                if typed.strip() == "15":
                    minimax([" "] * 4, 3, True)
                typed = ""
            else:
                typed += event.unicode
"""
OPTIONS = """
import argparse
from agents import make_agent
parser = argparse.ArgumentParser()
parser.add_argument("--agent", default="keyboard")
parser.add_argument("--depth", type=int, required=True)
options = parser.parse_args()
if options.agent == "MinimaxAgent":
    make_agent(options.agent, options.depth).choose([" "] * 4)
"""
AGENTS = """
class MinimaxAgent:
    def __init__(self, depth):
        self.depth = depth
    def choose(self, board):
        return self.value(board, self.depth, True)
    def value(self, board, depth, maximizing):
        free = [place for place in range(len(board)) if board[place] == " "]
        if depth == 0 or not free:
            return board.count("X")
        return (max if maximizing else min)(
            self.value([*board[:place], "X", *board[place + 1:]], depth - 1, not maximizing) for place in free)
def make_agent(name, depth):
    return globals()[name](depth)
"""
PREPARED = """
class Game:
    def __init__(self):
        self.cells = [0] * 4
    def set_turn(self, turn):
        self.turn = turn
    def moves(self):
        return [place for place, cell in enumerate(self.cells) if not cell]
    def drop(self, place):
        self.cells[place], self.turn = self.turn, 3 - self.turn
    def undo(self, place):
        self.cells[place], self.turn = 0, 3 - self.turn
def negamax(game: Game, depth):
    if depth == 0 or not game.moves():
        return game.cells.count(game.turn)
    best = -99
    for place in game.moves():
        game.drop(place)
        best = max(best, -negamax(game, depth - 1))
        game.undo(place)
    return best
"""
TWO_SEARCHES = (
    """
def alphabeta(board, depth, alpha, beta, maximizing):
    raise ValueError("not finished")
    return max(alphabeta(board, depth - 1, alpha, beta, not maximizing), 0)
"""
    + SEARCH
)
OLD_NUMPY = """
import numpy as np
seen = {}
def minimax(board: np.ndarray[2, 2], depth: int, maximizing: bool):
    seen[board.tostring()] = depth
    free = np.argwhere(board == 0)
    if depth == 0 or not len(free):
        return int(board.sum())
    best = np.NINF if maximizing else np.infty
    for row, column in free:
        after = board.copy()
        after[row, column] = 1 if maximizing else 2
        best = (max if maximizing else min)(best, minimax(after, depth - 1, not maximizing))
    return best
"""
UNFINISHED = """class Board:
    def moves(self):
        return [1, 2]

    def after(self, move):
        return Board()

def minimax(board: Board, depth):
    if depth == 0:
        return LINE
    return max(-minimax(board.after(move), depth - 1) for move in board.moves())
"""
OLD_PYTHON = (
    SEARCH
    + """
def main():
    minimax([" "] * int(raw_input("How many? ")[:1]), 3, True)
main()
"""
)
PROJECTS = {  # name -> the files, what is checked, the beginning of the start, the number of recorded calls
    "another script": ({"ai.py": SEARCH, "main.py": "from ai import minimax\nprint(minimax([' '] * 4, 3, True))\n"},
                       "ai.py", "the script main.py", 41),
    "the script that imports it": ({"ai.py": SEARCH, "main.py": "import ai\nprint(ai.minimax([' '] * 4, 3, True))\n"},
                                   "main.py", "the script main.py", 41),
    "a folder": ({"ai.py": SEARCH, "main.py": "from ai import minimax\nprint(minimax([' '] * 4, 3, True))\n"},
                 "", "the script main.py", 41),
    "a package with relative imports": ({"game/__init__.py": "", "game/rules.py": "SIZE = 4\n",
                                         "game/ai.py": "from .rules import SIZE\n" + SEARCH,
                                         "run.py": "from game.ai import minimax, SIZE\nminimax([' '] * SIZE, 3, True)\n"},
                                        "game/ai.py", "the script run.py", 41),
    "questions and a data file": ({"ai.py": SEARCH, "size.txt": "4",
                                   "main.py": "from ai import minimax\nsize = int(open('size.txt').read())\n"
                                              "answer = input('Begin (y/n)? ')\nminimax([' '] * size, 3, True)\n"},
                                  "ai.py", "the script main.py, with its questions answered", 41),
    "a call in a game loop": ({"ai.py": SEARCH, "main.py": LOOP},
                              "ai.py", "minimax(board, 3, True) as on line 10 of main.py", 41),
    "a call behind another search": ({"ai.py": SEARCH, "slow.py": "def solve():\n    while True: pass\n",
                                      "main.py": "import slow, ai\ndef turn(board):\n    other = slow.solve()\n"
                                                 "    best = ai.minimax(board, 3, True)\n    return other, best\n"
                                                 "def go():\n    turn([' '] * 4)\n"},
                                     "ai.py", "ai.minimax(board, 3, True) as on line 4 of main.py", 41),
    "the handler of a button": ({"ai.py": SEARCH, "main.py": "from tkinter import *\nfrom ai import minimax\nroot = Tk()\n"
                                                             "def think():\n    minimax([' '] * 4, 3, True)\n"
                                                             "Button(root, text='Go', command=think).pack()\nroot.mainloop()\n"},
                                "", "the script main.py", 41),
    "a method of an object": ({"agent.py": METHOD, "board.py": BOARD,
                               "play.py": "from agent import Agent\nfrom board import Board\ndef turn(board):\n"
                                          "    return Agent(3).get_move(board)\ndef start():\n    return turn(Board([0] * 4))\n"},
                              "agent.py", "Agent(3).get_move(board) as on line 4 of play.py", 40),
    "a lambda": ({"ai.py": "best = lambda n, mine: (1 if mine else -1) if n < 2 else (max if mine else min)("
                           "best(n - 1, not mine), best(n - 2, not mine))\n",
                  "main.py": "from ai import best\nprint(best(5, True))\n"},
                 "ai.py", "the script main.py", 15),
    "a script that clears the screen": ({"ai.py": SEARCH, "main.py": CLEARING}, "ai.py", "the script main.py", 41),
    "an object that a protocol describes": ({"ai.py": PROTOCOL}, "ai.py", "Agent(Count()).search(", 8),
    "a menu": ({"ai.py": SEARCH, "main.py": MENU}, "ai.py", "the script main.py, with its questions answered", 41),
    "a form": ({"ai.py": SEARCH, "main.py": FORM}, "ai.py", "the script main.py", 41),
    "two screens and a text that is typed": ({"ai.py": SEARCH, "main.py": SCREENS}, "ai.py", "the script main.py", 41),
    "a script with options": ({"agents.py": AGENTS, "main.py": OPTIONS}, "agents.py", "the script main.py, with options", 5),
    "an object that has to be prepared": ({"ai.py": PREPARED}, "ai.py", "negamax(", 20),
    "names of Python 2": ({"ai.py": OLD_PYTHON}, "ai.py", "the script itself, with its questions answered", 2),
    "names that numpy has removed": ({"ai.py": OLD_NUMPY, "main.py": "import ai\nai.minimax(ai.np.zeros((2, 2)), 3, True)\n"},
                                     "ai.py", "the script main.py", 41),
    "an empty board of a usual kind": ({"ai.py": SEARCH}, "ai.py", "minimax from a position later in the game (call 2 of minimax("
                                       "[' '] * 42, 4, True)", 1000),
}  # fmt: skip


SQUARES = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def minimax(board, depth, maximizing):
    for a, b, c in LINES:
        if board[a] and board[a] == board[b] == board[c]:
            return 10 - depth if board[a] == "X" else depth - 10
    if "" not in board:
        return 0
    scores = []
    for place in range(9):
        if board[place] == "":
            board[place] = "X" if maximizing else "O"
            scores.append(minimax(board, depth + 1, not maximizing))
            board[place] = ""
    return max(scores) if maximizing else min(scores)

def best_move(board):
    best, move = float("-inf"), -1
    for place in range(9):
        if board[place] == "":
            board[place] = "X"
            score = minimax(board, 0, False)
            board[place] = ""
            if score > best:
                best, move = score, place
    return move
"""


def test_a_board_is_as_large_as_the_loop_over_its_squares(tmp_path):
    write_project(tmp_path, {"ai.py": SQUARES})
    verdict, answer = check(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert answer.started == "best_move([''] * 9)"
    assert (verdict.verdict, verdict.findings) == ("nothing wrong found", [])


def write_project(folder, files):
    for name, source in files.items():
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(source)
    return folder


@pytest.mark.parametrize("name", PROJECTS)
def test_a_search_is_started_as_its_project_does(tmp_path, name):
    files, target, start, rows = PROJECTS[name]
    write_project(tmp_path, files)
    answer = run_worker(CheckRequest(str(tmp_path / target), seconds=20.0))
    assert answer.failed == ""
    assert answer.started.startswith(start)
    assert answer.rows.count >= rows


def test_another_search_of_the_file_is_checked_if_the_first_one_cannot_be_started(tmp_path):
    write_project(tmp_path, {"ai.py": TWO_SEARCHES, "main.py": "import ai\nai.minimax([' '] * 4, 3, True)\n"})
    verdict, answer = check(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert verdict.functions == ["minimax"]
    assert answer.rows.count >= 41
    assert answer.notes == ["alphabeta could not be started, so minimax was checked"]


@pytest.mark.parametrize(
    ("line", "proof"),
    [
        ("is_won(board)", "nothing in ai.py defines or imports is_won"),
        ("board.winner()", "nothing in the project defines winner"),
    ],
)
def test_a_name_that_nothing_defines_is_an_error_of_the_program(tmp_path, line, proof):
    source = UNFINISHED.replace("LINE", line)
    write_project(tmp_path, {"ai.py": source})
    verdict, _ = check(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    [finding] = verdict.findings
    assert (verdict.verdict, finding.name, finding.certain, finding.line) == ("wrong", "raises", True, 10)
    assert finding.proof.startswith(proof)


def test_a_class_that_cannot_be_defined_is_named(tmp_path):
    write_project(tmp_path, {"ai.py": METHOD.replace("depth):", "depth=rules.DEPTH):", 1)})
    answer = run_worker(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert answer.failed == "Agent.value cannot be defined (line 3: NameError: name 'rules' is not defined)"


def test_an_import_that_a_definition_needs_is_added_and_told(tmp_path):
    ai = METHOD.replace("depth):", "depth=math.pi):", 1)
    write_project(tmp_path, {"ai.py": ai, "main.py": BOARD + "from ai import Agent\nAgent(3).get_move(Board([0] * 3))\n"})
    answer = run_worker(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert answer.failed == ""
    assert "ai.py uses math without importing it: the import was added" in answer.notes


def test_an_object_that_nothing_in_the_project_makes_is_described(tmp_path):
    (tmp_path / "agent.py").write_text(METHOD)
    answer = run_worker(CheckRequest(str(tmp_path / "agent.py")))
    assert "no class of the project has free(), after(), which value asks of its argument board" in answer.failed
    write_project(tmp_path, {"board.py": BOARD.replace("Board:", "Cells:") + "class Board(Cells):\n    pass\n"})
    write_project(tmp_path, {"main.py": "import agent, board\n"})
    assert "no class" not in run_worker(CheckRequest(str(tmp_path / "agent.py"))).failed


def test_an_import_that_only_windows_finds_is_followed_and_told(tmp_path):
    main = "from Ai import minimax\nprint(minimax([' '] * 4, 3, True))\n"
    write_project(tmp_path, {"ai.py": SEARCH, "main.py": main})
    answer = run_worker(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert (answer.failed, answer.started) == ("", "the script main.py")
    assert "ai.py is imported as Ai, which Linux does not find: the file was taken" in answer.notes


def test_a_search_that_is_a_loop_is_named(tmp_path):
    source = "def alpha_beta(nodes):\n    for node in nodes:\n        node.value = max(child.value for child in node.children)\n"
    tree = "def count(n):\n    return 1 + sum(count(n - 1) for _ in range(n))\n"
    write_project(tmp_path, {"ai.py": source, "tree.py": tree, "main.py": "import ai, tree\n"})
    answer = run_worker(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert answer.failed.startswith("alpha_beta (ai.py, line 1) is a loop that does not call itself")


def test_only_files_that_belong_together_are_a_project(tmp_path):
    write_project(tmp_path, {"one.py": SEARCH, "other.py": SEARCH, "main.py": "import other\n"})
    assert set(read_project_files(tmp_path / "one.py").files) == {"one.py"}
    assert set(read_project_files(tmp_path / "other.py").files) == {"one.py", "other.py", "main.py"}
    assert set(read_project_files(tmp_path).files) == {"one.py", "other.py", "main.py"}


def test_a_notebook_beside_a_module_of_its_name_is_another_module(tmp_path):
    cells = [{"cell_type": "code", "source": ["%matplotlib inline\n", "import ai\n"]}, {"cell_type": "code", "source": SEARCH}]
    write_project(tmp_path, {"ai.ipynb": json.dumps({"cells": cells}), "ai.py": "SIZE = 4\n"})
    project = read_project(tmp_path, tmp_path / "ai.ipynb", [tmp_path / "ai.ipynb", tmp_path / "ai.py"])
    assert find_project_search(project).module.name == "ai_notebook"


def test_python_2_is_converted_line_by_line():
    source = "try:\n    print 'a', 1,\nexcept ValueError, e:\n    raise KeyError, 'b'\nif 1 <> 2: print\n"
    converted = convert_source(source)
    assert converted.text == (
        "try:\n    print('a', 1, end=' ')\nexcept ValueError as e:\n    raise KeyError('b')\nif 1 != 2: print()\n"
    )
    assert converted.lines == [2, 3, 4, 5]


def test_a_project_that_cannot_be_started_gets_a_screen_with_a_command(tmp_path):
    broken = "import no_such_game\ndef minimax(game, depth):\n    game.rules.check()\n    return minimax(game, depth - 1)\n"
    write_project(tmp_path, {"ai.py": broken, "main.py": "import ai\nprint('no game')\n"})
    verdict, answer = check(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert verdict.as_json()["stand_ins"] == ["no_such_game"]
    assert verdict.as_json()["try"].startswith(f"plyscope check {tmp_path}/ai.py --call 'minimax(")
    assert answer.place == "ai.py, line 2"
    assert len(answer.tried) <= 6
    assert all(len(attempt) < 250 for attempt in answer.tried)


def test_an_argument_of_the_command_line_that_is_missing_is_named(tmp_path):
    broken = "import sys\ndef minimax(node, depth):\n    return max(minimax(one, depth - 1) for one in node.parts[3])\n"
    write_project(tmp_path, {"ai.py": f"{broken}minimax(open(sys.argv[2]), 3)\n"})
    verdict, answer = check(CheckRequest(str(tmp_path / "ai.py"), seconds=20.0))
    assert "(line 4): argv[2] has to be given on the command line" in answer.failed
    assert verdict.as_json()["try"].startswith(f"plyscope check {tmp_path}/ai.py --call 'minimax(")


def test_a_call_may_use_other_modules_of_the_project(tmp_path):
    write_project(tmp_path, {"agent.py": METHOD, "board.py": BOARD, "rules/__init__.py": "", "rules/size.py": "SIZE = 3\n",
                             "main.py": "import agent, board, rules.size\n"})  # fmt: skip
    for call in ("Agent(3).get_move(board.Board([0] * rules.size.SIZE))", "Agent(3).get_move(Board([0] * SIZE))"):
        answer = run_worker(CheckRequest(str(tmp_path / "agent.py"), seconds=20.0, call=call))
        assert (answer.failed, answer.rows.count) == ("", 15)


@pytest.mark.parametrize("seconds", [1, 4, 20, 60, 600])
def test_the_time_limit_holds_for_everything(seconds):
    assert max_worker_seconds(CheckRequest("x.py", seconds=seconds)) <= max(60, seconds)


def test_a_loop_over_moves_that_never_ends_is_no_right_search(tmp_path):
    source = (
        "from itertools import count\ndef minimax(n):\n    return max(minimax(n - 1) if n else len(str(i)) for i in count())\n"
    )
    (tmp_path / "ai.py").write_text(f"{source}minimax(3)\n")
    verdict, _ = check(CheckRequest(str(tmp_path / "ai.py"), seconds=2.0))
    [finding] = verdict.findings
    assert (verdict.verdict, finding.name, finding.certain, finding.line) == ("suspicious", "infinite-or-huge", False, 2)
    assert "none of its calls had returned" in finding.sentence


def test_a_program_that_never_ends_is_stopped_in_time(tmp_path):
    write_project(
        tmp_path, {"ai.py": SEARCH.replace("depth == 0 or not free", "False"), "main.py": "import ai\nwhile True: pass\n"}
    )
    begun = time.monotonic()
    run_worker(CheckRequest(str(tmp_path / "ai.py"), seconds=5.0))
    assert time.monotonic() - begun < 35


GROWING_DEPTHS = """
def alphabeta(board, depth, alpha, beta, maximizing):
    free = [place for place in range(9) if board[place] == " "]
    if depth == 0 or not free:
        return board.index("X") - board.index("O") if "X" in board and "O" in board else 0
    for place in free:
        after = [*board[:place], "X" if maximizing else "O", *board[place + 1 :]]
        score = alphabeta(after, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha >= beta:
            break
    return alpha if maximizing else beta

for depth in range(1, 5):
    print(alphabeta([" "] * 9, depth, -100, 100, True))
"""
ENDLESS_GAME = """
def negamax(counters, alpha=-50, beta=50):
    if sum(counters) > 40:
        return 1 if counters[0] % 3 == 1 else -1
    for place in range(3):
        after = [*counters[:place], counters[place] + 1 + place, *counters[place + 1 :]]
        alpha = max(alpha, -negamax(after, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha
"""
WRONG_CALL = """
def evaluate(board, player, depth):
    return sum(board) * player

def minimax(board, depth, player):
    if depth == 0:
        return evaluate(board, player)
    return max(-minimax([*board, player], depth - 1, -player) for _ in range(2))
"""


def check_source(tmp_path, source):
    (tmp_path / "program.py").write_text(source)
    return check(CheckRequest(str(tmp_path / "program.py"))).verdict


def test_a_search_that_is_too_small_is_replaced_by_a_larger_one_of_the_same_run(tmp_path):
    verdict = check_source(tmp_path, GROWING_DEPTHS)
    assert verdict.rows >= 100
    assert verdict.verdict == "nothing wrong found"


def test_a_search_without_depth_that_is_too_large_is_run_later_in_the_game_with_the_first_window(tmp_path):
    verdict = check_source(tmp_path, ENDLESS_GAME)
    assert 50 <= verdict.rows <= 6_000
    assert verdict.verdict == "nothing wrong found"


def test_a_call_with_the_wrong_number_of_arguments_is_proved_to_fail(tmp_path):
    verdict = check_source(tmp_path, WRONG_CALL)
    assert [(finding.name, finding.certain, finding.line) for finding in verdict.findings] == [("raises", True, 7)]
    assert "defined once" in verdict.findings[0].proof
