"""A game of your own: some sticks, each side takes 1, 2 or 3 of them, and who takes the last one wins.

    plyscope search FILE.py:Game --depth 5        show what the search expands
    plyscope compare FILE.py:Game --depths 1-6    compare minimax with alpha-beta
    plyscope play FILE.py:Game                    play against it
    pytest FILE.py                                run the test at the end

A game has six methods. A state is whatever you like; here it is (sticks left, whether MAX is to move).
"""


class Game:
    sticks = 7

    def start(self):
        """Return the first state."""
        return self.sticks, True

    def moves(self, state):
        """Return the legal moves, as a list: the search tries them in this order. Never empty unless the game is over."""
        left, _ = state
        return [taken for taken in (1, 2, 3) if taken <= left]

    def play(self, state, move):
        """Return the state after a move: a new one. The old one is still needed, so never change a list inside it."""
        left, max_to_move = state
        return left - move, not max_to_move

    def is_over(self, state):
        """Return True if the game has ended."""
        left, _ = state
        return left == 0

    def maximizing(self, state):
        """Return True if MAX is to move."""
        _, max_to_move = state
        return max_to_move

    def evaluate(self, state):
        """Return the value of a state for MAX, at the end of the game and where the search stops: a finite number."""
        left, max_to_move = state
        if left > 0:
            return 0
        return -1 if max_to_move else 1  # who is to move has lost: the other side took the last stick


def test_who_faces_a_multiple_of_four_loses():
    from engine import search

    for sticks in range(1, 10):
        game = Game()
        game.sticks = sticks
        assert search(game, depth=sticks).root.value == (-1 if sticks % 4 == 0 else 1)
