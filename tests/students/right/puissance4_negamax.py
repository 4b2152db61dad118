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


def negamax(g, profondeur, alpha, beta, couleur):
    """Renvoie (score, colonne) du point de vue de celui qui joue : couleur 1 = ordi, -1 = humain"""
    if aligne(g, ORDI):
        return couleur * 1000, None
    if aligne(g, HUMAIN):
        return couleur * -1000, None
    if not coups(g):
        return 0, None
    if profondeur == 0:
        return couleur * evaluer(g), None
    meilleur, colonne = -inf, None
    for c in coups(g):
        g[c].append(ORDI if couleur == 1 else HUMAIN)
        score = -negamax(g, profondeur - 1, -beta, -alpha, -couleur)[0]
        g[c].pop()
        if score > meilleur:
            meilleur, colonne = score, c
        alpha = max(alpha, meilleur)
        if alpha >= beta:
            break
    return meilleur, colonne


def partie():
    g = [[] for _ in range(NB_COL)]
    joueur = HUMAIN
    while coups(g) and not aligne(g, HUMAIN) and not aligne(g, ORDI):
        affiche(g)
        if joueur == HUMAIN:
            c = int(input("Votre colonne ? "))
        else:
            c = negamax(g, 5, -inf, inf, 1)[1]
        g[c].append(joueur)
        joueur = 3 - joueur
    affiche(g)


if __name__ == "__main__":
    partie()
