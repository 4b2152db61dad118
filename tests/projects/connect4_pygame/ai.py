import math

from rules import AI, EMPTY, PLAYER, COLS, drop_piece, next_open_row, valid_columns, winning_move, windows


def score_position(board, piece):
    other = PLAYER if piece == AI else AI
    score = 3 * [board[r][COLS // 2] for r in range(len(board))].count(piece)
    for window in windows(board):
        mine, theirs, empty = window.count(piece), window.count(other), window.count(EMPTY)
        if mine == 3 and empty == 1:
            score += 5
        elif mine == 2 and empty == 2:
            score += 2
        if theirs == 3 and empty == 1:
            score -= 4
    return score


def minimax(board, depth, alpha, beta, maximizingPlayer):
    columns = valid_columns(board)
    if winning_move(board, AI):
        return None, 100000
    if winning_move(board, PLAYER):
        return None, -100000
    if not columns:
        return None, 0
    if depth == 0:
        return None, score_position(board, AI)
    if maximizingPlayer:
        value, column = -math.inf, columns[0]
        for col in columns:
            copy = board.copy()
            drop_piece(copy, next_open_row(board, col), col, AI)
            score = minimax(copy, depth - 1, alpha, beta, False)[1]
            if score > value:
                value, column = score, col
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return column, value
    value, column = math.inf, columns[0]
    for col in columns:
        copy = board.copy()
        drop_piece(copy, next_open_row(board, col), col, PLAYER)
        score = minimax(copy, depth - 1, alpha, beta, True)[1]
        if score < value:
            value, column = score, col
        beta = min(beta, value)
        if alpha >= beta:
            break
    return column, value
