"""The names of downloads: the game, a short position, K and the algorithm, as the sample trees are named."""

from typing import Any

from engine.core.file_names import make_file_name
from engine.games.capabilities import declared_name
from engine.question import Question
from engine.record.columns import ROOT

MAX_GAME_CHARS, MAX_POSITION_CHARS = 24, 12  # longer texts are left out of a name


def search_file_name(question: Question, extension: str, root: int = ROOT, plies: int | None = None) -> str:
    """Return the name of the tree of a search, or of the subtree of a node down to some plies.

    >>> from engine import connect, literal, preset
    >>> search_file_name(Question(connect(), depth=4), ".svg"), search_file_name(Question(preset("k-tables"), "334", 3), ".txt")
    ('connect4-K4-alphabeta.svg', 'k-tables-334-K3-alphabeta.txt')
    >>> search_file_name(Question(literal([3, [5, 2]]), algorithm="mtdf"), ".dot", root=7, plies=2)
    'tree-mtdf-node7-2plies.dot'
    """
    K = None if question.depth is None else f"K{question.depth}"
    part = [f"node{root}" if root != ROOT else "", "" if plies is None else f"{plies}plies"]
    return make_file_name([*position_file_parts(question), K or "", question.algorithm, *part], extension)


def position_file_parts(question: Question) -> list[str]:
    """Return the game and the position of a question, for the name of a file. A long position is left out."""
    position = question.position_text or ""
    return [game_file_part(question.game), position if len(position) <= MAX_POSITION_CHARS else ""]


def game_file_part(game: Any) -> str:
    """Return a game, or its name, for the name of a file: without its options if they are long.

    >>> game_file_part("nim:3,4,5"), game_file_part("connect:rows=4,cols=5,connect=4,rule=first"), game_file_part("tree:[3,5]")
    ('nim:3,4,5', 'connect', 'tree')
    """
    name = game if isinstance(game, str) else declared_name(game)
    return name if len(name) <= MAX_GAME_CHARS and "[" not in name else name.partition(":")[0][:MAX_GAME_CHARS]
