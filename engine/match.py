"""The former name of engine.matches.match, for programs that import it."""

from engine.matches.match import Hint, Match, hints, starting_side

__all__ = ["Hint", "Match", "hints", "starting_side"]
