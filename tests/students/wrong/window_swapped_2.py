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


def alphabeta(ebene, k, max_zug, alpha=-math.inf, beta=math.inf):
    # Rueckgabe: Wert und Pfad zum Blatt
    global besucht
    besucht += 1
    if ist_blatt(ebene):
        return BLAETTER[k], [k]
    pfad = []
    if max_zug:
        wert = -math.inf
        for kind in kinder(k):
            w, p = alphabeta(ebene + 1, kind, False, alpha, beta)
            if w > wert:
                wert, pfad = w, [k] + p
            alpha = max(alpha, wert)
            if alpha >= beta:
                break
    else:
        wert = math.inf
        for kind in kinder(k):
            w, p = alphabeta(ebene + 1, kind, True, beta, alpha)
            if w < wert:
                wert, pfad = w, [k] + p
            beta = min(beta, wert)
            if alpha >= beta:
                break
    return wert, pfad


def zeige_blaetter():
    for anfang in range(0, len(BLAETTER), 27):
        zeile = BLAETTER[anfang:anfang + 27]
        print(" ".join("%4d" % w for w in zeile))


if __name__ == "__main__":
    zeige_blaetter()
    print("Wert der Wurzel:", alphabeta(0, 0, True))
    print("besuchte Knoten:", besucht, "von", sum(3 ** e for e in range(TIEFE + 1)))
    if len(BLAETTER) != 3 ** TIEFE:
        print("ACHTUNG: falsche Anzahl Blaetter")
