"""Game-tree search that records every node it expands."""

from engine.compared import Comparison
from engine.comparison import compare
from engine.errors import PlyscopeError
from engine.estimation import estimate
from engine.games import connect, literal, nim, tictactoe
from engine.node import Node
from engine.presets import preset
from engine.searcher import search
from engine.trace import Trace
from engine.tree import SearchTree

__all__ = [
    "Comparison",
    "Node",
    "PlyscopeError",
    "SearchTree",
    "Trace",
    "compare",
    "connect",
    "estimate",
    "literal",
    "nim",
    "preset",
    "search",
    "tictactoe",
]
