from dataclasses import dataclass

TAM = 3
TRIOS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class Estado:
    """Jogo da velha: casas e quem joga agora. X joga primeiro e maximiza."""
    casas: str = "........."
    vez: str = "X"

    def acoes(self):
        return [i for i, c in enumerate(self.casas) if c == "."]

    def resultado(self, i):
        casas = self.casas[:i] + self.vez + self.casas[i + 1:]
        return Estado(casas, "O" if self.vez == "X" else "X")

    def venceu(self, quem):
        return any(self.casas[a] == self.casas[b] == self.casas[c] == quem for a, b, c in TRIOS)

    def terminal(self):
        return self.venceu("X") or self.venceu("O") or "." not in self.casas

    def utilidade(self):
        if self.venceu("X"):
            return 1
        if self.venceu("O"):
            return -1
        return 0

    def __str__(self):
        return "\n".join(self.casas[i:i + TAM] for i in (0, 3, 6))


meio_de_jogo = Estado("X.O......", "X")


from functools import lru_cache


@lru_cache(maxsize=None)
def minimax(estado):
    """(utilidade, acao); cada estado e' calculado uma vez"""
    if estado.terminal():
        return estado.utilidade(), None
    opcoes = [(minimax(estado.resultado(a))[0], a) for a in estado.acoes()]
    if estado.vez == "X":
        return max(opcoes, key=lambda o: o[0])
    return min(opcoes, key=lambda o: o[0])


def jogar():
    estado = Estado()
    while not estado.terminal():
        print(estado)
        if estado.vez == "X":
            estado = estado.resultado(minimax(estado)[1])
        else:
            estado = estado.resultado(int(input("casa (0-8): ")))
    print(estado)
    print("resultado:", estado.utilidade())


if __name__ == "__main__":
    jogar()
