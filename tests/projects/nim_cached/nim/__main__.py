from nim.solver import best_child, negamax

HEAPS = (2, 3, 4)


def main():
    print("the side to move", "wins" if negamax(HEAPS) == 1 else "loses")
    print("best:", best_child(HEAPS))


if __name__ == "__main__":
    main()
