def new_board():
    return [[" "] * 3 for _ in range(3)]


def show(board):
    for row in board:
        print("|".join(row))
    print()


def winner(board):
    lines = list(board)
    lines += [[board[r][c] for r in range(3)] for c in range(3)]
    lines += [[board[i][i] for i in range(3)], [board[i][2 - i] for i in range(3)]]
    for line in lines:
        if line[0] != " " and line[0] == line[1] == line[2]:
            return line[0]
    return None


def is_full(board):
    return all(cell != " " for row in board for cell in row)


def free_cells(board):
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] == " "]
