"""The former name of engine.matches.players, for programs that import it."""

from engine.games.declarations import WinsOnly, wins_only
from engine.matches.players import (
    Choice,
    Human,
    RandomPlayer,
    SearchPlayer,
    check_player,
    played_by,
    player_text,
    random_choice,
    read_player,
    search_choice,
)

__all__ = [
    "Choice",
    "Human",
    "RandomPlayer",
    "SearchPlayer",
    "WinsOnly",
    "check_player",
    "played_by",
    "player_text",
    "random_choice",
    "read_player",
    "search_choice",
    "wins_only",
]
