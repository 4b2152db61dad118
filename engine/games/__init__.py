"""The games: rules, evaluations, presets, and the texts that name them.

Imports `engine.core` only. Start with `protocol.py` (the six methods of a game), then `capabilities.py` (all that a game may
declare) and `registry.py` (games by name).
"""

from engine.games.connect.rules import connect
from engine.games.literal import literal
from engine.games.nim import nim
from engine.games.tictactoe import tictactoe

__all__ = ["connect", "literal", "nim", "tictactoe"]
