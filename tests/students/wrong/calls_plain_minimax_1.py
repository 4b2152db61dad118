# mini othello (4x4) for the AI course
import copy
import time

SIZE = 4
DIRS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
CORNERS = [(0, 0), (0, SIZE - 1), (SIZE - 1, 0), (SIZE - 1, SIZE - 1)]


def newBoard():
    b = [["."] * SIZE for i in range(SIZE)]
    m = SIZE // 2
    b[m - 1][m - 1] = b[m][m] = "W"
    b[m - 1][m] = b[m][m - 1] = "B"
    return b


def other(p):
    return "W" if p == "B" else "B"


def flips(board, x, y, p):
    if board[x][y] != ".":
        return []
    found = []
    for dx, dy in DIRS:
        line = []
        i, j = x + dx, y + dy
        while 0 <= i < SIZE and 0 <= j < SIZE and board[i][j] == other(p):
            line.append((i, j))
            i, j = i + dx, j + dy
        if 0 <= i < SIZE and 0 <= j < SIZE and board[i][j] == p:
            found += line
    return found


def getMoves(board, p):
    return [(x, y) for x in range(SIZE) for y in range(SIZE) if flips(board, x, y, p)]


def makeMove(board, move, p):
    newB = copy.deepcopy(board)
    for x, y in flips(board, move[0], move[1], p):
        newB[x][y] = p
    newB[move[0]][move[1]] = p
    return newB


def gameOver(board):
    return not getMoves(board, "B") and not getMoves(board, "W")


def score(board):
    # black wants a big number
    s = 0
    for x in range(SIZE):
        for y in range(SIZE):
            v = 5 if (x, y) in CORNERS else 1
            s += v if board[x][y] == "B" else -v if board[x][y] == "W" else 0
    return s


def minimax(board, depth, player):
    if depth == 0 or gameOver(board):
        return score(board)
    if not getMoves(board, player):
        return minimax(board, depth - 1, other(player))
    values = [minimax(makeMove(board, m, player), depth - 1, other(player)) for m in getMoves(board, player)]
    return max(values) if player == "B" else min(values)


def alphabeta(board, depth, alpha, beta, player):
    if depth == 0 or gameOver(board):
        return score(board)
    if not getMoves(board, player):
        return alphabeta(board, depth - 1, alpha, beta, other(player))
    if player == "B":
        v = -9999
        for m in getMoves(board, player):
            v = max(v, minimax(makeMove(board, m, player), depth - 1, other(player)))
            alpha = max(alpha, v)
            if alpha >= beta:
                break
        return v
    v = 9999
    for m in getMoves(board, player):
        v = min(v, minimax(makeMove(board, m, player), depth - 1, other(player)))
        beta = min(beta, v)
        if alpha >= beta:
            break
    return v


def bestMove(board, depth):
    best, choice = -9999, None
    for m in getMoves(board, "B"):
        v = alphabeta(makeMove(board, m, "B"), depth - 1, best, 9999, "W")
        if v > best:
            best, choice = v, m
    return choice


def compare(board, depth):
    t = time.time()
    print("minimax  ", minimax(board, depth, "B"), time.time() - t)
    t = time.time()
    print("alphabeta", alphabeta(board, depth, -9999, 9999, "B"), time.time() - t)


def printBoard(board):
    for row in board:
        print(" ".join(row))


if __name__ == "__main__":
    b = newBoard()
    turn = "B"
    while not gameOver(b):
        printBoard(b)
        if not getMoves(b, turn):
            print(turn, "has to pass")
        elif turn == "B":
            t = time.time()
            b = makeMove(b, bestMove(b, 5), "B")
            print("thought for", round(time.time() - t, 2), "s")
        else:
            x, y = map(int, input("row col: ").split())
            b = makeMove(b, (x, y), "W")
        turn = other(turn)
    print("result:", score(b))
