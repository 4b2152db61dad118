"""What games, evaluations, rules and algorithms are called, and what each is in one line: for forms, lists and headlines."""

import inspect
from collections.abc import Callable
from typing import Any

from engine.games.connect import Connect
from engine.games.connect_evaluations import EVALUATIONS
from engine.games.literal import Literal
from engine.games.nim import Nim
from engine.games.presets import PRESETS
from engine.games.registry import OTHER_GAMES, read_game
from engine.games.tictactoe import TicTacToe

TEXTBOOK = "tree:[[3,12,8],[2,4,6],[14,5,2]]"
RULES = {
    "first": "the first line wins, a full board is a draw",
    "count": "play until the board is full, then the lines of either side are counted",
}
QUIRKS = {
    "k-tables": "No full-board test: a full board with plies left is worth −2147483648.",
    "threats": "Every move at the root is searched with a fresh window: nothing is pruned between them.",
    "full-depth": "The pseudo-code as typed: MIN starts at 0, a finished game with plies left is worth 0.",
    "long-state": "The search is the same; only the counting differs.",
    "connect-m": "This program has no quirk.",
}


def one_line(thing: Callable[..., Any]) -> str:
    """The first paragraph of its description, without a full stop."""
    paragraph = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).removesuffix(".")


PRESET_LINES = {name: one_line(make) for name, make in PRESETS.items()}
EVALUATION_LINES = {name: one_line(make) for name, make in EVALUATIONS.items()}

KINDS = {
    "connect4": "Connect 4",
    **{name: f"{name} ({line[:1].lower()}{line[1:].partition(';')[0]})" for name, line in PRESET_LINES.items()},
    "connect": "Connect, any board",
    "tictactoe": "Tic-tac-toe",
    "nim": "Nim",
    "tree": "A tree of numbers, MAX first",
    "tree-min": "A tree of numbers, MIN first",
}


def kind_line(kind: str) -> str:
    """What a kind of game is, in one line."""
    if kind in PRESET_LINES:
        return PRESET_LINES[kind]
    listed = kind.removesuffix("-min")
    return next(line for text, line in OTHER_GAMES.items() if text.partition(":")[0] == listed)


def kind_of_text(game: str) -> str:
    """The kind of game that a text names: one of KINDS."""
    return game.partition(":")[0]


def game_name(text: str) -> str:
    """A game for people; presets keep the names they have in links.

    >>> game_name("connect4"), game_name("connect:rows=4,cols=5,rule=count"), game_name("nim:1,2,3")
    ('Connect 4', 'Connect 4 on 4 rows × 5 columns, lines are counted', 'Nim 1, 2, 3')
    >>> game_name("tree:[[3,12,8],[2,4,6],[14,5,2]]"), game_name("tree:[3,1]"), game_name("tree-min:[3,1]")
    ('Textbook tree', 'A tree of your own', 'A tree of your own, MIN first')
    """
    game = read_game(text)
    if isinstance(game, TicTacToe):
        return KINDS["tictactoe"]
    if isinstance(game, Nim):
        return f"Nim {', '.join(map(str, game.heaps))}"
    if isinstance(game, Literal):
        return "Textbook tree" if game.name == TEXTBOOK else "A tree of your own" + ("" if game.max_first else ", MIN first")
    if not isinstance(game, Connect) or game.preset:
        return text
    return ", ".join(_connect_words(text, game))


def _connect_words(text: str, game: Connect) -> list[str]:
    board = "" if (game.rows, game.cols) == (6, 7) else f" on {game.rows} rows × {game.cols} columns"
    words = [f"Connect {game.connect}{board}"]
    if game.rule == "count":
        words.append("lines are counted")
    options = dict(piece.partition("=")[::2] for piece in text.partition(":")[2].split(",") if piece)
    words += [f"evaluation {options['evaluation']}"] if "evaluation" in options else []
    words += [f"child order {options['order']}"] if "order" in options else []
    return words
