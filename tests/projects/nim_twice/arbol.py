def hijos(montones):
    for i, monton in enumerate(montones):
        for quedan in range(monton):
            yield montones[:i] + (quedan,) + montones[i + 1 :]


def minimax(montones, maximiza):
    if sum(montones) == 0:
        return -1 if maximiza else 1
    mejor = -2 if maximiza else 2
    for hijo in hijos(montones):
        if maximiza:
            if minimax(hijo, False) > mejor:
                mejor = minimax(hijo, False)
        else:
            if minimax(hijo, True) < mejor:
                mejor = minimax(hijo, True)
    return mejor
