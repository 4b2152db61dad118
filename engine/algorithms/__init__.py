"""The algorithms, in the order of the ladder: a new one is a module here and a line below."""

from engine.algorithms import alphabeta, minimax
from engine.algorithms.facts import Algorithm

ALGORITHMS: dict[str, Algorithm] = {algorithm.name: algorithm for algorithm in (minimax.MINIMAX, alphabeta.ALPHABETA)}
