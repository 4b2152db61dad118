from board import winner, is_full, free_cells


def minimax(board, depth, is_maximizing):
    won = winner(board)
    if won == "O":
        return 10 - depth
    if won == "X":
        return depth - 10
    if is_full(board):
        return 0
    if is_maximizing:
        best = -1000
        for r, c in free_cells(board):
            board[r][c] = "O"
            best = max(best, minimax(board, depth + 1, False))
            board[r][c] = " "
        return best
    best = 1000
    for r, c in free_cells(board):
        board[r][c] = "X"
        best = min(best, minimax(board, depth + 1, False))
        board[r][c] = " "
    return best


def best_move(board):
    best, move = -1000, None
    for r, c in free_cells(board):
        board[r][c] = "O"
        score = minimax(board, 0, False)
        board[r][c] = " "
        if score > best:
            best, move = score, (r, c)
    return move
