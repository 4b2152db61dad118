"""Names of games, evaluations and rules, each with one line of explanation: for forms, lists and headlines."""

from engine.games.capabilities import declared_title
from engine.games.game_types import ChoiceField
from engine.games.registry import GAME_TYPES, read_game

PRESET_LABELS = {name: kind.label for name, kind in GAME_TYPES.items() if kind.published}
PRESET_LINES = {name: kind.line for name, kind in GAME_TYPES.items() if kind.published}


DEPTH_TERM = (
    "**K**, the depth of a search, is how many moves it looks ahead, those of both sides counted. *end* searches to the end of "
    "the game. The pseudo-code counts these moves down as *plies*"
)


def game_lines() -> dict[str, str]:
    """Return the lines of the games that are not presets, by an example text of each."""
    return {kind.example or name: kind.line for name, kind in GAME_TYPES.items() if kind.listed and not kind.published}


def list_explained_choices() -> list[ChoiceField]:
    """Return the choice fields of games whose options are explained, without duplicates."""
    fields = {id(field): field for kind in GAME_TYPES.values() for field in kind.fields}
    return [field for field in fields.values() if isinstance(field, ChoiceField) and field.list_title]


def evaluation_lines() -> dict[str, str]:
    """Return the line of explanation of every evaluation, for games with several."""
    fields = [field for field in list_explained_choices() if field.name == "evaluation"]
    return {name: line for field in fields for name, line in (field.lines or {}).items()}


def game_type_name(game: str) -> str:
    """Return the game type in the text of a game: a key of GAME_TYPES."""
    return game.partition(":")[0]


def game_name(text: str) -> str:
    """Return the name of a game for people. Presets keep the names they have in links.

    >>> game_name("connect4"), game_name("connect:rows=4,cols=5,rule=count"), game_name("nim:1,2,3")
    ('Connect 4', 'Connect 4 on 4 rows × 5 columns, lines are counted', 'Nim 1, 2, 3')
    >>> game_name("tree:[[3,12,8],[2,4,6],[14,5,2]]"), game_name("tree:[3,1]"), game_name("tree-min:[3,1]")
    ('Textbook tree', 'Tree of 2 leaves', 'Tree of 2 leaves, MIN first')
    """
    return declared_title(read_game(text)) or text
