from inteligencia import mejor_jugada
from tablero import VACIO, gana, lleno, poner


def jugar():
    tablero = VACIO
    while True:
        casilla = int(input("casilla 0-8: "))
        if tablero[casilla] != "-":
            continue
        tablero = poner(tablero, casilla, "x")
        if gana(tablero, "x") or lleno(tablero):
            break
        tablero = poner(tablero, mejor_jugada(tablero), "o")
        print(tablero[:3], tablero[3:6], tablero[6:], sep="\n")
        if gana(tablero, "o") or lleno(tablero):
            break
    print("fin")


if __name__ == "__main__":
    jugar()
