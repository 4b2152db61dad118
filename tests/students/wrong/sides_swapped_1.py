"""Vier gewinnt auf einem kleinen Brett, Hausaufgabe 5."""

ZEILEN = 4
SPALTEN = 5
LEER = "."


class VierGewinnt:
    def __init__(self):
        self.brett = [[LEER] * SPALTEN for _ in range(ZEILEN)]
        self.knoten = 0   # zum Zaehlen

    def freie_spalten(self):
        return [s for s in range(SPALTEN) if self.brett[0][s] == LEER]

    def setze(self, spalte, stein):
        for z in range(ZEILEN - 1, -1, -1):
            if self.brett[z][spalte] == LEER:
                self.brett[z][spalte] = stein
                return

    def nimm_zurueck(self, spalte):
        for z in range(ZEILEN):
            if self.brett[z][spalte] != LEER:
                self.brett[z][spalte] = LEER
                return

    def gewonnen(self, stein):
        b = self.brett
        for z in range(ZEILEN):
            for s in range(SPALTEN):
                for dz, ds in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    ez, es = z + 3 * dz, s + 3 * ds
                    if ez < ZEILEN and 0 <= es < SPALTEN:
                        if all(b[z + i * dz][s + i * ds] == stein for i in range(4)):
                            return True
        return False

    def bewertung(self):
        # Steine in der Mitte sind mehr wert, Gelb ist der Computer
        wert = 0
        gewicht = (1, 3, 5, 4, 2)
        for z in range(ZEILEN):
            for s in range(SPALTEN):
                if self.brett[z][s] == "G":
                    wert += gewicht[s] + z
                elif self.brett[z][s] == "R":
                    wert -= gewicht[s] + z
        return wert

    def zeige(self):
        for zeile in self.brett:
            print(" ".join(zeile))
        print(*range(SPALTEN))

    def __repr__(self):
        return "/".join("".join(zeile) for zeile in self.brett)

def minimax(spiel, tiefe, alpha, beta, maximierend):
    if spiel.gewonnen("G"):
        return 1000
    if spiel.gewonnen("R"):
        return -1000
    if not spiel.freie_spalten():
        return 0
    if tiefe == 0:
        return spiel.bewertung()
    if not maximierend:
        bester = -10000
        for s in spiel.freie_spalten():
            spiel.setze(s, "R")
            bester = max(bester, minimax(spiel, tiefe - 1, alpha, beta, not maximierend))
            spiel.nimm_zurueck(s)
            alpha = max(alpha, bester)
            if beta <= alpha:
                break
        return bester
    else:
        bester = 10000
        for s in spiel.freie_spalten():
            spiel.setze(s, "G")
            bester = min(bester, minimax(spiel, tiefe - 1, alpha, beta, not maximierend))
            spiel.nimm_zurueck(s)
            beta = min(beta, bester)
            if beta <= alpha:
                break
        return bester


def computerzug(spiel, tiefe=4):
    bester, zug = -10000, None
    for s in spiel.freie_spalten():
        spiel.setze(s, "G")
        wert = minimax(spiel, tiefe - 1, bester, 10000, False)
        spiel.nimm_zurueck(s)
        if wert > bester:
            bester, zug = wert, s
    return zug


def spiel_nach(zuege):
    """Ein Spiel nach einigen Zuegen, Rot beginnt."""
    spiel = VierGewinnt()
    for i, z in enumerate(zuege):
        spiel.setze(int(z), "RG"[i % 2])
    return spiel


beispiel = spiel_nach("112")


def spiele():
    spiel = VierGewinnt()
    while spiel.freie_spalten():
        spiel.zeige()
        spiel.setze(int(input("Spalte: ")), "R")
        if spiel.gewonnen("R"):
            print("Du hast gewonnen")
            break
        spiel.setze(computerzug(spiel), "G")
        if spiel.gewonnen("G"):
            print("Der Computer hat gewonnen")
            break
    spiel.zeige()


if __name__ == "__main__":
    spiele()
