import pygame

from algorithm import minimax
from game import Isolation

FPS = 30
WIN = pygame.display.set_mode((400, 300))
pygame.display.set_caption("Isolation")


def main():
    clock = pygame.time.Clock()
    game, turn, run = Isolation(), "A", True
    while run:
        clock.tick(FPS)
        if turn == "A":
            value, game = minimax(game, 3, True)
            turn = "B"
        if game.winner(turn) is not None:
            print(game.winner(turn))
            run = False
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                run = False
            if event.type == pygame.MOUSEBUTTONDOWN and turn == "B":
                x, y = pygame.mouse.get_pos()
                if (y // 100, x // 100) in game.moves("B"):
                    game.move("B", (y // 100, x // 100))
                    turn = "A"
        pygame.display.flip()
    pygame.quit()


main()
