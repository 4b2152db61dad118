# XO game with AI
# computer = 'O' , human = 'X'

theBoard = {7: ' ', 8: ' ', 9: ' ',
            4: ' ', 5: 'X', 6: ' ',
            1: 'O', 2: 'X', 3: ' '}


def printBoard(board):
    print(board[7] + '|' + board[8] + '|' + board[9])
    print('-+-+-')
    print(board[4] + '|' + board[5] + '|' + board[6])
    print('-+-+-')
    print(board[1] + '|' + board[2] + '|' + board[3])


def checkWin(mark):
    b = theBoard
    return ((b[7] == mark and b[8] == mark and b[9] == mark) or
            (b[4] == mark and b[5] == mark and b[6] == mark) or
            (b[1] == mark and b[2] == mark and b[3] == mark) or
            (b[7] == mark and b[4] == mark and b[1] == mark) or
            (b[8] == mark and b[5] == mark and b[2] == mark) or
            (b[9] == mark and b[6] == mark and b[3] == mark) or
            (b[7] == mark and b[5] == mark and b[3] == mark) or
            (b[9] == mark and b[5] == mark and b[1] == mark))


def checkDraw():
    for key in theBoard.keys():
        if theBoard[key] == ' ':
            return False
    return True


def alphabeta(depth, alpha, beta, turn):
    """Returns (position, score)."""
    if checkWin('O'):
        return None, 100 - depth
    if checkWin('X'):
        return None, depth - 100
    if checkDraw():
        return None, 0
    position = None
    for key in theBoard:
        if theBoard[key] != ' ':
            continue
        theBoard[key] = turn
        score = alphabeta(depth + 1, alpha, beta, 'X' if turn == 'O' else 'O')[1]
        theBoard[key] = ' '
        if turn == 'O' and score > alpha:
            alpha, position = score, key
        if turn == 'X' and score < beta:
            beta, position = score, key
        if alpha >= beta:
            break
    return position, alpha if turn == 'O' else beta


def playerMove():
    position = int(input("Enter the position for 'X' (numpad):  "))
    while theBoard[position] != ' ':
        position = int(input("Taken, another position:  "))
    theBoard[position] = 'X'


def newGame():
    for key in theBoard:
        theBoard[key] = ' '


if __name__ == '__main__':
    newGame()
    while not checkWin('X') and not checkWin('O') and not checkDraw():
        playerMove()
        if not checkWin('X') and not checkDraw():
            theBoard[alphabeta(0, -1000, 1000, 'O')[0]] = 'O'
        printBoard(theBoard)
    print("Game over")
