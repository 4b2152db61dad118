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


ORDRE = [2, 1, 3, 0, 4]      # le centre d'abord


def cherche(g, profondeur, joueur, meilleur_max=-inf, meilleur_min=inf):
    """Renvoie (score, colonne). meilleur_max et meilleur_min : ce que chacun a deja trouve."""
    if aligne(g, ORDI):
        return 1000 + profondeur, None
    if aligne(g, HUMAIN):
        return -1000 - profondeur, None
    if not coups(g):
        return 0, None
    if profondeur == 0:
        return evaluer(g), None
    score, colonne = (-inf, None) if joueur == ORDI else (inf, None)
    for c in [c for c in ORDRE if c in coups(g)]:
        g[c].append(joueur)
        s = cherche(g, profondeur - 1, 3 - joueur, meilleur_max, meilleur_min)[0]
        g[c].pop()
        if joueur == ORDI:
            if s > score:
                score, colonne = s, c
            meilleur_max = max(meilleur_max, s)
        else:
            if s < score:
                score, colonne = s, c
            meilleur_min = min(meilleur_min, s)
        if meilleur_max >= meilleur_min:
            break
    return score, colonne


def partie():
    g = [[] for _ in range(NB_COL)]
    joueur = HUMAIN
    while coups(g) and not aligne(g, HUMAIN) and not aligne(g, ORDI):
        affiche(g)
        if joueur == HUMAIN:
            c = int(input("Votre colonne ? "))
        else:
            c = cherche(g, 5, ORDI)[1]
        g[c].append(joueur)
        joueur = 3 - joueur
    affiche(g)


if __name__ == "__main__":
    partie()
