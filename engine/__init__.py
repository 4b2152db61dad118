"""Game-tree search that records every node it expands.

What is offered here is loaded when it is first asked for: a search loads what a search needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.algorithms import ALGORITHMS
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
    "ALGORITHMS",
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

WHERE = {
    "ALGORITHMS": "algorithms",
    "Comparison": "compared",
    "Node": "node",
    "PlyscopeError": "errors",
    "SearchTree": "tree",
    "Trace": "trace",
    "compare": "comparison",
    "connect": "games",
    "estimate": "estimation",
    "literal": "games",
    "nim": "games",
    "preset": "presets",
    "search": "searcher",
    "tictactoe": "games",
}


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    found = getattr(import_module(f"engine.{WHERE[name]}"), name)
    globals()[name] = found
    return found
