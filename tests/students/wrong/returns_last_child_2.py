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


def minimax(n, est_ordi):
    """renvoie (score, nombre de batonnets)"""
    global nb_appels
    nb_appels += 1
    if n == 0:
        return (1, 0) if est_ordi else (-1, 0)
    if est_ordi:
        meilleur_score, meilleur_k = -10, 0
        for k in possibles(n):
            score, _ = minimax(n - k, False)
            if score > meilleur_score:
                meilleur_k = k
            meilleur_score = score
    else:
        meilleur_score, meilleur_k = 10, 0
        for k in possibles(n):
            score, _ = minimax(n - k, True)
            if score < meilleur_score:
                meilleur_score = score
                meilleur_k = k
    return meilleur_score, meilleur_k


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
            k = minimax(n, True)[1]
            print("je prends", k)
            n -= k
        humain = not humain
    # celui qui vient de jouer a pris le dernier
    print("Vous avez gagné !" if humain else "Vous avez perdu...")


if __name__ == "__main__":
    jouer()
