class Yapay:
    def __init__(self, tas):
        self.tas = tas
        self.rakip = "X" if tas == "O" else "O"

    def hamle_sec(self, tahta):
        return self.minimax(tahta, True)[1]

    def minimax(self, tahta, benim_sira):
        oynayan = self.tas if benim_sira else self.rakip
        if tahta.kazandi(oynayan):
            return (1 if benim_sira else -1), None
        if not tahta.bos():
            return 0, None
        sonuclar = []
        for yer in tahta.bos():
            tahta.koy(yer, oynayan)
            puan = self.minimax(tahta, not benim_sira)[0]
            tahta.koy(yer, " ")
            sonuclar.append((puan, yer))
        return max(sonuclar) if benim_sira else min(sonuclar)
