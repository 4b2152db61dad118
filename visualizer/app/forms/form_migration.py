"""What of a question survives when its game is changed: every move that is still legal, and K where it still makes sense."""

from typing import Any, NamedTuple

from engine.core.errors import PlyscopeError
from engine.core.parsing import read_depths
from engine.games.capabilities import only_leaves_count, other_positions, plies_to_end, single_digits
from engine.games.positions import legal_beginning, names_of_moves, read_moves, read_position, write_moves
from engine.games.registry import KINDS
from visualizer.app.state.large_trees import game_on_page
from visualizer.narration.move_text import spoken_moves


class Carried(NamedTuple):
    """A text for the new game, and a sentence about what could not be kept; empty if everything was."""

    text: str
    lost: str = ""


def carried_moves(moves: str, before: Any, after: Any) -> Carried:
    """The moves of a position of one game as moves of another, up to the first that is not legal there.

    >>> from engine import connect
    >>> carried_moves("3316", connect(), connect(rows=4, cols=5))
    Carried(text='331', lost='Move 6 cannot be played here: the position is after 3, 3, 1.')
    """
    if not moves:
        return Carried("")
    for beginning, whose in other_positions(before).items():
        if moves.startswith(beginning):
            readable = beginning in other_positions(after)
            return Carried(moves) if readable else Carried("", f"{whose}: the position is the start.")
    if type(before) is not type(after):
        return Carried("", f"What was played ({spoken_moves(before, moves)}) is of another game: the position is the start.")
    try:
        wanted = read_moves(moves, single_digits(before))
    except PlyscopeError:
        return Carried("", f"{moves[:40]!r} could not be read as moves: the position is the start.")
    kept = wanted[: len(legal_beginning(after, wanted))]
    text = write_moves(kept, single_digits(after))
    if len(kept) == len(wanted):
        return Carried(text)
    where = f"after {spoken_moves(after, text)}" if kept else "the start"
    return Carried(text, f"Move {names_of_moves(after, wanted)[len(kept)]} cannot be played here: the position is {where}.")


def carried_depths(depths: str, before: Any, after: Any, moves: str, usual: str) -> Carried:
    """Depths asked for one game as depths for a position of another; `usual` is what that game has if they make no sense there.

    >>> from engine import connect, literal
    >>> carried_depths("5", connect(), connect(rows=4, cols=5), "", "4").text
    '5'
    >>> carried_depths("1", connect(), literal([[1, 2], [3]]), "", "end")
    Carried(text='end', lost='K = 1 would end above leaves of this tree: it is searched to the end.')
    """
    try:
        listed = read_depths(depths)
    except PlyscopeError:  # said where it is typed
        return Carried(depths)
    if only_leaves_count(after):
        height = plies_to_end(after, read_position(after, carried_moves(moves, after, after).text))
        if any(depth is not None and depth < height for depth in listed):
            return Carried("end", f"K = {depths} would end above leaves of this tree: it is searched to the end.")
    elif None in listed and type(before) is not type(after):
        return Carried(usual, f"A search to the end is for small games: K = {usual} here.")
    return Carried(depths)


def carried_game(kind: str, before: str) -> str:
    """The game of another kind to begin with: as much of the one before as is the same there, else what this kind usually has.

    >>> carried_game("connect", "k-tables")
    'connect:rule=count,evaluation=chains'
    >>> carried_game("tree-min", "tree:[1,2]"), carried_game("threats", "connect:rows=4")
    ('tree-min:[1,2]', 'threats')
    """
    wanted = KINDS[kind]
    most_alike = wanted.like(game_on_page(before)) if wanted.like else None
    return most_alike or wanted.example or kind
