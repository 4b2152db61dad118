from ai import minimax
from board import WHITE
from game import Game


def main():
    game = Game()
    while game.winner() is None:
        score, move = minimax(game.board, 3, game.turn == WHITE, game)
        if move is None:
            break
        game.play(game.board.after(move))
        print("\n".join(" ".join(line) for line in game.board.cells), score)


if __name__ == "__main__":
    main()
