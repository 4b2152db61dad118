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


def negamax(node, alpha, beta, sign):
    # fail-hard: the answer always lies in [alpha, beta]
    if node.is_leaf():
        return max(alpha, min(beta, sign * node.value))
    for child in node.children:
        score = -negamax(child, -beta, -alpha, -sign)
        if score >= beta:
            return beta
        if score > alpha:
            alpha = score
    return alpha


def best_child(root, big=1000):
    alpha = -big
    choice = None
    for child in root.children:
        score = -negamax(child, -big, -alpha, -1)
        if score > alpha:
            alpha = score
            choice = child
    return alpha, choice


def print_tree(node, indent=0):
    print("  " * indent + node.name, "" if node.value is None else node.value)
    for c in node.children:
        print_tree(c, indent + 1)


if __name__ == "__main__":
    print_tree(tree)
    print("nodes in the tree:", count(tree))
    print("best:", best_child(tree))
