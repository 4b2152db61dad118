from c4.board import Board
from c4.search import Searcher


def main():
    board = Board()
    searcher = Searcher()
    for _ in range(4):
        move = searcher.best_move(board, 5)
        print("move", move)
        board.push(move)


main()
