"""Game-tree search that records every node it expands.

Names are loaded on first use, so a search loads only the modules that it needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.algorithms import ALGORITHMS
    from engine.algorithms.spec import Algorithm
    from engine.algorithms.templates import CodeLine
    from engine.analysis.comparison import compare
    from engine.analysis.comparison_result import Comparison
    from engine.analysis.node_estimate import estimate
    from engine.checker.watch import watch
    from engine.core.errors import PlyscopeError
    from engine.games import chance, connect, literal, nim, tictactoe
    from engine.games.game_types import GameType, Kind
    from engine.games.presets import preset
    from engine.games.random_trees import random_tree
    from engine.question import Question
    from engine.searcher import continue_search, search
    from engine.solver.solver import solve
    from engine.tree.node import Node
    from engine.tree.parquet_file import load, save
    from engine.tree.trace import Trace
    from engine.tree.tree import SearchTree

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "CodeLine",
    "Comparison",
    "GameType",
    "Kind",
    "Node",
    "PlyscopeError",
    "Question",
    "SearchTree",
    "Trace",
    "chance",
    "compare",
    "connect",
    "continue_search",
    "estimate",
    "literal",
    "load",
    "nim",
    "preset",
    "random_tree",
    "save",
    "search",
    "solve",
    "tictactoe",
    "watch",
]

WHERE = {
    "ALGORITHMS": "algorithms",
    "Algorithm": "algorithms.spec",
    "CodeLine": "algorithms.templates",
    "Comparison": "analysis.comparison_result",
    "GameType": "games.game_types",
    "Kind": "games.game_types",
    "Node": "tree.node",
    "PlyscopeError": "core.errors",
    "Question": "question",
    "SearchTree": "tree.tree",
    "Trace": "tree.trace",
    "chance": "games.tree_formats.chance_lists",
    "compare": "analysis.comparison",
    "connect": "games",
    "continue_search": "searcher",
    "estimate": "analysis.node_estimate",
    "literal": "games",
    "load": "tree.parquet_file",
    "nim": "games",
    "preset": "games.presets",
    "random_tree": "games.random_trees",
    "save": "tree.parquet_file",
    "search": "searcher",
    "solve": "solver.solver",
    "tictactoe": "games",
    "watch": "checker.watch",
}


def __getattr__(name: str) -> Any:
    if name not in WHERE:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    found = getattr(import_module(f"engine.{WHERE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, so that tab completion shows them before they are loaded."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
