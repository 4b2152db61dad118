"""A finding is certain only if an experiment proves it; programs that look odd but are right are not accused."""

from pathlib import Path

import pytest

from engine.checker.check import check
from engine.checker.diagnosis import judge
from engine.checker.sandbox.worker_protocol import CheckRequest
from tests.engine.checker.test_diagnosis import judged, record_search

NIM = """
def minimax(sticks, explored, depth, is_max):
    explored[0] += 1
    if sticks == 0:
        return -10 if is_max else 10
    if depth == 0:
        return sticks % 3
    scores = [minimax(sticks - n, explored, depth - 1, not is_max) for n in (1, 2, 3) if n <= sticks]
    return max(scores) if is_max else min(scores)
"""
KEPT_COPY = """
def minimax(board, depth, is_max):
    if depth == 0:
        return sum(board)
    best = -99 if is_max else 99
    for square in range(4):
        if board[square] == 0:
            kept = board[:]
            board[square] = square + 1 if is_max else -square - 2
            score = minimax(board, depth - 1, not is_max)
            board = kept
            best = max(best, score) if is_max else min(best, score)
    return best
"""
THREE_AGENTS = """
def max_value(state, depth, agent):
    if depth == 0:
        return state % 7
    return max(min_value(3 * state + n, depth, 1) for n in (1, 2, 3))

def min_value(state, depth, agent):
    if depth == 0:
        return state % 7
    if agent == 2:
        return min(max_value(3 * state + n, depth - 1, 0) for n in (1, 2, 3))
    return min(min_value(3 * state + n, depth, agent + 1) for n in (1, 2, 3))
"""
CONSTANT_LIMIT = """
def max_value(board, depth, current_depth):
    if current_depth == depth:
        return sum(board) % 5
    return max(min_value(board + [n], depth, current_depth + 1) for n in (1, 2, 3))

def min_value(board, depth, current_depth):
    if current_depth == depth:
        return sum(board) % 5
    return min(max_value(board + [n * n], depth, current_depth + 1) for n in (1, 2, 3))
"""
STATE_IN_TWO_ARGUMENTS = """
import random

def minimax(board, taken, depth, is_max):
    if depth == 0:
        return sum(taken.values()) % 11
    scores = []
    for n in (3, 1, 2):
        scores.append(minimax(board, {**taken, (depth, n): n * depth}, depth - 1, not is_max))
    return max(scores) if is_max else min(scores)
"""
LEVEL_BESIDE_SCORE = """
def negamax(board, depth, alpha, beta, step):
    level = step + 1
    if depth == 0:
        return sum(board) % 13 - 6, level
    for n in range(4):
        if board[n] == 0:
            board[n] = (n + 2) * depth
            score, level = negamax(board, depth - 1, -beta, -alpha, step + 1)
            board[n] = 0
            if -score >= beta:
                return beta, level
            alpha = max(-score, alpha)
    return alpha, level
"""
EXTRA_TURNS = """
def negamax(board, depth):
    if depth == 0:
        return sum(board) % 13 - 6
    best = -99
    for n in range(4):
        if board[n] == 0:
            after = board[:n] + [n * depth + 1] + board[n + 1:]
            score = negamax(after, depth - 1)
            best = max(best, score if n % 2 else -score)
    return best
"""
NULL_MOVE = """
def negamax(board, depth, alpha, beta, null=True):
    if depth <= 0:
        return sum(board) % 13 - 6
    if null and depth > 2:
        score = -negamax(board, depth - 3, -beta, -beta + 1, False)
        if score >= beta:
            return score
    best = -99
    for n in range(5):
        if board[n] == 0:
            after = board[:n] + [n * depth + 1] + board[n + 1:]
            best = max(best, -negamax(after, depth - 1, -beta, -alpha, True))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best
"""
FINE_TABLE = """
memo = {}

def minimax(board, depth, is_max):
    if (tuple(board), depth) in memo:
        return memo[tuple(board), depth]
    if depth == 0:
        return sum(n * piece for n, piece in enumerate(board, 1)) % 7
    scores = []
    for n in range(4):
        if board[n] == 0:
            scores.append(minimax(board[:n] + [1 if is_max else 2] + board[n + 1:], depth - 1, not is_max))
    memo[tuple(board), depth] = max(scores) if is_max else min(scores)
    return memo[tuple(board), depth]
"""
DEPTH_IN_THE_BOARD = """
def minimax(board, depth, is_max):
    if len(board) > depth:
        return sum(n * piece for n, piece in enumerate(board, 1)) % 7
    scores = [minimax(board + [n], depth, not is_max) for n in (1, 3, 4)]
    return max(scores) if is_max else min(scores)
"""
RIGHT_PROGRAMS = {
    "a counter is not the board": (NIM, "minimax(9, [0], 4, True)"),
    "the caller keeps a copy": (KEPT_COPY, "minimax([0] * 4, 3, True)"),
    "three agents in a cycle": (THREE_AGENTS, "max_value(1, 2, 0)"),
    "a constant limit beside the depth": (CONSTANT_LIMIT, "max_value([1], 4, 0)"),
    "a limit that stays the same": (DEPTH_IN_THE_BOARD, "minimax([2], 4, True)"),
    "the state is in two arguments": (STATE_IN_TWO_ARGUMENTS, "minimax([1, 2], {}, 3, True)"),
    "the second result is a level": (LEVEL_BESIDE_SCORE, "negamax([0] * 4, 3, -99, 99, 0)"),
    "some moves give an extra turn": (EXTRA_TURNS, "negamax([0] * 4, 3)"),
    "null moves": (NULL_MOVE, "negamax([0] * 5, 4, -99, 99)"),
    "a table with depth": (FINE_TABLE, "minimax([0] * 4, 4, True)"),
}


