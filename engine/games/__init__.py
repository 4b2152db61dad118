"""The games: rules, evaluations, presets, and the texts that name them.

Imports `engine.core` only. Start with `protocol.py` (the six methods of a game), then `capabilities.py` (all that a game may
declare) and `registry.py` (games by name).
"""

from engine.games.connect.rules import connect
from engine.games.literal import literal
from engine.games.nim import nim
from engine.games.tictactoe import tictactoe
from engine.games.tree_formats.chance_lists import chance

__all__ = ["chance", "connect", "literal", "nim", "tictactoe"]
