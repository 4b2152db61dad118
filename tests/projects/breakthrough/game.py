from board import BLACK, WHITE, Board


class Game:
    """The game as it is played: the board on the table and whose turn it is."""

    def __init__(self):
        self.board = Board()
        self.turn = WHITE

    def winner(self):
        return self.board.winner()

    def play(self, board):
        self.board = board
        self.turn = BLACK if self.turn == WHITE else WHITE
