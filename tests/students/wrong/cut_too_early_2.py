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


def alphabeta(k, ebene, max_zug, alpha, beta):
    """Wert des Knotens k"""
    global besucht
    besucht += 1
    if ist_blatt(ebene):
        return BLAETTER[k]
    wert = -math.inf if max_zug else math.inf
    for kind in kinder(k):
        neu = alphabeta(kind, ebene + 1, not max_zug, alpha, beta)
        if max_zug:
            wert = max(wert, neu)
            alpha = max(alpha, wert)
        else:
            wert = min(wert, neu)
            beta = min(beta, wert)
        if beta - alpha <= 10:
            break      # Fenster ist fast zu
    return wert


def zeige_blaetter():
    for anfang in range(0, len(BLAETTER), 27):
        zeile = BLAETTER[anfang:anfang + 27]
        print(" ".join("%4d" % w for w in zeile))


if __name__ == "__main__":
    zeige_blaetter()
    print("Wert der Wurzel:", alphabeta(0, 0, True, -math.inf, math.inf))
    print("besuchte Knoten:", besucht, "von", sum(3 ** e for e in range(TIEFE + 1)))
    if len(BLAETTER) != 3 ** TIEFE:
        print("ACHTUNG: falsche Anzahl Blaetter")
