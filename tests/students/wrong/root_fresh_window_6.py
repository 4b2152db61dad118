# Aufgabe 2: Alpha-Beta-Suche. Die Regeln stehen in drei_regeln.py
import drei_regeln as regeln
from drei_regeln import MAX, MIN, hat_gewonnen, punkte, zuege

UNENDLICH = 10 ** 6
stellung = [[], ["B"], ["A"], []]


def alphabeta(brett, tiefe, alpha, beta, max_am_zug):
    if hat_gewonnen(brett, MAX):
        return 999
    if hat_gewonnen(brett, MIN):
        return -999
    if not zuege(brett):
        return 0
    if tiefe == 0:
        return punkte(brett)
    for z in zuege(brett):
        brett[z].append(MAX if max_am_zug else MIN)
        wert = alphabeta(brett, tiefe - 1, alpha, beta, not max_am_zug)
        brett[z].pop()
        if max_am_zug:
            alpha = max(alpha, wert)
        else:
            beta = min(beta, wert)
        if beta <= alpha:
            break
    return alpha if max_am_zug else beta


def bester_zug(brett, tiefe):
    # jeden Zug bewerten, dann den besten nehmen
    bewertungen = []
    for z in zuege(brett):
        brett[z].append(MAX)
        bewertungen.append((alphabeta(brett, tiefe - 1, -UNENDLICH, UNENDLICH, False), -z))
        brett[z].pop()
    bewertungen.sort()
    wert, z = bewertungen[-1]
    return -z


def drucke(brett):
    for h in range(regeln.HÖHE - 1, -1, -1):
        print(" ".join(regeln.feld(brett, s, h) or "." for s in range(regeln.SPALTEN)))


if __name__ == "__main__":
    brett = regeln.neues_brett()
    while zuege(brett) and not hat_gewonnen(brett, MAX) and not hat_gewonnen(brett, MIN):
        drucke(brett)
        brett[int(input("Spalte? "))].append(MIN)
        if zuege(brett) and not hat_gewonnen(brett, MIN):
            brett[bester_zug(brett, 5)].append(MAX)
    drucke(brett)