def judge_source(folder: Path, source: str, call: str):
    (folder / "search.py").write_text(source)
    return judged(folder / "search.py", call)


@pytest.mark.parametrize("name", RIGHT_PROGRAMS)
def test_a_right_program_that_looks_odd_gets_no_finding(name, tmp_path):
    assert [finding.name for finding in judge_source(tmp_path, *RIGHT_PROGRAMS[name]).findings] == []


NOT_UNDONE = KEPT_COPY.replace("            kept = board[:]\n", "").replace("            board = kept\n", "")
UNPLAYED = """
def play(board, n):
    board = board[:n] + "x" + board[n + 1:]

def negamax(board, depth):
    if depth == 0:
        return 0
    best = -9
    for n in range(9):
        play(board, n)
        best = max(best, -negamax(board, depth - 1))
    return best
"""
MEMO_WITHOUT_DEPTH = FINE_TABLE.replace("(tuple(board), depth)", "tuple(sorted(board))").replace(
    "tuple(board), depth", "tuple(sorted(board))"
)
LATE_TEST = """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def won(board, player):
    return any(all(board[n] == player for n in line) for line in LINES)

def minimax(board, player):
    if won(board, player):
        return 1 if player == "x" else -1
    if "." not in board:
        return 0
    other = "o" if player == "x" else "x"
    scores = [minimax(board[:n] + [player] + board[n + 1:], other) for n in range(9) if board[n] == "."]
    return max(scores) if player == "x" else min(scores)
"""
MISSING_RETURN = """
def minimax(board, depth, is_max):
    if depth == 0:
        return sum(board)
    scores = []
    for n in range(3):
        if board[n] == 0:
            scores.append(minimax(board[:n] + [n + 1] + board[n + 1:], depth - 1, not is_max))
    if is_max:
        return max(scores)
    if not is_max and depth > 9:
        return min(scores)
"""


def test_a_board_that_is_not_restored_is_proved_by_copies(tmp_path):
    (finding,) = judge_source(tmp_path, NOT_UNDONE, "minimax([0] * 4, 3, True)").findings
    assert (finding.name, finding.certain, finding.line) == ("not-undone", True, 9)
    assert finding.proof.startswith("with a copy of the board in every call the same search ")


