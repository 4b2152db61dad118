"""Searches as text, as in URLs and forms."""

from engine import Question
from engine.games.registry import read_game


def make_question(game="k-tables", moves="3", first="", algorithm="alphabeta", depth=3, strict=False, published=False):
    options = {"cut_on_equal": not strict, "as_published": published}
    return Question(read_game(game), moves or None, depth, algorithm, first=first or None, **options)
