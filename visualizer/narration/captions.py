"""What was searched and what came out, in two short lines for the head of an export."""

from typing import Any

from engine.algorithms import ALGORITHMS
from engine.games.capabilities import name_of, sources_of
from engine.record.columns import ROOT
from engine.tree.node import Node
from engine.tree.tree import SearchTree
from visualizer.narration.escapes import plain
from visualizer.narration.move_text import in_a_list
from visualizer.narration.numbers import counted, file_number
from visualizer.narration.sentences import in_words
from visualizer.narration.text_width import short

SIGNS = {"exact": "", "lower": "≥", "upper": "≤", "open": "?"}  # before a value, by what it proves; in the order of BOUND_NAMES
HOW_LEFT = {  # how a search left a node, for people; in the order of STATUS_NAMES
    "open": "not finished",
    "terminal": "game over",
    "horizon": "depth limit K",
    "exhausted": "all moves tried",
    "cutoff": "cutoff",
    "table": "answered from the table",
}
HOW_LEFT_BEYOND = {  # the same at and beyond the depth limit, in a search with quiescence
    "noisy": "all noisy moves tried",
    "quiet": "no noisy move",
    "limit": "last ply of quiescence",
}
LONGEST = 120  # characters of a game's name
ONE_SIDE = "{side} is to move at all {nodes}: if the sides should move in turn, play() must change what maximizing() says."
ROUNDED = "Values are kept as floats of 64 bits: some of this game's (whole numbers beyond 2^53, or fractions) had to be rounded."
IN_PARTS = (
    "The picture is too large for a page, so here it is in {parts} parts. Part 1 is the top of the tree. "
    "Below a node whose moves another part shows stands the number of that part."
)
COUNTING = "Expanded counts every visited node, the root and the leaves included. Skipped moves are not expanded."


def title(tree: SearchTree) -> str:
    """Game, position, algorithm, K.

    >>> from engine import preset, search
    >>> title(search(preset("k-tables"), "3", depth=3))
    'k-tables, position 3, alpha-beta, K=3'
    """
    asked = tree.question
    parts = where(tree.game, asked.position_text, asked.first)
    parts.append(ALGORITHMS[asked.algorithm].title)
    parts.append("to the end" if asked.depth is None else f"K={asked.depth}")
    return ", ".join([*parts, *asked.extras])


def where(game: Any, position: str | None, first: str | None) -> list[str]:
    """The game, and the position where it is not the start or has no text."""
    parts = [short(plain(name_of(game)), LONGEST)]
    if position:
        parts.append(f"position {plain(in_a_list(game, position))}")
    if first:
        parts.append(f"{first.upper()} moved first")
    return parts


def result(tree: SearchTree, whole: bool = True) -> str:
    """Value and best move of the root, and the counts; where not the `whole` tree is shown, that these are of all of it.

    >>> from engine import preset, search
    >>> result(search(preset("k-tables"), "3", depth=3))
    'value -3, best move 3; 234 nodes expanded, 189 leaves, 23 cutoffs, 82 moves skipped'
    """
    root = tree.root
    value = file_number(root.value)
    bound = tree.proved_bound
    text = f"best so far {value}" if bound == "open" else f"value {in_words(bound, value)}"
    if root.stands_pat:
        text += ", stands pat"
    if root.best_child is not None:
        text += f", best move {plain(root.best_move_name)[:LONGEST]}"
    text += f"; {counted(tree.expanded, 'node')} expanded, {counted(tree.leaves, 'leaf', 'leaves')}"
    if tree.windows:
        text += f", {counted(tree.cutoffs, 'cutoff')}"
        if tree.skipped or not tree.cutoffs:  # of a search that was only watched nobody knows the moves
            text += f", {counted(tree.skipped, 'move')} skipped"
    if tree.notes:
        text += f" in {counted(len(tree.passes), 'pass', 'passes')}"
    text = text if tree.complete else f"{text}; stopped early: {tree.stopped}"
    return text if whole else f"of the whole search: {text}"


def only_pass(tree: SearchTree, root: int) -> str:
    """What a format that holds one tree says of a search of several passes; nothing of others.

    >>> from engine import literal, search
    >>> only_pass(search(literal([[3, 12], [2, 4]])), 0)
    ''
    """
    if not tree.notes:
        return ""
    this, of = tree.pass_number(max(root, int(tree.root)) if root == ROOT else root) + 1, len(tree.passes)
    return f"only pass {this} of {of} is here; .txt, .csv, .json, .graphml and .parquet hold all"


def place(node: Node) -> str:
    """Where a node is, by the moves that lead to it.

    >>> from engine import literal, search
    >>> tree = search(literal([[3, 12], [2, 4]]))
    >>> place(tree[2]), place(tree.root)
    ('after 0, 0', 'at the root')
    """
    names = [short(step.move_name) for step in node.path[1:]]
    return f"after {', '.join(names)}" if names else "at the root"


def part_title(tree: SearchTree, root: int, number: int, of: int) -> str:
    """The heading of a part of a tree that is shown in parts.

    >>> from engine import literal, search
    >>> part_title(search(literal([[3, 12], [2, 4]])), 1, 2, 3)
    'Part 2 of 3: after 0'
    """
    return f"Part {number} of {of}: {place(tree[root])}"


def notes_on(tree: SearchTree) -> list[str]:
    """What a reader of the numbers should know."""
    notes = [ROUNDED] if tree.rounded else []
    if tree.height > 0 and not sources_of(tree.game) and tree.is_one_sided:
        notes.append(ONE_SIDE.format(side="MAX" if tree.root.maximizing else "MIN", nodes=counted(len(tree), "node")))
    return notes
