from ai import choose_edge
from rules import EDGES, closed_by

drawn = frozenset(EDGES[:5])
me = True
while len(drawn) < len(EDGES):
    if me:
        edge = choose_edge(drawn)
    else:
        number = int(input("edge 0-11: "))
        if not 0 <= number < len(EDGES) or EDGES[number] in drawn:
            continue
        edge = EDGES[number]
    me = me if closed_by(drawn, edge) else not me
    drawn = drawn | {edge}
