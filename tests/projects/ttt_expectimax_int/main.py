from rules import winner

def expectimax(board, maximizing):
    w=winner(board)
    if w=='X': return 1
    if w=='O': return -1
    if ' ' not in board: return 0
    scores=[]
    for i in range(9):
        if board[i]==' ':
            board[i]='X' if maximizing else 'O'
            scores.append(expectimax(board, not maximizing))
            board[i]=' '
    if maximizing: return max(scores)
    return sum(scores)//len(scores)
def best_move(board):
    best=None;bv=-2
    for i in range(9):
        if board[i]==' ':
            board[i]='X'; v=expectimax(board,False); board[i]=' '
            if v>bv: bv=v;best=i
    return best
if __name__=='__main__':
    print(best_move(['X','O',' ',' ','X',' ',' ',' ','O']))
