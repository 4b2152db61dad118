VACIO = "-" * 9
LINEAS = ("012", "345", "678", "036", "147", "258", "048", "246")


def gana(tablero, ficha):
    return any(all(tablero[int(i)] == ficha for i in linea) for linea in LINEAS)


def lleno(tablero):
    return "-" not in tablero


def poner(tablero, casilla, ficha):
    return tablero[:casilla] + ficha + tablero[casilla + 1 :]


def jugadas(tablero):
    for casilla, ficha in enumerate(tablero):
        if ficha == "-":
            yield casilla
