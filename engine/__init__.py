"""Game-tree search that records every node it expands."""

from engine.errors import PlyscopeError
from engine.games import connect, literal, nim, tictactoe
from engine.presets import preset
from engine.searcher import search
from engine.tree import Node, SearchTree

__all__ = ["Node", "PlyscopeError", "SearchTree", "connect", "literal", "nim", "preset", "search", "tictactoe"]
