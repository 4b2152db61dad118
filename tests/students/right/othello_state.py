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


def alphaBeta(board, depth, alpha, beta, player):
    """Returns (score, board after the best move)."""
    if depth == 0 or gameOver(board):
        return score(board), board
    moves = getMoves(board, player)
    if not moves:
        # pass
        return alphaBeta(board, depth - 1, alpha, beta, other(player))[0], board
    bestBoard = None
    if player == "B":
        best = -1000
        for m in moves:
            child = makeMove(board, m, "B")
            s = alphaBeta(child, depth - 1, alpha, beta, "W")[0]
            if s > best:
                best, bestBoard = s, child
            alpha = max(alpha, best)
            if beta <= alpha:
                break
    else:
        best = 1000
        for m in moves:
            child = makeMove(board, m, "W")
            s = alphaBeta(child, depth - 1, alpha, beta, "B")[0]
            if s < best:
                best, bestBoard = s, child
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best, bestBoard


def chooseMove(board, depth):
    after = alphaBeta(board, depth, -1000, 1000, "B")[1]
    for m in getMoves(board, "B"):
        if makeMove(board, m, "B") == after:
            return m


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
            b = makeMove(b, chooseMove(b, 4), "B")
            print("thought for", round(time.time() - t, 2), "s")
        else:
            x, y = map(int, input("row col: ").split())
            b = makeMove(b, (x, y), "W")
        turn = other(turn)
    print("result:", score(b))
