# TRES EN RAYA contra la maquina
# la maquina juega con X, la persona con O
from copy import deepcopy

INFINITO = float("inf")

tablero = [["O", "-", "-"],
           ["-", "X", "-"],
           ["-", "-", "-"]]


def ganador(t):
    for i in range(3):
        if t[i][0] == t[i][1] == t[i][2] != "-":
            return t[i][0]
        if t[0][i] == t[1][i] == t[2][i] != "-":
            return t[0][i]
    if t[0][0] == t[1][1] == t[2][2] != "-":
        return t[1][1]
    if t[0][2] == t[1][1] == t[2][0] != "-":
        return t[1][1]
    return "-"


def lleno(t):
    for fila in t:
        if "-" in fila:
            return False
    return True


def puntos(t, nivel):
    # ganar pronto es mejor que ganar tarde
    if ganador(t) == "X":
        return 10 - nivel
    if ganador(t) == "O":
        return nivel - 10
    return 0


def pintar(t):
    for fila in t:
        print(" ".join(fila))
    print()


def minimax(t, nivel, maximiza):
    # devuelve (puntos, jugada)
    if ganador(t) != "-" or lleno(t):
        return puntos(t, nivel), None
    ficha = "X" if maximiza else "O"
    mejor = -INFINITO if maximiza else INFINITO
    mejor_jugada = None
    for f in range(3):
        for c in range(3):
            if t[f][c] == "-":
                t[f][c] = ficha
                valor, _ = minimax(t, nivel + 1, not maximiza)
                t[f][c] = "-"
                if (maximiza and valor > mejor) or (not maximiza and valor < mejor):
                    mejor = valor
                    mejor_jugada = (f, c)
                return mejor, mejor_jugada


print("*** TRES EN RAYA ***")
pintar(tablero)
while ganador(tablero) == "-" and not lleno(tablero):
    f, c = minimax(tablero, 0, True)[1]
    tablero[f][c] = "X"
    pintar(tablero)
    if ganador(tablero) != "-" or lleno(tablero):
        break
    f = int(input("fila (0-2): "))
    c = int(input("columna (0-2): "))
    if tablero[f][c] == "-":
        tablero[f][c] = "O"
    pintar(tablero)
print("Fin de la partida, gana:", ganador(tablero))
