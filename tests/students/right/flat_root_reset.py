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

import random
top = 5

def ab(s, d, a, b, p):
    """(score, list of equally good moves)"""
    if won(s, 'O'): return WIN, []
    if won(s, 'X'): return -WIN, []
    if not cols(s): return 0, []
    if d == 0: return ev(s, 'O'), []
    v, ms = (-INF, []) if p == 'O' else (INF, [])
    for j in cols(s):
        if d == top:
            a, b = -INF, INF     # the root wants the exact score of every move
        w, _ = ab(put(s, j, p), d - 1, a, b, 'X' if p == 'O' else 'O')
        if w == v:
            ms.append(j)
        elif (w > v) == (p == 'O'):
            v, ms = w, [j]
        if p == 'O': a = max(a, v)
        else: b = min(b, v)
        if a >= b: break
    return v, ms

def best(s, p):
    return random.choice(ab(s, top, -INF, INF, p)[1])


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
            j = best(s, p)
        s = put(s, j, p)
        p = 'O' if p == 'X' else 'X'
    show(s)

if __name__ == '__main__':
    play()
