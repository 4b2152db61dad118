from tahta import Tahta
from yapay import Yapay


def oyna():
    tahta = Tahta()
    bilgisayar = Yapay("O")
    sira = "X"
    while tahta.bos() and not tahta.kazandi("X") and not tahta.kazandi("O"):
        if sira == "X":
            hamle = int(input("0-8: "))
            if hamle not in tahta.bos():
                continue
        else:
            hamle = bilgisayar.hamle_sec(tahta)
        tahta.koy(hamle, sira)
        sira = "O" if sira == "X" else "X"


if __name__ == "__main__":
    oyna()
