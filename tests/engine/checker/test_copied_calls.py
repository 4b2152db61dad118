"""Single calls of a search can be made again, whatever they depend on: clocks, classes, other modules, open files."""

import enum
import textwrap
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.checker.discovery.changing_state import find_shared_places
from engine.checker.discovery.input_driver import InputDriver
from engine.checker.recording.argument_roles import find_score, infer_roles
from engine.checker.recording.board_cells import read_cell, replace_cells
from engine.checker.recording.call_recorder import RecordedCalls, record_function
from engine.checker.recording.program_clock import CLOCK
from engine.checker.recording.shared_state import set_shared_places
from engine.checker.recording.state_encoding import encode_state, is_simple_value
from engine.checker.sandbox.loader import parse_file
from engine.checker.watch import watch
from tests.engine.checker.test_diagnosis import judged


@pytest.fixture
def shared_places():
    yield set_shared_places
    set_shared_places([])


def test_a_call_with_a_time_limit_can_be_made_again_after_the_time_is_over():
    def search(depth, limit):
        if time.time() > limit or depth == 0:
            return -1 if time.time() > limit else 0
        return max(search(depth - 1, limit) for _ in range(2))

    with CLOCK.installed():
        with watch(search) as seen:
            search(2, time.time() + 1)
        time.sleep(0)
        CLOCK.advance(100)
        copied = seen.calls.snapshots.calls[0]
        assert search(*copied.arguments) == -1
        with copied.restored_context() as arguments:
            assert copied.function(*arguments) == 0
        assert search(*copied.arguments) == -1


def test_a_board_in_a_class_belongs_to_the_state_and_is_restored(tmp_path, shared_places):
    path = tmp_path / "game.py"
    path.write_text(
        textwrap.dedent(
            """
            class Game:
                board = [0, 0, 0]
                lines = [[0, 1], [1, 2]]

                def play(self, place, piece):
                    self.board[place] = piece
            """
        )
    )
    names = {"__name__": "game"}
    exec(path.read_text(), names)
    module = SimpleNamespace(**names)
    module.__name__ = "game"
    places = find_shared_places(SimpleNamespace(module=module), [parse_file(path)])
    assert [place.name for place in places] == ["board"]
    shared_places(places)
    game = module.Game()
    empty = encode_state([game])

    def search(game, depth):
        if depth == 0:
            return sum(game.board)
        scores = []
        for place in range(3):
            game.play(place, depth)
            scores.append(search(game, depth - 1))
            game.play(place, 0)
        return max(scores)

    with watch(search) as seen:
        search(game, 2)
    game.play(0, 7)
    assert encode_state([game]) != empty
    with seen.calls.snapshots.calls[0].restored_context() as (copied, _):
        assert copied.board == [0, 0, 0]
    assert game.board == [7, 0, 0]


def test_calls_of_objects_with_an_open_file_are_copied():
    class Player:
        def __init__(self):
            self.log, self.board = open(__file__), [0, 0]  # noqa: SIM115 - that is the point

        def search(self, depth):
            return 0 if depth == 0 else max(-self.search(depth - 1) for _ in range(2))

    player = Player()
    calls = RecordedCalls()
    Player.search = record_function(calls, "search", Player.search)
    player.search(2)
    player.log.close()
    copied = calls.snapshots.calls[0].arguments[0]
    assert copied.log is player.log
    assert copied.board is not player.board


def test_inner_calls_are_copied_although_growing_depths_make_leaves_first():
    def search(depth):
        return 0 if depth == 0 else max(-search(depth - 1) for _ in range(3))

    def think():
        return [search(depth) for depth in range(4)]

    with watch(search) as seen:
        think()
    copies = seen.calls.snapshots.calls
    assert {copy.level for copy in copies if not copy.is_leaf} == {0, 1, 2}
    assert all(sum(copy.level == level and copy.is_leaf for copy in copies) <= 2 for level in range(4))


