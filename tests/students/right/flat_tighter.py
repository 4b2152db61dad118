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

def nm(s, p, d, ply, a, b):
    """score for p, a win in n plies is worth WIN - n"""
    q = 'O' if p == 'X' else 'X'
    if won(s, q): return -WIN + ply
    if not cols(s): return 0
    if d == 0: return ev(s, p)
    # nothing can be worse than losing now or better than winning with the next move
    a = max(a, -WIN + ply)
    b = min(b, WIN - ply - 1)
    if a >= b: return a
    m = -INF
    for j in cols(s):
        v = -nm(put(s, j, p), q, d - 1, ply + 1, -b, -a)
        m = max(m, v)
        a = max(a, v)
        if a >= b: break
    return m

def best(s, p, d):
    q = 'O' if p == 'X' else 'X'
    m, c = -INF, None
    for j in cols(s):
        v = -nm(put(s, j, p), q, d - 1, 1, -INF, -m)
        if v > m: m, c = v, j
    return m, c


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
            j = best(s, p, 6)[1]
        s = put(s, j, p)
        p = 'O' if p == 'X' else 'X'
    show(s)

if __name__ == '__main__':
    play()
