def moves(heaps):
    return [(heap, take) for heap, left in enumerate(heaps) for take in range(1, left + 1)]


def play(heaps, move):
    heap, take = move
    return heaps[:heap] + (heaps[heap] - take,) + heaps[heap + 1 :]


def is_over(heaps):
    return not any(heaps)
