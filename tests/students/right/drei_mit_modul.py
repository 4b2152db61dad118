# Aufgabe 2: Alpha-Beta-Suche. Die Regeln stehen in drei_regeln.py
import drei_regeln as regeln
from drei_regeln import MAX, MIN, hat_gewonnen, punkte, zuege

UNENDLICH = 10 ** 6
stellung = [[], ["B"], ["A"], []]


def alphabeta(brett, tiefe, alpha, beta, wer):
    if hat_gewonnen(brett, MAX):
        return 999
    if hat_gewonnen(brett, MIN):
        return -999
    if not zuege(brett):
        return 0
    if tiefe == 0:
        return punkte(brett)
    if wer == MAX:
        wert = -UNENDLICH
        for z in zuege(brett):
            brett[z].append(MAX)
            wert = max(wert, alphabeta(brett, tiefe - 1, max(alpha, wert), beta, MIN))
            brett[z].pop()
            if wert >= beta:
                break
    else:
        wert = UNENDLICH
        for z in zuege(brett):
            brett[z].append(MIN)
            wert = min(wert, alphabeta(brett, tiefe - 1, alpha, min(beta, wert), MAX))
            brett[z].pop()
            if wert <= alpha:
                break
    return wert


def bester_zug(brett, tiefe):
    bester = None
    alpha = -UNENDLICH
    for z in zuege(brett):
        brett[z].append(MAX)
        wert = alphabeta(brett, tiefe - 1, alpha, UNENDLICH, MIN)
        brett[z].pop()
        if wert > alpha:
            alpha, bester = wert, z
    return bester


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
