# -*- coding: utf-8 -*-
# Puissance 4 (petite grille) - projet NSI
from math import inf

NB_COL = 5
HAUTEUR = 4
HUMAIN, ORDI = 1, 2
POIDS = [[2, 3, 4, 3, 2], [3, 5, 7, 5, 3], [3, 5, 8, 6, 3], [2, 3, 5, 3, 1]]

# une grille = liste de colonnes, le bas en premier
grille = [[], [1], [2, 1], [2], []]


def coups(g):
    return [c for c in range(NB_COL) if len(g[c]) < HAUTEUR]


def case(g, c, l):
    if 0 <= c < NB_COL and 0 <= l < len(g[c]):
        return g[c][l]
    return 0


def aligne(g, j):
    """Vrai si le joueur j a quatre pions alignés"""
    for c in range(NB_COL):
        for l in range(len(g[c])):
            if g[c][l] != j:
                continue
            for dc, dl in ((1, 0), (0, 1), (1, 1), (1, -1)):
                n = 1
                while n < 4 and case(g, c + n * dc, l + n * dl) == j:
                    n += 1
                if n == 4:
                    return True
    return False


def evaluer(g):
    total = 0
    for c in range(NB_COL):
        for l, j in enumerate(g[c]):
            total += POIDS[l][c] if j == ORDI else -POIDS[l][c]
    return total


def affiche(g):
    for l in range(HAUTEUR - 1, -1, -1):
        print("|" + "|".join(" XO"[case(g, c, l)] for c in range(NB_COL)) + "|")


def maximise(g, profondeur, alpha, beta):
    if aligne(g, ORDI):
        return 1000, None
    if aligne(g, HUMAIN):
        return -1000, None
    if not coups(g):
        return 0, None
    if profondeur == 0:
        return evaluer(g), None
    meilleur, choix = -inf, None
    for c in coups(g):
        nouvelle = [col[:] for col in g]
        nouvelle[c].append(ORDI)
        score, _ = maximise(nouvelle, profondeur - 1, alpha, beta)
        if score > meilleur:
            meilleur, choix = score, c
        alpha = max(alpha, meilleur)
        if beta <= alpha:
            break
    return meilleur, choix


def minimise(g, profondeur, alpha, beta):
    if aligne(g, ORDI):
        return 1000, None
    if aligne(g, HUMAIN):
        return -1000, None
    if not coups(g):
        return 0, None
    if profondeur == 0:
        return evaluer(g), None
    pire, choix = inf, None
    for c in coups(g):
        nouvelle = [col[:] for col in g]
        nouvelle[c].append(HUMAIN)
        score, _ = maximise(nouvelle, profondeur - 1, alpha, beta)
        if score < pire:
            pire, choix = score, c
        beta = min(beta, pire)
        if beta <= alpha:
            break
    return pire, choix


def partie():
    g = [[] for _ in range(NB_COL)]
    joueur = HUMAIN
    while coups(g) and not aligne(g, HUMAIN) and not aligne(g, ORDI):
        affiche(g)
        if joueur == HUMAIN:
            c = int(input("Votre colonne ? "))
        else:
            c = maximise(g, 4, -inf, inf)[1]
        g[c].append(joueur)
        joueur = 3 - joueur
    affiche(g)


if __name__ == "__main__":
    partie()
