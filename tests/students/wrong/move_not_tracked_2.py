# Le jeu des bâtonnets : on prend 1, 2 ou 3 bâtonnets,
# celui qui prend le dernier a PERDU.

DEPART = 11
nb_appels = 0


def possibles(n):
    return [k for k in (1, 2, 3) if k <= n]


def dessine(n):
    print("| " * n)
    print("| " * n)
    print("(%d)" % n)


def valeur(n, a, b, max_joue):
    global nb_appels
    nb_appels += 1
    if n == 0:
        return [1 if max_joue else -1, None]
    coup = None
    if max_joue:
        v = -5
        for k in possibles(n):
            w = valeur(n - k, a, b, False)[0]
            if w > v:
                v = w
            coup = k
            a = max(a, v)
            if a >= b:
                break
    else:
        v = 5
        for k in possibles(n):
            w = valeur(n - k, a, b, True)[0]
            if w < v:
                v = w
                coup = k
            b = min(b, v)
            if a >= b:
                break
    return [v, coup]


def tour_humain(n):
    k = 0
    while k not in possibles(n):
        k = int(input("Combien de bâtonnets (1-3) ? "))
    return k


def jouer():
    n = DEPART
    humain = input("Voulez-vous commencer (o/n) ? ") == "o"
    while n > 0:
        dessine(n)
        if humain:
            n -= tour_humain(n)
        else:
            k = valeur(n, -5, 5, True)[1]
            print("je prends", k)
            n -= k
        humain = not humain
    # celui qui vient de jouer a pris le dernier
    print("Vous avez gagné !" if humain else "Vous avez perdu...")


if __name__ == "__main__":
    jouer()
