"""The side to move in a recorded search: the tree, the findings and the highlighted lines agree, whatever is wrong."""

import re
import textwrap

import pytest

from engine import Trace
from engine.checker.check import check
from engine.checker.recorded_tree import build_tree
from engine.checker.recording.wire_format import decompress_columns
from engine.checker.sandbox.worker_protocol import CheckRequest
from visualizer.narration.pseudocode import find_code_line, narration_json, tree_pseudocode
from visualizer.narration.sentences import sentence
from visualizer.viewer.viewport import find_visible_part, result_step

RETURNS_IN_LOOP = """
    import math

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def winner(board):
        return next((board[a] for a, b, c in LINES if board[a] != " " and board[a] == board[b] == board[c]), None)

    def moves(board):
        return [square for square in range(9) if board[square] == " "]

    def minimax(board, alpha, beta, {side}):
        if winner(board):
            return 1 if winner(board) == "X" else -1
        if not moves(board):
            return 0
        if {test}:
            best = -math.inf
            for move in moves(board):
                board[move] = "X"
                best = max(best, minimax(board, alpha, beta, {of_min}))
                board[move] = " "
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
                return best
        else:
            best = math.inf
            for move in moves(board):
                board[move] = "O"
                best = min(best, minimax(board, alpha, beta, {of_max}))
                board[move] = " "
                beta = min(beta, best)
                if alpha >= beta:
                    break
            return best

    board = ["X"] + [" "] * 8
    print(minimax(board, -math.inf, math.inf, {of_min}))
"""
SIDES = {
    "a flag of MAX": {"side": "is_max", "test": "is_max", "of_max": "True", "of_min": "False"},
    "a flag of MIN": {"side": "minimizing", "test": "not minimizing", "of_max": "False", "of_min": "True"},
    "a player": {"side": "player", "test": "player == 'X'", "of_max": "'X'", "of_min": "'O'"},
}


@pytest.fixture(scope="module", params=SIDES)
def returned_in_loop(request, tmp_path_factory):
    """A search whose MAX returns in its loop, so that hardly any score tells the sides, with a MIN node at the root."""
    file = tmp_path_factory.mktemp("program") / "ai.py"
    file.write_text(textwrap.dedent(RETURNS_IN_LOOP).format(**SIDES[request.param]))
    return check(CheckRequest(str(file)))


def test_a_faulty_fold_does_not_turn_the_sides(returned_in_loop):
    columns = decompress_columns(returned_in_loop.answer.rows)
    tree = build_tree("ai.py", returned_in_loop.answer)
    assert len(tree) > 8
    for row in range(len(tree)):
        board = columns.boards[columns.board[row]]
        assert tree[row].maximizing == (board.count("X") == board.count("O")), f"row {row}:\n{board}"


def test_the_sentences_and_the_lines_of_steps_are_those_of_their_side(returned_in_loop):
    tree = build_tree("ai.py", returned_in_loop.answer)
    code = [line.words for line in tree_pseudocode(tree)]
    branch, other = next(at for at, line in enumerate(code) if line.endswith(("max:", "ing:", "'X':"))), code.index("    else:")
    branches = {True: range(branch, other), False: (branch, *range(other, len(code)))}  # a player is not known by the text
    steps = list(Trace(tree))
    assert "with MIN to move" in sentence(steps[0])
    for step in steps:
        if step.kind in ("return", "cutoff", "leave"):
            assert find_code_line(step) in branches[bool(step.node.maximizing)], sentence(step)


def test_a_call_that_returns_after_its_first_move_has_not_searched_all_moves(returned_in_loop):
    tree = build_tree("ai.py", returned_in_loop.answer)
    code = [line.words.strip() for line in tree_pseudocode(tree)]
    left = [step for step in Trace(tree) if step.kind == "leave" and step.node.maximizing]
    assert left
    for step in left:
        assert sentence(step).startswith("This call tries no more moves.")
        assert code[find_code_line(step)] in ("return best", "if player == 'X':")
    assert narration_json(tree)["howLeft"]["exhausted"] == "no more moves tried"


def test_the_first_call_of_a_return_in_the_loop_is_one_of_that_side(returned_in_loop):
    finding = next(one for one in returned_in_loop.verdict.findings if one.name == "returns-too-soon")
    tree = build_tree("ai.py", returned_in_loop.answer)
    assert tree[finding.row].maximizing
    assert re.search(
        r"every call with (is_max = True|minimizing = False|player = 'X') tries only its first move", finding.sentence
    )
    single = [row for row in range(len(tree)) if tree[row].maximizing and len(tree[row].children) == 1]
    assert (finding.row, finding.times) == (single[0], len(single))


def test_a_call_that_was_never_left_is_shown_as_it_is_entered(returned_in_loop):
    tree = build_tree("ai.py", returned_in_loop.answer)
    steps = Trace(tree)
    opened = [row for row in range(len(tree)) if tree[row].status == "open"]
    assert opened
    for row in range(len(tree)):
        step = steps[result_step(tree, find_visible_part(tree, row), row)]
        assert (int(step.node), step.kind == "enter") == (row, row in opened)
