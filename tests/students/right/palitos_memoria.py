# El juego de los palitos: se quitan 1, 2 o 3 palitos,
# quien quita el último PIERDE.

INICIO = 60
llamadas = 0


def posibles(n):
    return [k for k in (1, 2, 3) if k <= n]


def dibuja(n):
    print("| " * n)
    print("| " * n)
    print("(%d)" % n)


memoria = {}


def mejor(n, turno, contrario):
    """Devuelve (valor, palitos) para `turno`, que es quien juega ahora."""
    global llamadas
    llamadas += 1
    if n == 0:
        # el contrario ha quitado el último
        return 1, None
    if (n, turno) in memoria:
        return memoria[n, turno]
    mejor_valor, mejor_k = -2, None
    for k in posibles(n):
        valor = -mejor(n - k, contrario, turno)[0]
        if valor > mejor_valor:
            mejor_valor, mejor_k = valor, k
    memoria[n, turno] = (mejor_valor, mejor_k)
    return memoria[n, turno]


def turno_persona(n):
    k = 0
    while k not in posibles(n):
        k = int(input("Cuantos palitos (1-3)? "))
    return k


def jugar():
    n = INICIO
    persona = input("Quieres empezar (s/n)? ") == "s"
    while n > 0:
        dibuja(n)
        if persona:
            n -= turno_persona(n)
        else:
            k = mejor(n, "yo", "tu")[1]
            print("yo quito", k)
            n -= k
        persona = not persona
    # quien acaba de jugar ha quitado el ultimo
    print("Has ganado!" if persona else "Has perdido...")


if __name__ == "__main__":
    jugar()
