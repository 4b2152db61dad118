def brett_leer():
    return [[0, 0, 0], [0, 0, 0], [0, 0, 0]]


def zeige(brett):
    for zeile in brett:
        print("".join({1: "O", -1: "X", 0: "."}[feld] for feld in zeile))


def voll(brett):
    return 0 not in brett[0] + brett[1] + brett[2]


def gewinner(brett):
    summen = [sum(zeile) for zeile in brett] + [sum(zeile[s] for zeile in brett) for s in range(3)]
    summen += [brett[0][0] + brett[1][1] + brett[2][2], brett[0][2] + brett[1][1] + brett[2][0]]
    if 3 in summen:
        return 1
    if -3 in summen:
        return -1
    return 0
