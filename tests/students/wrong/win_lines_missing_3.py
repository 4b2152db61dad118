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
            (b[8] == mark and b[5] == mark and b[2] == 'x') or
            (b[9] == mark and b[6] == mark and b[3] == mark) or
            (b[7] == mark and b[5] == mark and b[3] == mark) or
            (b[9] == mark and b[5] == mark and b[1] == mark))


def checkDraw():
    for key in theBoard.keys():
        if theBoard[key] == ' ':
            return False
    return True


def alphabeta(alpha, beta, mark):
    if checkWin('O'):
        return 1
    if checkWin('X'):
        return -1
    if checkDraw():
        return 0
    if mark == 'O':
        best = -2
        for key in theBoard:
            if theBoard[key] == ' ':
                theBoard[key] = 'O'
                best = max(best, alphabeta(alpha, beta, 'X'))
                theBoard[key] = ' '
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
    else:
        best = 2
        for key in theBoard:
            if theBoard[key] == ' ':
                theBoard[key] = 'X'
                best = min(best, alphabeta(alpha, beta, 'O'))
                theBoard[key] = ' '
                beta = min(beta, best)
                if alpha >= beta:
                    break
    return best


def compMove():
    best, move = -2, None
    for key in theBoard:
        if theBoard[key] == ' ':
            theBoard[key] = 'O'
            score = alphabeta(best, 2, 'X')
            theBoard[key] = ' '
            if score > best:
                best, move = score, key
    return move


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
            theBoard[compMove()] = 'O'
        printBoard(theBoard)
    print("Game over")
