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


def negamax(n, joueur):
    """score pour celui qui joue"""
    global nb_appels
    nb_appels += 1
    if n == 0:
        return 1      # l'autre a pris le dernier
    meilleur = -2
    for k in (1, 2, 3):
        score = -negamax(n - k, 3 - joueur)
        if score > meilleur:
            meilleur = score
    return meilleur


def choix_ordi(n):
    scores = {}
    for k in possibles(n):
        scores[k] = -negamax(n - k, 1)
    for k in scores:
        if scores[k] == max(scores.values()):
            return k


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
            k = choix_ordi(n)
            print("je prends", k)
            n -= k
        humain = not humain
    # celui qui vient de jouer a pris le dernier
    print("Vous avez gagné !" if humain else "Vous avez perdu...")


if __name__ == "__main__":
    jouer()
