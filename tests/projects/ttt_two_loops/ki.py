from regeln import gewinner, voll


def suche(brett, tiefe, alpha, beta, computer):
    sieger = gewinner(brett)
    if sieger:
        return sieger * (10 + tiefe)
    if voll(brett) or tiefe == 0:
        return 0
    bester = -100 if computer else 100
    for zeile in range(3):
        for spalte in range(3):
            if brett[zeile][spalte] != 0:
                continue
            brett[zeile][spalte] = 1 if computer else -1
            wert = suche(brett, tiefe - 1, alpha, beta, not computer)
            brett[zeile][spalte] = 0
            if computer:
                bester = max(bester, wert)
                alpha = max(alpha, bester)
            else:
                bester = min(bester, wert)
                beta = min(beta, bester)
            if beta <= alpha:
                return bester
    return bester


def bester_zug(brett):
    bester, zug = -100, None
    for zeile in range(3):
        for spalte in range(3):
            if brett[zeile][spalte] == 0:
                brett[zeile][spalte] = 1
                wert = suche(brett, 8, bester, 100, False)
                brett[zeile][spalte] = 0
                if wert > bester:
                    bester, zug = wert, (zeile, spalte)
    return zug
