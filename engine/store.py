"""The former name of engine.matches.game_store, for programs that import it."""

from engine.matches.game_store import BadStore, Store, read_games

__all__ = ["BadStore", "Store", "read_games"]
