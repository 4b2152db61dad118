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


def minimax(board, depth, alpha, beta, maximizingPlayer):
    if winning_move(board, AI):
        return (None, 10000)
    if winning_move(board, PLAYER):
        return (None, -10000)
    columns = valid_columns(board)
    if not columns:
        return (None, 0)
    if depth == 0:
        return (None, score_position(board, AI))
    column = columns[0]
    if maximizingPlayer:
        value = -math.inf
        for col in columns:
            b_copy = board.copy()
            drop_piece(b_copy, col, AI)
            new_score = minimax(b_copy, depth - 1, alpha, beta, False)[1]
            if new_score > value:
                value = new_score
                column = col
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return column, value
    else:
        value = math.inf
        for col in columns:
            b_copy = board.copy()
            drop_piece(b_copy, col, PLAYER)
            new_score = minimax(b_copy, depth - 1, alpha, beta, True)[1]
            if new_score < value:
                value = new_score
                column = col
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return column, value


pygame.init()
screen = pygame.display.set_mode((COLS * SQUARE, (ROWS + 1) * SQUARE))
pygame.display.set_caption("Connect Four")
board = create_board()
turn = PLAYER
running = True

while running:
    for event in pygame.event.get():
        if event.type == pygame.QUIT:
            running = False
        if event.type == pygame.MOUSEBUTTONDOWN and turn == PLAYER:
            column = event.pos[0] // SQUARE
            if column in valid_columns(board):
                drop_piece(board, column, PLAYER)
                turn = AI
    if turn == AI and not winning_move(board, PLAYER):
        drop_piece(board, minimax(board, 4, -math.inf, math.inf, True)[0], AI)
        turn = PLAYER
    for r in range(ROWS):
        for c in range(COLS):
            pygame.draw.rect(screen, BLUE, (c * SQUARE, (ROWS - r) * SQUARE, SQUARE, SQUARE))
            pygame.draw.circle(screen, COLORS[board[r][c]], (c * SQUARE + 45, (ROWS - r) * SQUARE + 45), 40)
    pygame.display.update()
    if winning_move(board, PLAYER) or winning_move(board, AI) or not valid_columns(board):
        print("game over")
        running = False

pygame.quit()
sys.exit()
