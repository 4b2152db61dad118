"""An example game. The players take 1, 2 or 3 sticks in turn. The player who takes the last stick wins.

    plyscope search FILE.py:Game --depth 5        search it and show the result
    plyscope compare FILE.py:Game --depths 1-6    compare minimax with alpha-beta
    plyscope play FILE.py:Game                    play against it
    pytest FILE.py                                run the test at the end

A game has six methods. A state can be any value; here it is (sticks left, True if MAX is to move).
"""


class Game:
    sticks = 7

    def start(self):
        """Return the first state."""
        return self.sticks, True

    def moves(self, state):
        """Return a list of the legal moves. The search tries them in this order. It is empty only if the game is over."""
        left, _ = state
        return [taken for taken in (1, 2, 3) if taken <= left]

    def play(self, state, move):
        """Return the state after a move, as a new value. Never change the old state: the search still needs it."""
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
        """Return the value of a state for MAX, a finite number: at the end of the game and at the depth limit."""
        left, max_to_move = state
        if left > 0:
            return 0
        return -1 if max_to_move else 1  # the other side took the last stick and won


def test_the_player_who_faces_a_multiple_of_four_loses():
    from engine import search

    for sticks in range(1, 10):
        game = Game()
        game.sticks = sticks
        assert search(game, depth=sticks).root.value == (-1 if sticks % 4 == 0 else 1)
