from board import free_cells, is_full, winner


def after(board, cell, mark):
    copy = [row[:] for row in board]
    copy[cell[0]][cell[1]] = mark
    return copy


def result(board):
    return {"O": 1, "X": -1, None: 0}[winner(board)]


def over(board):
    return winner(board) is not None or is_full(board)


max_value = lambda board: result(board) if over(board) else max(min_value(after(board, cell, "O")) for cell in free_cells(board))
min_value = lambda board: result(board) if over(board) else min(max_value(after(board, cell, "X")) for cell in free_cells(board))


def best_move(board):
    return max(free_cells(board), key=lambda cell: min_value(after(board, cell, "O")))
