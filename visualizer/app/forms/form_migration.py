"""Changing the game of a form: every move that is still legal survives, and K where it still makes sense."""

from typing import Any, NamedTuple

from engine.core.errors import PlyscopeError
from engine.core.parsing import read_depths
from engine.games.capabilities import has_leaf_values_only, has_single_digit_moves, plies_to_end, position_prefixes
from engine.games.positions import name_legal_prefix, name_moves, read_moves, read_position, write_moves
from engine.games.registry import GAME_TYPES
from visualizer.app.state.large_trees import read_page_game
from visualizer.narration.move_text import describe_moves


class MigratedText(NamedTuple):
    """A text for the new game, and a sentence about what could not be kept; empty if everything was."""

    text: str
    lost: str = ""


def migrate_moves(moves: str, before: Any, after: Any) -> MigratedText:
    """Return the moves of a position of one game as moves of another, up to the first that is not legal there.

    >>> from engine import connect
    >>> migrate_moves("3316", connect(), connect(rows=4, cols=5))
    MigratedText(text='331', lost='Move 6 cannot be played here: the position is after 3, 3, 1.')
    """
    if not moves:
        return MigratedText("")
    for beginning, whose in position_prefixes(before).items():
        if moves.startswith(beginning):
            readable = beginning in position_prefixes(after)
            return MigratedText(moves) if readable else MigratedText("", f"{whose}: the position is the start.")
    if type(before) is not type(after):
        return MigratedText("", f"The moves ({describe_moves(before, moves)}) belong to another game: the position is the start.")
    try:
        wanted = read_moves(moves, has_single_digit_moves(before))
    except PlyscopeError:
        return MigratedText("", f"{moves[:40]!r} could not be read as moves: the position is the start.")
    legal = wanted[: len(name_legal_prefix(after, wanted))]
    text = write_moves(legal, has_single_digit_moves(after))
    if len(legal) == len(wanted):
        return MigratedText(text)
    where = f"after {describe_moves(after, text)}" if legal else "the start"
    return MigratedText(text, f"Move {name_moves(after, wanted)[len(legal)]} cannot be played here: the position is {where}.")


def migrate_depths(depths: str, before: Any, after: Any, moves: str, usual: str) -> MigratedText:
    """Return the depths asked for one game as depths for a position of another; `usual` if they make no sense there.

    >>> from engine import connect, literal
    >>> migrate_depths("5", connect(), connect(rows=4, cols=5), "", "4").text
    '5'
    >>> migrate_depths("1", connect(), literal([[1, 2], [3]]), "", "end")
    MigratedText(text='end', lost='K = 1 does not reach all leaves of this tree: it is searched to the end.')
    """
    try:
        listed = read_depths(depths)
    except PlyscopeError:  # the form shows this error
        return MigratedText(depths)
    if has_leaf_values_only(after):
        height = plies_to_end(after, read_position(after, migrate_moves(moves, after, after).text))
        if any(depth is not None and depth < height for depth in listed):
            return MigratedText("end", f"K = {depths} does not reach all leaves of this tree: it is searched to the end.")
    elif None in listed and type(before) is not type(after):
        return MigratedText(usual, f"Only small games are searched to the end: here K = {usual}.")
    return MigratedText(depths)


def migrate_game(kind: str, before: str) -> str:
    """Return a game of another type: as similar to the one before as possible, else the example of the new type.

    >>> migrate_game("connect", "k-tables")
    'connect:rule=count,evaluation=chains'
    >>> migrate_game("tree-min", "tree:[1,2]"), migrate_game("threats", "connect:rows=4")
    ('tree-min:[1,2]', 'threats')
    """
    wanted = GAME_TYPES[kind]
    most_alike = wanted.like(read_page_game(before)) if wanted.like else None
    return most_alike or wanted.example or kind
