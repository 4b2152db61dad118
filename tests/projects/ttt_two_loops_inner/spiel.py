from ki import bester_zug
from regeln import brett_leer, gewinner, voll, zeige

brett = brett_leer()
while True:
    zeige(brett)
    zeile, spalte = map(int, input("Zeile Spalte: ").split())
    if brett[zeile][spalte] != 0:
        continue
    brett[zeile][spalte] = -1
    if gewinner(brett) or voll(brett):
        break
    zug = bester_zug(brett)
    brett[zug[0]][zug[1]] = 1
    if gewinner(brett) or voll(brett):
        break
zeige(brett)
