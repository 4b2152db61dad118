# kolko i krzyzyk z komputerem
# komputer gra X, czlowiek gra O
from copy import deepcopy

NIESKONCZONOSC = float("inf")

plansza = [["O", "-", "-"],
           ["-", "X", "-"],
           ["-", "-", "-"]]


def zwyciezca(t):
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


def pelna(t):
    for wiersz in t:
        if "-" in wiersz:
            return False
    return True


def wynik(t, poziom):
    # lepiej wygrac wczesniej
    if zwyciezca(t) == "X":
        return 10 - poziom
    if zwyciezca(t) == "O":
        return poziom - 10
    return 0


def rysuj(t):
    for wiersz in t:
        print(" ".join(wiersz))
    print()


def negamax(t, poziom, znak, a, b):
    """Zwraca (ocena, ruch) dla gracza, ktory ma teraz ruch."""
    if zwyciezca(t) != "-":
        # przeciwnik wlasnie wygral
        return poziom - 10, None
    if pelna(t):
        return 0, None
    najlepszy, ruch = -NIESKONCZONOSC, None
    przeciwnik = "O" if znak == "X" else "X"
    for f in range(3):
        for c in range(3):
            if t[f][c] == "-":
                nowa = deepcopy(t)
                nowa[f][c] = znak
                ocena = -negamax(nowa, poziom + 1, przeciwnik, -b, -a)[0]
                if ocena > najlepszy:
                    najlepszy, ruch = ocena, (f, c)
                if najlepszy > a:
                    a = najlepszy
                if a >= b:
                    break
    return najlepszy, ruch


print("*** KOLKO I KRZYZYK ***")
rysuj(plansza)
while zwyciezca(plansza) == "-" and not pelna(plansza):
    f, c = negamax(plansza, 0, "X", -NIESKONCZONOSC, NIESKONCZONOSC)[1]
    plansza[f][c] = "X"
    rysuj(plansza)
    if zwyciezca(plansza) != "-" or pelna(plansza):
        break
    f = int(input("wiersz (0-2): "))
    c = int(input("kolumna (0-2): "))
    if plansza[f][c] == "-":
        plansza[f][c] = "O"
    rysuj(plansza)
print("Koniec gry, wygrywa:", zwyciezca(plansza))
