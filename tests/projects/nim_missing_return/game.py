from minimax import value

PILE = 7


def computer_move(pile):
    options = [n for n in (1, 2, 3) if n <= pile]
    return max(options, key=lambda n: value(pile - n, False))


def main():
    pile = PILE
    while pile > 0:
        taken = int(input("take 1-3: "))
        if taken not in (1, 2, 3) or taken > pile:
            continue
        pile -= taken
        if pile > 0:
            pile -= computer_move(pile)
    print("over")


if __name__ == "__main__":
    main()
