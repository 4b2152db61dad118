class Position:
    """Two bit masks: the crosses and the noughts. Crosses begin."""

    WINS = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)

    def __init__(self, crosses=0, noughts=0):
        self.crosses, self.noughts = crosses, noughts

    @property
    def crosses_to_move(self):
        return bin(self.crosses).count("1") == bin(self.noughts).count("1")

    def empty(self):
        return [cell for cell in range(9) if not (self.crosses | self.noughts) >> cell & 1]

    def after(self, cell):
        bit = 1 << cell
        if self.crosses_to_move:
            return Position(self.crosses | bit, self.noughts)
        return Position(self.crosses, self.noughts | bit)

    def result(self):
        """1, 0 or -1 for crosses; None if the game goes on."""
        if any(self.crosses & line == line for line in self.WINS):
            return 1
        if any(self.noughts & line == line for line in self.WINS):
            return -1
        return None if self.empty() else 0
