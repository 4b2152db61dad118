# Regeln für das Spiel (Modul für alle Gruppen)
# Brett: Liste von 4 Spalten, jede höchstens 4 hoch; drei in einer Reihe gewinnen.

SPALTEN = 4
HÖHE = 4
MAX, MIN = "A", "B"


def neues_brett():
    return [[] for _ in range(SPALTEN)]


def zuege(brett):
    return [s for s in range(SPALTEN) if len(brett[s]) < HÖHE]


def feld(brett, s, h):
    if 0 <= s < SPALTEN and 0 <= h < len(brett[s]):
        return brett[s][h]
    return None


def hat_gewonnen(brett, wer):
    for s in range(SPALTEN):
        for h in range(len(brett[s])):
            for ds, dh in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(feld(brett, s + i * ds, h + i * dh) == wer for i in range(3)):
                    return True
    return False


def punkte(brett):
    summe = 0
    for s in range(SPALTEN):
        for h, wer in enumerate(brett[s]):
            p = (1, 4, 3, 2)[s] * (5 - h)
            summe += p if wer == MAX else -p
    return summe
