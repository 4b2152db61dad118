# Mancala in piccolo: tre buche a testa, due semi per buca.
# buche 0-2 e granaio 3 sono di A, buche 4-6 e granaio 7 sono di B.
# Chi finisce nel proprio granaio gioca ancora.

INIZIO = [2, 2, 2, 0, 2, 2, 2, 0]


class Partita:
    def __init__(self, buche=None, turno="A"):
        self.buche = list(buche or INIZIO)
        self.turno = turno

    def mosse(self):
        prima = 0 if self.turno == "A" else 4
        return [b for b in range(prima, prima + 3) if self.buche[b] > 0]

    def semina(self, buca):
        """una nuova partita dopo la mossa"""
        nuova = Partita(self.buche, self.turno)
        mano = nuova.buche[buca]
        nuova.buche[buca] = 0
        mio, altro = (3, 7) if self.turno == "A" else (7, 3)
        while mano > 0:
            buca = (buca + 1) % 8
            if buca == altro:
                continue
            nuova.buche[buca] += 1
            mano -= 1
        if buca != mio:
            nuova.turno = "B" if self.turno == "A" else "A"
        return nuova

    def finita(self):
        return not self.mosse()

    def valore(self):
        return self.buche[3] - self.buche[7]

    def __repr__(self):
        return "%s%s %s" % (self.turno, self.buche[:4], self.buche[4:])


def minimax(p, profondita, alfa, beta, massimizza):
    if profondita == 0 or p.finita():
        return p.valore()
    if massimizza:
        migliore = -1000
        for m in p.mosse():
            migliore = max(migliore, minimax(p.semina(m), profondita - 1, alfa, beta, False))
            alfa = max(alfa, migliore)
            if beta <= alfa:
                break
        return migliore
    peggiore = 1000
    for m in p.mosse():
        peggiore = min(peggiore, minimax(p.semina(m), profondita - 1, alfa, beta, True))
        beta = min(beta, peggiore)
        if beta <= alfa:
            break
    return peggiore


def scegli(p, profondita):
    migliore, mossa = -1000, None
    for m in p.mosse():
        dopo = p.semina(m)
        v = minimax(dopo, profondita - 1, migliore, 1000, dopo.turno == "A")
        if v > migliore:
            migliore, mossa = v, m
    return mossa


def gioca():
    p = Partita()
    while not p.finita():
        print(p)
        if p.turno == "A":
            mossa = scegli(p, 6)
            print("io gioco", mossa)
        else:
            mossa = int(input("buca (4-6): "))
        p = p.semina(mossa)
    print("A" if p.valore() > 0 else "B", "ha vinto", p.valore())


if __name__ == "__main__":
    gioca()
