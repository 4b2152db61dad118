import math
import random


class Node:
    def __init__(self, board, parent=None, move=None):
        self.board, self.parent, self.move = board, parent, move
        self.children, self.untried = [], board.moves()
        self.visits, self.wins = 0, 0.0

    def ucb(self, c=1.4):
        return self.wins / self.visits + c * math.sqrt(math.log(self.parent.visits) / self.visits)


class MCTS:
    def __init__(self, iterations=60):
        self.iterations = iterations

    def get_move(self, board):
        root = Node(board)
        for _ in range(self.iterations):
            node = self.select(root)
            node = self.expand(node)
            winner = self.simulate(node.board)
            self.backpropagate(node, winner)
        return max(root.children, key=lambda child: child.visits).move

    def select(self, node):
        while not node.untried and node.children:
            node = max(node.children, key=Node.ucb)
        return node

    def expand(self, node):
        if not node.untried:
            return node
        move = node.untried.pop(random.randrange(len(node.untried)))
        child = Node(node.board.play(move), node, move)
        node.children.append(child)
        return child

    def simulate(self, board):
        while board.moves():
            board = board.play(random.choice(board.moves()))
        return board.winner()

    def backpropagate(self, node, winner):
        while node is not None:
            node.visits += 1
            if winner is None:
                node.wins += 0.5
            elif winner != node.board.turn:
                node.wins += 1
            node = node.parent
