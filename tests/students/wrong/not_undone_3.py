# drie op een rij (met zwaartekracht) op een bord van 4 bij 4
BREED = 4
HOOG = 4
RIJ = 3

bord = {(1, 0): "o", (2, 0): "x"}    # (kolom, hoogte) -> steen


def kolommen(b):
    return [k for k in range(BREED) if (k, HOOG - 1) not in b]


def bovenop(b, k):
    h = 0
    while (k, h) in b:
        h += 1
    return h


def rij_van(b, wie):
    for (k, h), steen in b.items():
        if steen != wie:
            continue
        for dk, dh in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all(b.get((k + n * dk, h + n * dh)) == wie for n in range(RIJ)):
                return True
    return False


def waarde(b):
    # hoe lager en hoe meer in het midden, hoe beter
    som = 0
    for (k, h), steen in b.items():
        p = (2, 5, 4, 1)[k] * 2 + (3, 2, 1, 0)[h]
        som += p if steen == "x" else -p
    return som


def ander(wie):
    return "o" if wie == "x" else "x"


def alfabeta(b, diepte, alfa, beta, aan_zet):
    if rij_van(b, "x"):
        return (500, None)
    if rij_van(b, "o"):
        return (-500, None)
    vrij = kolommen(b)
    if not vrij:
        return (0, None)
    if diepte == 0:
        return (waarde(b), None)
    keuze = None
    if aan_zet == "x":
        beste = -1000
        for k in vrij:
            plek = (k, bovenop(b, k))
            b[plek] = "x"
            v, _ = alfabeta(b, diepte - 1, alfa, beta, "o")
            b.pop(plek)
            if v > beste:
                beste, keuze = v, k
            alfa = max(alfa, beste)
            if alfa >= beta:
                break
    else:
        beste = 1000
        for k in vrij:
            plek = (k, bovenop(b, k))
            b[plek] = "o"
            v, _ = alfabeta(b, diepte - 1, alfa, beta, "x")
            if v < beste:
                beste, keuze = v, k
            beta = min(beta, beste)
            if alfa >= beta:
                break
            b.pop(plek)
    return (beste, keuze)


def teken(b):
    for h in range(HOOG - 1, -1, -1):
        print("".join(b.get((k, h), ".") for k in range(BREED)))


def spel():
    b = {}
    wie = "o"
    while kolommen(b) and not rij_van(b, ander(wie)):
        teken(b)
        k = int(input("kolom? ")) if wie == "o" else alfabeta(dict(b), 5, -1000, 1000, "x")[1]
        b[(k, bovenop(b, k))] = wie
        wie = ander(wie)
    teken(b)


if __name__ == "__main__":
    spel()
