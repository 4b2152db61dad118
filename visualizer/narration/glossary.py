"""What games, evaluations and rules are called, and what each is in one line: for forms, lists and headlines."""

from engine.games.capabilities import title_of
from engine.games.game_types import ChoiceField
from engine.games.registry import KINDS, read_game

PRESET_LINES = {name: kind.line for name, kind in KINDS.items() if kind.published}


def game_lines() -> dict[str, str]:
    """The other games, each by an example of its text."""
    return {kind.example or name: kind.line for name, kind in KINDS.items() if kind.listed and not kind.published}


def explained_choices() -> list[ChoiceField]:
    """What can be chosen about games and is told choice by choice, each once."""
    fields = {id(field): field for kind in KINDS.values() for field in kind.fields}
    return [field for field in fields.values() if isinstance(field, ChoiceField) and field.list_title]


def evaluation_lines() -> dict[str, str]:
    """All evaluations of games that have several."""
    fields = [field for field in explained_choices() if field.name == "evaluation"]
    return {name: line for field in fields for name, line in (field.lines or {}).items()}


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
    return title_of(read_game(text)) or text