def test_moves_that_are_never_played_are_noticed(tmp_path):
    names = {finding.name for finding in judge_source(tmp_path, UNPLAYED, 'negamax("." * 9, 2)').findings}
    assert "shared-board" in names


def test_a_win_that_is_noticed_one_move_late_is_a_test_of_the_wrong_player(tmp_path):
    call = 'minimax(["x", "x", ".", "o", "o", ".", ".", ".", "."], "x")'
    (finding,) = judge_source(tmp_path, LATE_TEST, call).findings
    assert (finding.name, finding.certain) == ("terminal-wrong-player", True)


def test_a_rule_is_not_judged_for_certain_on_a_board_that_the_program_does_not_show(tmp_path):
    (tmp_path / "search.py").write_text(LATE_TEST)
    call = 'minimax(["x", "x", ".", "o", "o", ".", ".", ".", "."], "x")'
    program, stopped = record_search(tmp_path / "search.py", call)
    program.calls.is_board_guessed = True
    (finding,) = judge.judge_search(program, stopped).findings
    assert (finding.name, finding.certain, finding.proof) == ("terminal-wrong-player", False, "")


def test_a_call_that_returns_nothing_is_named_with_the_error_that_follows(tmp_path):
    (tmp_path / "search.py").write_text(MISSING_RETURN)
    verdict = check(CheckRequest(str(tmp_path / "search.py"), call="minimax([0] * 3, 3, True)")).verdict
    assert [(finding.name, finding.certain) for finding in verdict.findings] == [("missing-return", True)]
    assert "NoneType" in verdict.findings[0].proof
    assert verdict.verdict == "wrong"


def test_an_error_inside_the_search_is_recorded_up_to_there(tmp_path):
    (tmp_path / "search.py").write_text(MISSING_RETURN.replace("return max(scores)", "return max(score)"))
    verdict = check(CheckRequest(str(tmp_path / "search.py"), call="minimax([0] * 3, 3, True)")).verdict
    assert [finding.name for finding in verdict.findings] == ["raises"]
    assert verdict.rows > 1
    assert "NameError" in verdict.findings[0].sentence


def test_a_crash_of_a_check_is_ours_and_the_other_checks_go_on(tmp_path, monkeypatch):
    def check_nothing(search):
        raise KeyError("ours")

    monkeypatch.setattr(judge, "CHECKS", (check_nothing, *judge.CHECKS))
    judgement = judge_source(tmp_path, NOT_UNDONE, "minimax([0] * 4, 3, True)")
    assert [finding.name for finding in judgement.findings] == ["not-undone"]
    assert any("Plyscope could not look at this (please report): KeyError" in line for line in judgement.not_looked_at)


TWO_BOARDS = """
def minimax(mine, theirs, depth, is_max):
    if depth == 0:
        return sum(n * piece for n, piece in enumerate(mine, 1)) - sum(n * n * piece for n, piece in enumerate(theirs, 1))
    scores = []
    for n in range(9):
        if mine[n] == theirs[n] == 0:
            played = (mine if is_max else theirs)[:]
            played[n] = 1
            scores.append(minimax(*((played, theirs) if is_max else (mine, played)), depth - 1, not is_max))
    return max(scores) if is_max else min(scores)
"""


def test_a_move_on_the_other_one_of_two_boards_is_played(tmp_path):
    judgement = judge_source(tmp_path, TWO_BOARDS, "minimax([0] * 9, [0] * 9, 3, True)")
    assert [finding.name for finding in judgement.findings] == []


def test_a_negamax_that_forgets_the_minus_sign_is_noticed_without_a_side_argument(tmp_path):
    source = """
def negamax(sticks, depth):
    if sticks == 0 or depth == 0:
        return -1 if sticks == 0 else sticks % 3
    best = -9
    for take in (1, 2, 3):
        if take <= sticks:
            best = max(best, negamax(sticks - take, depth - 1))
    return best
"""
    [found] = judge_source(tmp_path, source, "negamax(9, 4)").findings
    assert (found.name, found.certain) == ("sign-lost", False)
    assert judge_source(tmp_path, source.replace(", negamax", ", -negamax"), "negamax(9, 4)").findings == []
