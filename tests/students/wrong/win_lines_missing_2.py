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
        for dk, dh in ((1, 0), (1, 1), (1, -1)):
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


def maximaliseer(b, diepte, alfa, beta):
    if rij_van(b, "o"):
        return -500
    if not kolommen(b):
        return 0
    if diepte == 0:
        return waarde(b)
    for k in kolommen(b):
        nieuw = {**b, (k, bovenop(b, k)): "x"}
        alfa = max(alfa, minimaliseer(nieuw, diepte - 1, alfa, beta))
        if alfa >= beta:
            return beta
    return alfa


def minimaliseer(b, diepte, alfa, beta):
    if rij_van(b, "x"):
        return 500
    if not kolommen(b):
        return 0
    if diepte == 0:
        return waarde(b)
    for k in kolommen(b):
        nieuw = {**b, (k, bovenop(b, k)): "o"}
        beta = min(beta, maximaliseer(nieuw, diepte - 1, alfa, beta))
        if alfa >= beta:
            return alfa
    return beta


def zet(b, diepte):
    beste, kolom = -1000, None
    for k in kolommen(b):
        v = minimaliseer({**b, (k, bovenop(b, k)): "x"}, diepte - 1, beste, 1000)
        if v > beste:
            beste, kolom = v, k
    return kolom


def teken(b):
    for h in range(HOOG - 1, -1, -1):
        print("".join(b.get((k, h), ".") for k in range(BREED)))


def spel():
    b = {}
    wie = "o"
    while kolommen(b) and not rij_van(b, ander(wie)):
        teken(b)
        k = int(input("kolom? ")) if wie == "o" else zet(b, 5)
        b[(k, bovenop(b, k))] = wie
        wie = ander(wie)
    teken(b)


if __name__ == "__main__":
    spel()
