"""Othello on a 6 x 6 board. A new disc flips the opposing discs in line between it and another disc of its colour.

MAX (black, x) begins.

    plyscope search FILE.py:Game --depth 4 -o tree.svg --boards
    plyscope play FILE.py:Game --depth 4
    plyscope tournament FILE.py:Game --depths 1-3

A state is (cells, side): 36 cells row by row, 0 empty, 1 black, 2 white, and the side to move. A move is a cell like
"c4", or "no move" if no disc can be flipped. The game is over when neither side can flip anything.
"""

from engine.games.boards import EMPTY, MAX, MIN, Board, Piece

SIZE = 6
COLUMNS = "abcdef"
BLACK, WHITE = 1, 2
NO_MOVE = "no move"
DIRECTIONS = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]
START_DISCS = {14: WHITE, 15: BLACK, 20: BLACK, 21: WHITE}  # the four cells in the middle
CORNERS = (0, 5, 30, 35)


class Game:
    title = "Othello 6 × 6"

    # ---- the six methods that a search needs

    def start(self):
        return tuple(START_DISCS.get(cell, 0) for cell in range(SIZE * SIZE)), BLACK

    def moves(self, state):
        return [cell_name(cell) for cell in range(SIZE * SIZE) if flipped_discs(state, cell)] or [NO_MOVE]

    def play(self, state, move):
        cells, side = list(state[0]), state[1]
        if move != NO_MOVE:
            cell = cell_number(move)
            for changed in (cell, *flipped_discs(state, cell)):
                cells[changed] = side
        return tuple(cells), 3 - side

    def is_over(self, state):
        return self.moves(state) == [NO_MOVE] and self.moves((state[0], 3 - state[1])) == [NO_MOVE]

    def maximizing(self, state):
        return state[1] == BLACK

    def evaluate(self, state):
        """Return the value of a state for MAX.

        At the end the discs count. Before that, corners and the number of possible moves count: having many discs early
        is not an advantage.
        """
        cells = state[0]
        if self.is_over(state):
            return 100 * (cells.count(BLACK) - cells.count(WHITE))
        corners = sum((cells[corner] == BLACK) - (cells[corner] == WHITE) for corner in CORNERS)
        black, white = (sum(bool(flipped_discs((cells, who), cell)) for cell in range(SIZE * SIZE)) for who in (BLACK, WHITE))
        return 10 * corners + black - white

    # ---- optional: a board to see and to click on

    def board(self, state):
        return Board(state[0], SIZE, SIZE, (EMPTY, Piece("x", MAX), Piece("o", MIN)), labels=tuple(COLUMNS))

    def cell_of(self, move):
        return None if move == NO_MOVE else cell_number(move)


def flipped_discs(state, cell):
    """Return the discs that a disc in this cell would flip; none if the cell is occupied."""
    cells, side = state
    found = []
    for down, across in DIRECTIONS if cells[cell] == 0 else ():
        line = []
        row, column = cell // SIZE + down, cell % SIZE + across
        while 0 <= row < SIZE and 0 <= column < SIZE and cells[row * SIZE + column] == 3 - side:
            line.append(row * SIZE + column)
            row, column = row + down, column + across
        if 0 <= row < SIZE and 0 <= column < SIZE and cells[row * SIZE + column] == side:
            found += line
    return found


def cell_name(cell):
    return f"{COLUMNS[cell % SIZE]}{cell // SIZE + 1}"


def cell_number(name):
    return (int(name[1]) - 1) * SIZE + COLUMNS.index(name[0])


def test_the_first_moves_turn_one_disc_each():
    game = Game()
    assert game.moves(game.start()) == ["c2", "b3", "e4", "d5"]
    for move in game.moves(game.start()):
        cells, _ = game.play(game.start(), move)
        assert (cells.count(BLACK), cells.count(WHITE)) == (4, 1)


def test_alpha_beta_finds_the_value_of_minimax():
    from engine import search

    values = {search(Game(), depth=3, algorithm=name).root.value for name in ("minimax", "alphabeta")}
    assert len(values) == 1
