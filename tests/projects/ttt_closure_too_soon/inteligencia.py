from tablero import gana, jugadas, lleno, poner

INFINITO = 10**6


def mejor_jugada(tablero):
    def alfabeta(tablero, alfa, beta, maximiza):
        if gana(tablero, "o"):
            return 1
        if gana(tablero, "x"):
            return -1
        if lleno(tablero):
            return 0
        if maximiza:
            valor = -INFINITO
            for casilla in jugadas(tablero):
                valor = max(valor, alfabeta(poner(tablero, casilla, "o"), alfa, beta, False))
                alfa = max(alfa, valor)
                if alfa >= beta:
                    break
            return valor
        valor = INFINITO
        for casilla in jugadas(tablero):
            valor = min(valor, alfabeta(poner(tablero, casilla, "x"), alfa, beta, True))
            beta = min(beta, valor)
            return valor

    mejor, elegida = -INFINITO, None
    for casilla in jugadas(tablero):
        valor = alfabeta(poner(tablero, casilla, "o"), mejor, INFINITO, False)
        if valor > mejor:
            mejor, elegida = valor, casilla
    return elegida
