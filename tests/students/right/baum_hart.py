# Übung 3: Alpha-Beta von Hand und mit Python
# Der Baum ist vollständig, jeder innere Knoten hat drei Kinder.
# Knoten k auf Ebene e hat die Kinder 3k, 3k+1, 3k+2 auf Ebene e+1.

import math

TIEFE = 5
BLAETTER = [(k * k * 7 + k * 31 + 17) % 101 - 40 for k in range(3 ** TIEFE)]

besucht = 0


def kinder(k):
    return [3 * k, 3 * k + 1, 3 * k + 2]


def ist_blatt(ebene):
    return ebene == TIEFE


def alphabeta(k, ebene, alpha, beta, max_zug):
    global besucht
    besucht += 1
    if ist_blatt(ebene):
        return BLAETTER[k]
    if max_zug:
        for kind in kinder(k):
            wert = alphabeta(kind, ebene + 1, alpha, beta, False)
            if wert >= beta:
                return beta      # hart abgeschnitten
            alpha = max(alpha, wert)
        return alpha
    for kind in kinder(k):
        wert = alphabeta(kind, ebene + 1, alpha, beta, True)
        if wert <= alpha:
            return alpha
        beta = min(beta, wert)
    return beta


def zeige_blaetter():
    for anfang in range(0, len(BLAETTER), 27):
        zeile = BLAETTER[anfang:anfang + 27]
        print(" ".join("%4d" % w for w in zeile))


if __name__ == "__main__":
    zeige_blaetter()
    print("Wert der Wurzel:", alphabeta(0, 0, -math.inf, math.inf, True))
    print("besuchte Knoten:", besucht, "von", sum(3 ** e for e in range(TIEFE + 1)))
    if len(BLAETTER) != 3 ** TIEFE:
        print("ACHTUNG: falsche Anzahl Blaetter")
