# connect 3: 4 rows x 4 cols, three in a line win; board is a list of 16 chars, row 0 on top
import sys
W, H = 4, 4
INF = 10 ** 9
WIN = 10 ** 5

lines = []
def mk(i, j, di, dj):
    return [(i + k * di) * W + j + k * dj for k in range(3)]
def all_lines():
    out = []
    for i in range(H):
        for j in range(W):
            for di, dj in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if i + 2 * di < H and 0 <= j + 2 * dj < W:
                    out.append(mk(i, j, di, dj))
    return out
lines = all_lines()

def won(s, p):
    for l in lines:
        if s[l[0]] == p and s[l[1]] == p and s[l[2]] == p:
            return True
    return False

def cols(s):
    return [j for j in range(W) if s[j] == '.']

def put(s, j, p):
    i = H - 1
    while s[i * W + j] != '.':
        i -= 1
    t = s[:]
    t[i * W + j] = p
    return t

def ev(s, p):
    # lines where only one of us has pieces
    q = 'O' if p == 'X' else 'X'
    v = 0
    for l in lines:
        x = [s[k] for k in l]
        if q not in x: v += x.count(p) ** 2
        if p not in x: v -= x.count(q) ** 2
    return v

start = list('........' '.X..' '.OX.')

def drop(s, j, p):
    """in place, returns the cell"""
    i = H - 1
    while s[i * W + j] != '.':
        i -= 1
    s[i * W + j] = p
    return i * W + j

def ab(board, d, a, b, me):
    if won(board, 'O'): return WIN
    if won(board, 'X'): return -WIN
    if not cols(board): return 0
    if d == 0: return ev(board, 'O')
    s = list(board)     # our own copy, so after a cutoff nothing has to be taken back
    for j in cols(board):
        cell = drop(s, j, 'O' if me else 'X')
        v = ab(s, d - 1, a, b, not me)
        if me:
            if v >= b: return b
            a = max(a, v)
        else:
            if v <= a: return a
            b = min(b, v)
        s[cell] = '.'
    return a if me else b

def best(s, d):
    m, c = -INF, None
    for j in cols(s):
        v = ab(put(s, j, 'O'), d - 1, m, INF, False)
        if v > m: m, c = v, j
    return c


def show(s):
    for i in range(H):
        print(''.join(s[i * W:i * W + W]))
    print()

def play():
    s = list('.' * (W * H))
    me = 'X' if len(sys.argv) > 1 else 'O'
    p = 'X'
    while cols(s) and not won(s, 'X') and not won(s, 'O'):
        show(s)
        if p == me:
            j = int(input('col: '))
        else:
            j = best(s, 5)
        s = put(s, j, p)
        p = 'O' if p == 'X' else 'X'
    show(s)

if __name__ == '__main__':
    play()
