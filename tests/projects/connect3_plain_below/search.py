from connect3 import evaluate, moves, play, turn

INF = float("inf")


def minimax(board, depth):
    if depth == 0 or evaluate(board) or not moves(board):
        return evaluate(board)
    scores = [minimax(play(board, move), depth - 1) for move in moves(board)]
    return max(scores) if turn(board) == "a" else min(scores)


def alphabeta(board, depth, alpha=-INF, beta=INF):
    if depth == 0 or evaluate(board) or not moves(board):
        return evaluate(board)
    if turn(board) == "a":
        value = -INF
        for move in moves(board):
            value = max(value, minimax(play(board, move), depth - 1))
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value
    value = INF
    for move in moves(board):
        value = min(value, minimax(play(board, move), depth - 1))
        beta = min(beta, value)
        if alpha >= beta:
            break
    return value
