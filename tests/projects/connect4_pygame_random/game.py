import sys

import numpy as np
import pygame

from ai import minimax
from rules import COLS, ROWS, PLAYER, AI, create_board, drop_piece, next_open_row, is_valid, winning_move

SIZE = 80


def draw(screen, board):
    for c in range(COLS):
        for r in range(ROWS):
            colour = {0: (0, 0, 0), PLAYER: (255, 0, 0), AI: (255, 255, 0)}[int(board[r][c])]
            pygame.draw.circle(screen, colour, (c * SIZE + 40, (ROWS - r) * SIZE + 40), 36)
    pygame.display.update()


def run():
    pygame.init()
    screen = pygame.display.set_mode((COLS * SIZE, (ROWS + 1) * SIZE))
    board = create_board()
    turn, over = 0, False
    draw(screen, board)
    while not over:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                sys.exit()
            if event.type == pygame.MOUSEBUTTONDOWN and turn == 0:
                column = event.pos[0] // SIZE
                if is_valid(board, column):
                    drop_piece(board, next_open_row(board, column), column, PLAYER)
                    over = winning_move(board, PLAYER)
                    turn = 1
        if turn == 1 and not over:
            column, score = minimax(board, 3, -np.inf, np.inf, True)
            if is_valid(board, column):
                drop_piece(board, next_open_row(board, column), column, AI)
                over = winning_move(board, AI)
                turn = 0
        draw(screen, board)


if __name__ == "__main__":
    run()
