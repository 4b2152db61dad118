from functools import lru_cache


def successors(heaps):
    for i, heap in enumerate(heaps):
        for taken in range(1, heap + 1):
            yield tuple(sorted(heaps[:i] + (heap - taken,) + heaps[i + 1 :]))


@lru_cache(maxsize=None)
def negamax(heaps):
    """Return 1 if the side to move wins, else -1. Who takes the last match wins."""
    if not any(heaps):
        return -1
    return max(negamax(child) for child in successors(heaps))


def best_child(heaps):
    return max(successors(heaps), key=lambda child: -negamax(child))
