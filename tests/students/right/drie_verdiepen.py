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


tabel = {}


def zoek(b, diepte, alfa, beta, wie):
    """Negamax; de tabel kent diepte, speler en soort grens."""
    if rij_van(b, ander(wie)):
        return -500
    if not kolommen(b):
        return 0
    if diepte == 0:
        return waarde(b) if wie == "x" else -waarde(b)
    sleutel = (frozenset(b.items()), wie, diepte)
    begin = alfa
    if sleutel in tabel:
        v, soort = tabel[sleutel]
        if soort == "precies" or (soort == "onder" and v >= beta) or (soort == "boven" and v <= alfa):
            return v
    beste = -1000
    for k in kolommen(b):
        plek = (k, bovenop(b, k))
        b[plek] = wie
        beste = max(beste, -zoek(b, diepte - 1, -beta, -alfa, ander(wie)))
        del b[plek]
        alfa = max(alfa, beste)
        if alfa >= beta:
            break
    soort = "boven" if beste <= begin else "onder" if beste >= beta else "precies"
    tabel[sleutel] = (beste, soort)
    return beste


def beste_zet(b, diepte):
    for d in range(1, diepte + 1):
        beste, kolom = -1000, None
        for k in kolommen(b):
            plek = (k, bovenop(b, k))
            b[plek] = "x"
            v = -zoek(b, d - 1, -1000, -beste, "o")
            del b[plek]
            if v > beste:
                beste, kolom = v, k
    return beste, kolom


def teken(b):
    for h in range(HOOG - 1, -1, -1):
        print("".join(b.get((k, h), ".") for k in range(BREED)))


def spel():
    b = {}
    wie = "o"
    while kolommen(b) and not rij_van(b, ander(wie)):
        teken(b)
        k = int(input("kolom? ")) if wie == "o" else beste_zet(b, 5)[1]
        b[(k, bovenop(b, k))] = wie
        wie = ander(wie)
    teken(b)


if __name__ == "__main__":
    spel()
