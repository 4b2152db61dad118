from heaps import after, moves
from solver import solve

heaps = (1, 2, 3)
while any(heaps):
    heaps = max((after(heaps, move) for move in moves(heaps)), key=lambda left: -solve(left, -100, 100, 1))
    print(heaps)
