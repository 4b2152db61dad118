from arbol import minimax

MONTONES = (2, 2, 3)


def principal():
    print("valor:", minimax(MONTONES, True))


if __name__ == "__main__":
    principal()
