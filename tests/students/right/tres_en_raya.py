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


def minimax(t, nivel, alfa, beta, maximiza):
    # devuelve [puntos, fila, columna]
    if ganador(t) != "-":
        return [puntos(t, nivel), None, None]
    if lleno(t):
        return [0, None, None]
    ficha = "X" if maximiza else "O"
    mejor = [-INFINITO if maximiza else INFINITO, None, None]
    for f in range(3):
        for c in range(3):
            if t[f][c] != "-":
                continue
            copia = deepcopy(t)
            copia[f][c] = ficha
            valor = minimax(copia, nivel + 1, alfa, beta, not maximiza)[0]
            if maximiza:
                if valor > mejor[0]:
                    mejor = [valor, f, c]
                alfa = max(alfa, valor)
            else:
                if valor < mejor[0]:
                    mejor = [valor, f, c]
                beta = min(beta, valor)
            if beta <= alfa:
                return mejor
    return mejor


print("*** TRES EN RAYA ***")
pintar(tablero)
while ganador(tablero) == "-" and not lleno(tablero):
    f, c = minimax(tablero, 0, -INFINITO, INFINITO, True)[1:]
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
