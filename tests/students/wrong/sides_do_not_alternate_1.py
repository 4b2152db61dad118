import sys
import math
import random

import numpy as np
import pygame

ROWS = 4
COLS = 5
PLAYER = 1
AI = 2
SQUARE = 90
BLUE = (20, 60, 200)
BLACK = (0, 0, 0)
COLORS = {0: BLACK, PLAYER: (220, 40, 40), AI: (230, 220, 40)}

WINDOWS = [[(r + k * dr, c + k * dc) for k in range(4)]
           for r in range(ROWS) for c in range(COLS)
           for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1))
           if 0 <= r + 3 * dr < ROWS and c + 3 * dc < COLS]


def create_board():
    return np.zeros((ROWS, COLS), dtype=int)


def drop_piece(board, col, piece):
    for r in range(ROWS):
        if board[r][col] == 0:
            board[r][col] = piece
            return r


def valid_columns(board):
    return [c for c in range(COLS) if board[ROWS - 1][c] == 0]


def winning_move(board, piece):
    grid = board.tolist()   # much faster than numpy for single cells
    return any(all(grid[r][c] == piece for r, c in w) for w in WINDOWS)


def score_position(board, piece):
    other = PLAYER if piece == AI else AI
    score = 3 * int(np.count_nonzero(board[:, COLS // 2] == piece))
    score -= 3 * int(np.count_nonzero(board[:, COLS // 2] == other))
    grid = board.tolist()
    for w in WINDOWS:
        cells = [grid[r][c] for r, c in w]
        mine, theirs = cells.count(piece), cells.count(other)
        if theirs == 0:
            score += (0, 1, 4, 9, 100)[mine]
        elif mine == 0:
            score -= (0, 1, 4, 8, 100)[theirs]
    return score


def position(moves=(2, 1, 2)):
    # a middle game for trying things out
    board = create_board()
    for i, col in enumerate(moves):
        drop_piece(board, col, PLAYER if i % 2 == 0 else AI)
    return board


def minimax(board, depth, alpha, beta, maximizing):
    if winning_move(board, AI):
        return 10000
    if winning_move(board, PLAYER):
        return -10000
    if not valid_columns(board):
        return 0
    if depth == 0:
        return score_position(board, AI)
    if maximizing:
        value = -math.inf
        for col in valid_columns(board):
            child = board.copy()
            drop_piece(child, col, AI)
            value = max(value, minimax(child, depth - 1, alpha, beta, False))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value
    else:
        value = math.inf
        for col in valid_columns(board):
            child = board.copy()
            drop_piece(child, col, AI)
            value = min(value, minimax(child, depth - 1, alpha, beta, True))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value


def best_column(board, depth=4):
    scores = {}
    alpha = -math.inf
    for col in valid_columns(board):
        child = board.copy()
        drop_piece(child, col, AI)
        scores[col] = minimax(child, depth - 1, alpha, math.inf, False)
        alpha = max(alpha, scores[col])
    # max takes the first of equal ones
    return max(scores, key=scores.get)


def draw(screen, board):
    for r in range(ROWS):
        for c in range(COLS):
            y = (ROWS - r) * SQUARE
            pygame.draw.rect(screen, BLUE, (c * SQUARE, y, SQUARE, SQUARE))
            pygame.draw.circle(screen, COLORS[board[r][c]], (c * SQUARE + 45, y + 45), 40)
    pygame.display.update()


def main():
    pygame.init()
    screen = pygame.display.set_mode((COLS * SQUARE, (ROWS + 1) * SQUARE))
    board = create_board()
    turn = random.choice([PLAYER, AI])
    while True:
        draw(screen, board)
        if turn == AI:
            drop_piece(board, best_column(board), AI)
            turn = PLAYER
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                sys.exit()
            if event.type == pygame.MOUSEBUTTONDOWN and turn == PLAYER:
                drop_piece(board, event.pos[0] // SQUARE, PLAYER)
                turn = AI
        if winning_move(board, PLAYER) or winning_move(board, AI):
            break


if __name__ == "__main__":
    main()
