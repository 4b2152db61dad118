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


def alphabeta_search(root):
    """Best child of the root (MAX moves first). The search is a closure."""
    visited = 0
    best_child = None

    def value(node, alpha, beta, is_max):
        nonlocal visited, best_child
        visited += 1
        if node.is_leaf():
            return node.value
        best = -inf if is_max else inf
        for child in node.children:
            v = value(child, alpha, beta, not is_max)
            if is_max and v > best:
                best = v
                if node is root:
                    best_child = child
            elif not is_max and v < best:
                best = v
            if is_max:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    result = value(root, -inf, inf, True)
    print("visited", visited, "nodes")
    return result, best_child


def print_tree(node, indent=0):
    print("  " * indent + node.name, "" if node.value is None else node.value)
    for c in node.children:
        print_tree(c, indent + 1)


if __name__ == "__main__":
    print_tree(tree)
    print("nodes in the tree:", count(tree))
    print("best:", alphabeta_search(tree))
