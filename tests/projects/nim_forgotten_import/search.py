def minimax(heaps, maximizing):
    if is_over(heaps):
        return -1 if maximizing else 1
    scores = [minimax(play(heaps, move), not maximizing) for move in moves(heaps)]
    return max(scores) if maximizing else min(scores)


def best_move(heaps):
    return max(moves(heaps), key=lambda move: minimax(play(heaps, move), False))


if __name__ == "__main__":
    print(best_move((1, 2, 3)))