def test_a_member_of_an_enum_can_be_the_side():
    class Piece(enum.Enum):
        X = 1
        O = -1  # noqa: E741 - as programs write it

    def search(board, player, depth):
        if depth == 0:
            return sum(board)
        other = Piece.O if player is Piece.X else Piece.X
        return max(-search([*board, player.value], other, depth - 1) for _ in range(2))

    with watch(search) as seen:
        search([], Piece.X, 2)
    assert is_simple_value(Piece.X)
    roles = infer_roles(seen.calls, 0)
    assert (roles.state, roles.side, roles.depth) == ("board", "player", "depth")


def test_nodes_that_refer_to_each_other_are_told_apart():
    class Node:
        def __init__(self, parent, score):
            self.parent, self.score, self.children = parent, score, []

        def __repr__(self):
            return "Node()"

    root = Node(None, 1)
    root.children = [Node(root, 5), Node(root, 5)]
    first, second = root.children
    assert encode_state([first]) == encode_state([first])
    assert encode_state([first]) != encode_state([second])


MISSED_LINE = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8)]

def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]

def minimax(board, maximizing):
    won = winner(board)
    if won:
        return 1 if won == "X" else -1
    if " " not in board:
        return 0
    scores = []
    for place in range(9):
        if board[place] == " ":
            board[place] = "X" if maximizing else "O"
            scores.append(minimax(board, not maximizing))
            board[place] = " "
    return max(scores) if maximizing else min(scores)

start = ["X", "O", "X", "X", "O", " ", "O", "X", " "]
"""


@pytest.mark.parametrize(
    ("source", "found"), [(MISSED_LINE, ["win-lines-missing"]), (MISSED_LINE.replace("8)]", "8), (2, 4, 6)]"), [])]
)
def test_a_line_that_no_search_reaches_is_tested_on_a_constructed_board(source, found, tmp_path):
    path = Path(tmp_path / "program.py")
    path.write_text(source)
    certain = [finding for finding in judged(path, "minimax(start, True)").findings if finding.certain]
    assert [finding.name for finding in certain] == found
    assert all("(0, 2), (1, 1), (2, 0)" in finding.sentence for finding in certain)


HIDDEN_WIN = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def minimax(board, depth, maximizing):
    if depth == 0:
        return 1 if board[4] == "X" else -1
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return 100 if board[a] == "X" else -100
    if " " not in board:
        return 0
    scores = []
    for place in range(9):
        if board[place] == " ":
            board[place] = "X" if maximizing else "O"
            scores.append(minimax(board, depth - 1, not maximizing))
            board[place] = " "
    return max(scores) if maximizing else min(scores)

empty = [" "] * 9
"""


def test_a_win_that_the_depth_hides_is_found_on_a_constructed_board(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(HIDDEN_WIN)
    found = [finding for finding in judged(path, "minimax(empty, 2, True)").findings if finding.certain]
    assert [finding.name for finding in found] == ["depth-before-win"]
    assert "scores -100" in found[0].proof


def test_a_board_of_a_class_is_replaced_in_one_object_only():
    class Game:
        board = [" "] * 9

    game = Game()
    assert replace_cells(game, {(1, "board", 4): "X"}) is game
    assert (game.board[4], Game.board[4], read_cell(game, (1, "board", 4))) == ("X", " ", "X")


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("Choose difficulty level ('easy' or 'hard'): ", "hard"),
        ("Mode ('1' for two players, '2' for player vs computer): ", "2"),
        ("Enter the size of the board (e.g., 4 for a 4x4 board): ", "4"),
        ("Search depth? ", "3"),
    ],
)
def test_answers_follow_quoted_choices_and_examples(prompt, answer):
    assert InputDriver("{0} {1}", lambda prompt: "").answer(prompt) == answer


def test_a_number_in_a_pair_is_no_score_if_there_is_another_one():
    def search(depth, place):
        if depth == 0:
            return (place, place), (place * 7) % 5
        scores = [search(depth - 1, place + step)[1] for step in range(3)]
        return (place, place + 2), max(3, *scores)

    with watch(search) as seen:
        search(2, 0)
    assert find_score(seen.calls).text == "result[1]"
