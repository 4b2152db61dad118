"""Findings that rest on pieces, on the rules of a game or on the number of moves: what is evidence for them, and what is not."""

import pytest

from engine.checker.check import check
from engine.checker.sandbox.worker_protocol import CheckRequest
from tests.engine.checker.test_interventions import judge_source

NEIGHBOURS = """
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

def score(board, row, column):
    color = board[row][column]
    near = [(row + down, column + right) for down, right in STEPS]
    return sum(1 + r * c for r, c in near if 0 <= r < 4 and 0 <= c < 4 and board[r][c] == color)

def play(board, row, column, color):
    return [[color if (r, c) == (row, column) else board[r][c] for c in range(4)] for r in range(4)]

def negamax(state, depth, color):
    board = state[0]
    if depth == 0:
        return -score(*state)
    best = -1000
    for row in range(4):
        for column in range(4):
            if board[row][column] == 0:
                best = max(best, -negamax((play(board, row, column, color), row, column), depth - 1, -color))
    return best
"""
START = "negamax(([[1, 0, -1, 0], [0, 0, 1, -1], [-1, 1, 0, 0], [0, 0, 0, 0]], 2, 0), 2, -1)"
FIXED_COLOR = NEIGHBOURS.replace("-score(*state)", "sum(r * c + 1 for r in range(3) for c in range(3) if board[r][c] == 1)")
ONE_REPLY = """
def negamax(sticks, alpha, beta, player):
    if sticks <= 0:
        return (sticks * 7) % 5 - 2
    best = -99
    for take in (1, 2) if player == "x" else (1,):
        best = max(best, -negamax(sticks - take, -beta, -alpha, "o" if player == "x" else "x"))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
"""
DROPPING = """
def winner(board):
    for r in range(4):
        for c in range(5):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(r + n * down, c + n * right) for n in range(4)]
                if all(0 <= a < 4 and 0 <= b < 5 for a, b in line):
                    pieces = {board[a][b] for a, b in line}
                    if len(pieces) == 1 and 0 not in pieces:
                        return pieces.pop()
    return 0

def drop(board, column, piece):
    row = max(r for r in range(4) if board[r][column] == 0)
    return [[piece if (r, c) == (row, column) else board[r][c] for c in range(5)] for r in range(4)]

def threes(board, piece):
    return sum(line.count(piece) ** 2 for line in board) - sum(line.count(3 - piece) ** 2 for line in board)
"""
NEGAMAX = """
def negamax(board, depth, alpha, beta, is_max):
    if winner(board):
        return -1000
    if depth == 0 or all(board[0]):
        return threes(board, 1 if is_max else 2)
    best = -9999
    for column in range(5):
        if board[0][column] == 0:
            best = max(best, -negamax(drop(board, column, 1 if is_max else 2), depth - 1, -beta, -alpha, not is_max))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best
"""
MINIMAX = """
def minimax(board, piece, depth, is_max):
    won = winner(board)
    if won:
        return 1000 if won == 1 else -1000
    if depth == 0 or all(board[0]):
        return threes(board, 1)
    free = [column for column in range(5) if board[0][column] == 0]
    if is_max:
        return max(minimax(drop(board, column, piece), 3 - piece, depth - 1, False) for column in free)
    return min(minimax(drop(board, column, piece), 3 - piece, depth - 1, True) for column in free)
"""
DROPS = "[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 2, 0, 0], [0, 1, 1, 0, 2]]"
BRIDGES = """
def is_connected(board, player):
    n = len(board)
    front = [(0, c) if player == 1 else (c, 0) for c in range(n)]
    front = [(r, c) for r, c in front if board[r][c] == player]
    seen = set(front)
    while front:
        r, c = front.pop()
        if (r if player == 1 else c) == n - 1:
            return True
        for a, b in ((r, c + 1), (r, c - 1), (r + 1, c), (r - 1, c), (r + 1, c - 1), (r - 1, c + 1)):
            if 0 <= a < n and 0 <= b < n and (a, b) not in seen and board[a][b] == player:
                seen.add((a, b))
                front.append((a, b))
    return False

def stones(board, player):
    return sum((r + 1) * (c + 2) for r, line in enumerate(board) for c, cell in enumerate(line) if cell == player)

def negamax(board, player, alpha, beta, depth):
    best, move = -99999, None
    for r in range(5):
        for c in range(5):
            if board[r][c] == 0:
                after = [[player if (r, c) == (a, b) else cell for b, cell in enumerate(line)] for a, line in enumerate(board)]
                if is_connected(after, player):
                    return 20000, (r, c)
                if depth == 0:
                    value = stones(after, player) - stones(after, 3 - player)
                else:
                    value = -negamax(after, 3 - player, -beta, -alpha, depth - 1)[0]
                if value > best:
                    best, move = value, (r, c)
                alpha = max(alpha, value)
                if beta <= alpha:
                    return best, move
    return best, move
"""
POOLS = """
import multiprocessing as mp

SCALE = None

def prepare(shared, scale):
    global TABLE, SCALE
    TABLE, SCALE = shared, scale

def minimax(n, depth, is_max):
    if depth == 0:
        TABLE[n] = True
        return (n * 7) % 11 * SCALE
    scores = [minimax(2 * n + way, depth - 1, not is_max) for way in (0, 1)]
    return max(scores) if is_max else min(scores)

def try_move(n):
    return minimax(n, 4, False), n

if __name__ == "__main__":
    with mp.Manager() as manager:
        with mp.Pool(2, prepare, (manager.dict(), 3)) as pool:
            print(max(pool.imap_unordered(try_move, [2, 3])))
            print(pool.map_async(try_move, [2]).get())
"""


