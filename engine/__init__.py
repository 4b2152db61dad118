"""Game-tree search that records every node it expands."""

from engine.errors import PlyscopeError
from engine.estimation import estimate
from engine.games import connect, literal, nim, tictactoe
from engine.node import Node
from engine.presets import preset
from engine.searcher import search
from engine.trace import Trace
from engine.tree import SearchTree

__all__ = [
    "Node",
    "PlyscopeError",
    "SearchTree",
    "Trace",
    "connect",
    "estimate",
    "literal",
    "nim",
    "preset",
    "search",
    "tictactoe",
]
