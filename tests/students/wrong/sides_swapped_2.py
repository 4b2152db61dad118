import random
from math import inf


class Node:
    """A node of a game tree with a value at the leaves."""

    def __init__(self, name, value=None):
        self.name = name
        self.value = value
        self.children = []

    def add(self, child):
        self.children.append(child)
        return child

    def is_leaf(self):
        return len(self.children) == 0

    def __repr__(self):
        return "Node(%s)" % self.name


def build(name, height, rng):
    if height == 0:
        return Node(name, rng.randint(-20, 20))
    node = Node(name)
    for i in range(rng.choice([2, 3, 4])):
        node.add(build(name + "abcd"[i], height - 1, rng))
    return node


def count(node):
    return 1 + sum(count(c) for c in node.children)


tree = build("r", 5, random.Random(7))


def minimax(node, alpha, beta, is_maximizing):
    if node.is_leaf():
        return node.value
    if is_maximizing:
        best = inf
        for child in node.children:
            best = min(best, minimax(child, alpha, beta, False))
            beta = min(beta, best)
            if alpha >= beta:
                break
    else:
        best = -inf
        for child in node.children:
            best = max(best, minimax(child, alpha, beta, True))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    return best


def print_tree(node, indent=0):
    print("  " * indent + node.name, "" if node.value is None else node.value)
    for c in node.children:
        print_tree(c, indent + 1)


if __name__ == "__main__":
    print_tree(tree)
    print("nodes in the tree:", count(tree))
    print("best:", minimax(tree, -inf, inf, True))
