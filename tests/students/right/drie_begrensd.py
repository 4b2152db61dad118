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


def zoek(b, diepte, alfa, beta, wie):
    """Geeft (waarde, kolom). Het venster is begrensd op -500..500, meer kan het nooit zijn."""
    if rij_van(b, "x"):
        return 500, None
    if rij_van(b, "o"):
        return -500, None
    if not kolommen(b):
        return 0, None
    if diepte == 0:
        return waarde(b), None
    alfa = max(alfa, -501)
    beta = min(beta, 501)
    beste = None
    if wie == "x":
        w = -501
        for k in kolommen(b):
            nieuw = dict(b)
            nieuw[(k, bovenop(b, k))] = "x"
            v = zoek(nieuw, diepte - 1, alfa, beta, "o")[0]
            if v > w:
                w, beste = v, k
            alfa = max(alfa, w)
            if alfa >= beta:
                break
    else:
        w = 501
        for k in kolommen(b):
            nieuw = dict(b)
            nieuw[(k, bovenop(b, k))] = "o"
            v = zoek(nieuw, diepte - 1, alfa, beta, "x")[0]
            if v < w:
                w, beste = v, k
            beta = min(beta, w)
            if alfa >= beta:
                break
    return w, beste


def teken(b):
    for h in range(HOOG - 1, -1, -1):
        print("".join(b.get((k, h), ".") for k in range(BREED)))


def spel():
    b = {}
    wie = "o"
    while kolommen(b) and not rij_van(b, ander(wie)):
        teken(b)
        k = int(input("kolom? ")) if wie == "o" else zoek(b, 5, -9999, 9999, "x")[1]
        b[(k, bovenop(b, k))] = wie
        wie = ander(wie)
    teken(b)


if __name__ == "__main__":
    spel()
