"""The games that come with Plyscope."""

from engine.games.connect import connect
from engine.games.literal import literal
from engine.games.nim import nim
from engine.games.tictactoe import tictactoe

__all__ = ["connect", "literal", "nim", "tictactoe"]
