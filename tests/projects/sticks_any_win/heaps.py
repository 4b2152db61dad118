def moves(heaps):
    return [(place, taken) for place, heap in enumerate(heaps) for taken in range(1, heap + 1)]


def after(heaps, move):
    place, taken = move
    return (*heaps[:place], heaps[place] - taken, *heaps[place + 1 :])
