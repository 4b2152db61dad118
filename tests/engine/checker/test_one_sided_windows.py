"""A search in which one side never updates its bound: the name, the line and the statement to add."""

import textwrap

import pytest

from engine.checker.check import check
from engine.checker.recording.wire_format import decompress_columns
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.checker.verdict import WASTEFUL
from visualizer.narration.check_messages import describe_details, describe_first_call, describe_proof, describe_start

RULES = """
import math

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def winner(board):
    return next((board[a] for a, b, c in LINES if board[a] != " " and board[a] == board[b] == board[c]), None)

def moves(board):
    return [square for square in range(9) if board[square] == " "]

def score(board):
    return {"X": 1, "O": -1, None: 0}[winner(board)]
"""
SEARCH = """
def minimax(board, alpha, beta, is_max):
    if winner(board) or not moves(board):
        return score(board)
    if is_max:
        best = -math.inf
        for move in moves(board):
            board[move] = "X"
            best = max(best, minimax(board, alpha, beta, False))
            board[move] = " "
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    worst = math.inf
    for move in moves(board):
        board[move] = "O"
        worst = min(worst, minimax(board, alpha, beta, True))
        board[move] = " "
        UPDATE
        if beta <= alpha:
            break
    return worst

print(minimax(list("X O") + [" "] * 6, -math.inf, math.inf, True))
"""
PAIR = """
def max_value(board, alpha, beta):
    if winner(board) or not moves(board):
        return score(board)
    best = -math.inf
    for move in moves(board):
        board[move] = "X"
        found = min_value(board, alpha, beta)
        board[move] = " "
        if found > best:
            best = found
        UPDATE
        if best >= beta:
            return best
    return best

def min_value(board, alpha, beta):
    if winner(board) or not moves(board):
        return score(board)
    best = math.inf
    for move in moves(board):
        board[move] = "O"
        found = max_value(board, alpha, beta)
        board[move] = " "
        if found < best:
            best = found
        beta = min(beta, best)
        if best <= alpha:
            return best
    return best

print(max_value(list("X O") + [" "] * 6, -math.inf, math.inf))
"""
ONE_LOOP = """
def minimax(board, alpha, beta, is_max):
    if winner(board) or not moves(board):
        return score(board)
    best = -math.inf if is_max else math.inf
    for move in moves(board):
        board[move] = "X" if is_max else "O"
        found = minimax(board, alpha, beta, not is_max)
        board[move] = " "
        if is_max:
            KEPT_BY_MAX
            alpha = max(alpha, best)
        else:
            KEPT_BY_MIN
            UPDATE
        if alpha >= beta:
            break
    return best

print(minimax(list("X O") + [" "] * 6, -math.inf, math.inf, True))
"""


def check_search(tmp_path, search, update=""):
    text = RULES + search.replace("UPDATE", update or "pass")
    (tmp_path / "ai.py").write_text(textwrap.dedent(text))
    return check(CheckRequest(str(tmp_path / "ai.py"))), text.splitlines()


FOLDS = ONE_LOOP.replace("KEPT_BY_MAX", "best = max(best, found)").replace("KEPT_BY_MIN", "best = min(best, found)")
TESTS = ONE_LOOP.replace("KEPT_BY_MAX", "best = found if found > best else best").replace(
    "KEPT_BY_MIN", "if best > found:\n                best = found"
)


@pytest.mark.parametrize(
    ("search", "line", "missing", "update"),
    [
        (
            SEARCH,
            "worst = min(",
            "MIN never lowers beta, and beta = min(beta, worst) is missing after line",
            "beta = min(beta, worst)",
        ),
        (
            PAIR,
            "best = found",
            "MAX never raises alpha, and alpha = max(alpha, best) is missing after line",
            "alpha = max(alpha, best)",
        ),
        (
            FOLDS,
            "best = min(",
            "MIN never lowers beta, and beta = min(beta, best) is missing after line",
            "beta = min(beta, best)",
        ),
        (
            TESTS,
            "best = found",
            "MIN never lowers beta, and beta = min(beta, best) is missing after line",
            "beta = min(beta, best)",
        ),
    ],
    ids=["one function", "a pair", "one loop", "one loop with tests"],
)
def test_the_side_that_never_updates_its_bound_is_named_with_the_statement_to_add(tmp_path, search, line, missing, update):
    checked, text = check_search(tmp_path, search)
    [finding] = checked.verdict.findings
    assert (checked.verdict.verdict, finding.name, finding.certain) == (WASTEFUL, "window-not-updated", True)
    assert text[finding.line - 1].strip().startswith(line)
    assert f"{missing} {finding.line}" in finding.sentence
    repaired, _ = check_search(tmp_path, search, update)
    assert not repaired.verdict.findings
    wasted, calls = (int(part.replace(",", "")) for part in finding.cost.removesuffix(" calls").split(" of "))
    assert calls - wasted == repaired.verdict.rows
    assert "a search that wastes nothing" not in finding.proof or f"makes {repaired.verdict.rows:,}" in finding.proof


def test_a_bound_that_is_updated_under_another_name_is_not_passed_on(tmp_path):
    search = SEARCH.replace("    worst = math.inf\n", "    worst, low = math.inf, beta\n")
    checked, _ = check_search(tmp_path, search, "low = min(low, worst)")
    assert [finding.name for finding in checked.verdict.findings] == ["window-not-passed"]


def test_a_finding_on_the_page_has_one_way_to_write_a_window(tmp_path):
    checked, _ = check_search(tmp_path, SEARCH)
    [finding] = checked.verdict.findings
    columns = decompress_columns(checked.answer.rows)
    words = describe_first_call(finding, checked.answer, columns) + describe_proof(finding)
    assert "inf" not in words
    assert words.count("the window of this call is") + words.count("(window") == 1


def test_the_details_of_a_run_are_in_plain_words(tmp_path):
    checked, _ = check_search(tmp_path, SEARCH)
    lines = describe_details(*checked)
    assert "minimax: board is the position, is_max is the side to move, alpha and beta are what the name says." in lines
    assert "Moves are made on one board and taken back." in lines
    assert not any(name in line for name in ("variants", "score: result", "fail-soft") for line in lines)
    assert describe_start(*checked) == f"What was run: the script itself. It made {checked.verdict.rows:,} calls."
