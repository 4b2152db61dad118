# tic-tac-toe against an opponent that moves at random
WINS=[(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]
def winner(b):
    for x,y,z in WINS:
        if b[x]!=' ' and b[x]==b[y]==b[z]: return b[x]
    return None
