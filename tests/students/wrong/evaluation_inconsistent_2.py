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

def rate(s, parts=[]):
    # one entry per line
    for l in lines:
        x = [s[k] for k in l]
        if 'X' not in x: parts.append(x.count('O') ** 2)
        if 'O' not in x: parts.append(-x.count('X') ** 2)
    return sum(parts)

def ab(s, d, a, b, p):
    if won(s, 'O'): return (WIN, None)
    if won(s, 'X'): return (-WIN, None)
    if not cols(s): return (0, None)
    if d == 0: return (rate(s), None)
    c = None
    if p == 'O':
        v = -INF
        for j in cols(s):
            w = ab(put(s, j, p), d - 1, a, b, 'X')[0]
            if w > v: v, c = w, j
            a = max(a, v)
            if a >= b: break
    else:
        v = INF
        for j in cols(s):
            w = ab(put(s, j, p), d - 1, a, b, 'O')[0]
            if w < v: v, c = w, j
            b = min(b, v)
            if a >= b: break
    return (v, c)


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
            j = ab(s, 5, -INF, INF, p)[1]
        s = put(s, j, p)
        p = 'O' if p == 'X' else 'X'
    show(s)

if __name__ == '__main__':
    play()