def list_names(folder, source, call):
    return [(finding.name, finding.certain) for finding in judge_source(folder, source, call).findings]


def test_a_leaf_scored_as_the_side_that_moved_last_sees_it_lacks_no_sign(tmp_path):
    """The board tells who has moved. Only with exchanged pieces is the question what the other side would get a fair one."""
    assert list_names(tmp_path, NEIGHBOURS, START) == []


def test_a_leaf_that_counts_one_color_whoever_moves_lacks_a_sign(tmp_path):
    assert list_names(tmp_path, FIXED_COLOR, START) == [("sign-lost", True)]


def test_a_side_with_one_move_skips_none(tmp_path):
    assert list_names(tmp_path, ONE_REPLY, "negamax(9, -99, 99, 'x')") == []


PLAYED_PIECE = "drop(board, column, 1 if is_max else 2)"
BLUNDERS = [
    (NEGAMAX, (PLAYED_PIECE, "drop(board, column, 1)"), f"negamax({DROPS}, 3, -9999, 9999, True)", True),
    (MINIMAX, ("3 - piece, depth - 1, True", "piece, depth - 1, True"), f"minimax({DROPS}, 1, 3, True)", False),
]


@pytest.mark.parametrize(("source", "blunder", "call", "certain"), BLUNDERS)
def test_a_side_that_plays_the_pieces_of_the_other_one_is_noticed(source, blunder, call, certain, tmp_path):
    assert list_names(tmp_path, DROPPING + source, call) == []
    assert list_names(tmp_path, DROPPING + source.replace(*blunder), call) == [("sides-do-not-alternate", certain)]


def test_stones_on_a_full_board_are_no_lines_of_a_known_game(tmp_path):
    board = "[[0] * 5, [0, 1, 0, 2, 0], [0, 0, 2, 1, 0], [0] * 5, [1, 2, 0, 0, 0]]"
    assert list_names(tmp_path, BRIDGES, f"negamax({board}, 1, -10000, 10000, 1)") == []


def test_pools_and_managers_run_in_the_process_of_the_program(tmp_path):
    (tmp_path / "search.py").write_text(POOLS)
    verdict = check(CheckRequest(str(tmp_path / "search.py"))).verdict
    assert (verdict.verdict, verdict.rows) == ("nothing wrong found", 31)
