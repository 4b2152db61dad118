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

    def alphabeta(self, tiefe, alpha, beta, ist_max):
        """Gibt (Wert, Spalte) zurueck."""
        self.knoten += 1
        if self.gewonnen("G"):
            return 1000, None
        if self.gewonnen("R"):
            return -1000, None
        spalten = self.freie_spalten()
        if not spalten:
            return 0, None
        if tiefe == 0:
            return self.bewertung(), None
        beste = None
        if ist_max:
            wert = -float("inf")
            for s in spalten:
                self.setze(s, "G")
                w, _ = self.alphabeta(tiefe - 1, alpha, beta, False)
                self.nimm_zurueck(s)
                if w > wert:
                    wert, beste = w, s
                alpha = max(alpha, wert)
                if alpha >= beta:
                    break
        else:
            wert = float("inf")
            for s in spalten:
                self.setze(s, "R")
                w, _ = self.alphabeta(tiefe - 1, alpha, beta, True)
                self.nimm_zurueck(s)
                if w < wert:
                    wert, beste = w, s
                beta = min(beta, wert)
                if alpha >= beta:
                    break
        return wert, beste


def spiel_nach(zuege):
    """Ein Spiel nach einigen Zuegen, Rot beginnt."""
    spiel = VierGewinnt()
    for i, z in enumerate(zuege):
        spiel.setze(int(z), "RG"[i % 2])
    return spiel


beispiel = spiel_nach("1")



def spiele():
    spiel = VierGewinnt()
    while spiel.freie_spalten():
        spiel.zeige()
        spiel.setze(int(input("Spalte: ")), "R")
        if spiel.gewonnen("R"):
            print("Du hast gewonnen")
            break
        spiel.setze(spiel.alphabeta(5, -float("inf"), float("inf"), True)[1], "G")
        if spiel.gewonnen("G"):
            print("Der Computer hat gewonnen")
            break
    spiel.zeige()


if __name__ == "__main__":
    spiele()
