"""A search that sees one score only, as from an empty board with a small depth: it is looked at later in the game as well."""

import re

import pytest

from engine.checker.recording.call_recorder import NO_ROW
from tests.engine.checker.test_diagnosis import judged
from tests.support.marks import mostly_slow

THREE_IN_A_ROW = """
import math
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

def won(board, piece):
    return any(all(board[square] == piece for square in line) for line in LINES)

def minimax(board, depth, alpha, beta, maximizing):
    if won(board, "X"):
        return 10
    if won(board, "O"):
        return -10
    if depth == 0 or " " not in board:
        return 0
    if maximizing:
        best = -math.inf
        for i in range(9):
            if board[i] == " ":
                board[i] = "X"
                best = max(best, minimax(board, depth - 1, alpha, beta, False))
                board[i] = " "
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
    else:
        best = math.inf
        for i in range(9):
            if board[i] == " ":
                board[i] = "O"
                best = min(best, minimax(board, depth - 1, alpha, beta, True))
                board[i] = " "
                beta = min(beta, best)
                if alpha >= beta:
                    break
    return best
"""
SPOILT = {  # how, the mistake, whether it is certain
    "best = -math.inf -> best = 0": ("starts-at-zero", True),
    "nothing": (None, True),
    "best = math.inf -> best = 0": ("starts-at-zero", True),
    "best = -math.inf -> best = -100": (None, True),
    "return 10 -> return 10 + depth": (None, True),
    "alpha = max(alpha, best) -> beta = max(beta, best)": ("wrong-bound-updated", True),
    "if won( -> if depth and won(": ("depth-before-win", True),
    'if won(board, "O") -> if False': ("win-lines-missing", False),
    "best = max(best, minimax -> best = min(best, minimax": ("sides-swapped", True),
    "if alpha >= beta -> if alpha > math.inf": ("no-cutoff", True),
}


@pytest.mark.parametrize("change", mostly_slow(SPOILT, quick=2))
def test_what_one_score_hides_shows_later_in_the_game(change, tmp_path):
    mistake, certain = SPOILT[change]
    old, _, new = change.partition(" -> ")
    path = tmp_path / "three.py"
    path.write_text(THREE_IN_A_ROW.replace(old, new) if new else THREE_IN_A_ROW)
    judgement = judged(path, 'minimax([" "] * 9, 2, -math.inf, math.inf, True)')
    assert not judgement.one_score
    assert any("later in the game, where scores differ" in words for words in judgement.looked_at)
    if mistake is None:
        assert judgement.findings == []
    else:
        finding = next(finding for finding in judgement.findings if finding.name == mistake)
        assert finding.certain == certain
        assert finding.row != NO_ROW or re.search(
            r"moves later in the game, (in|called by) minimax \(line 8\): ", finding.sentence
        )


def test_a_search_that_never_gives_another_score_stays_unsure(tmp_path):
    path = tmp_path / "three.py"
    path.write_text(THREE_IN_A_ROW.replace("return 10", "return 0").replace("return -10", "return 0"))
    judgement = judged(path, 'minimax([" "] * 9, 2, -math.inf, math.inf, True)')
    assert (judgement.one_score, judgement.findings) == (True, [])
