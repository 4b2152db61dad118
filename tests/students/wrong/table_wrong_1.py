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


memo = {}


def valeur(g, profondeur, tour_ordi):
    """Minimax avec memoire : chaque grille n'est calculee qu'une fois."""
    cle = str(g)
    if cle in memo:
        return memo[cle]
    if aligne(g, ORDI):
        resultat = 1000
    elif aligne(g, HUMAIN):
        resultat = -1000
    elif not coups(g):
        resultat = 0
    elif profondeur == 0:
        resultat = evaluer(g)
    else:
        resultats = []
        for c in coups(g):
            g[c].append(ORDI if tour_ordi else HUMAIN)
            resultats.append(valeur(g, profondeur - 1, not tour_ordi))
            g[c].pop()
        resultat = max(resultats) if tour_ordi else min(resultats)
    memo[cle] = resultat
    return resultat


def analyse(g, profondeur):
    """de plus en plus profond, en gardant la memoire"""
    for p in range(4, profondeur + 1):
        v = valeur(g, p, True)
        print("profondeur", p, "valeur", v)
    return v


def meilleur_coup(g, profondeur):
    choix, meilleur = None, -inf
    for c in coups(g):
        g[c].append(ORDI)
        v = valeur(g, profondeur - 1, False)
        g[c].pop()
        if v > meilleur:
            choix, meilleur = c, v
    return choix


def partie():
    g = [[] for _ in range(NB_COL)]
    joueur = HUMAIN
    while coups(g) and not aligne(g, HUMAIN) and not aligne(g, ORDI):
        affiche(g)
        if joueur == HUMAIN:
            c = int(input("Votre colonne ? "))
        else:
            c = meilleur_coup(g, 4)
        g[c].append(joueur)
        joueur = 3 - joueur
    affiche(g)


if __name__ == "__main__":
    partie()
