class Tahta:
    CIZGILER = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self):
        self.kareler = [" "] * 9

    def bos(self):
        return [i for i in range(9) if self.kareler[i] == " "]

    def koy(self, yer, tas):
        self.kareler[yer] = tas

    def kazandi(self, tas):
        return any(all(self.kareler[i] == tas for i in cizgi) for cizgi in self.CIZGILER)
