"""Captions of a search: its title and its result, for the head of an export."""

from typing import Any

from engine.algorithms import find_algorithm
from engine.games.capabilities import declared_name, declared_title, program_sources
from engine.question import Question
from engine.record.columns import ROOT
from engine.tree.node import Node
from engine.tree.tree import SearchTree
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.move_text import describe_moves_without_commas
from visualizer.narration.numbers import file_number, format_count
from visualizer.narration.sentences import describe_value
from visualizer.narration.text_width import shorten_name

BOUND_SIGNS = {
    "exact": "",
    "lower": "≥",
    "upper": "≤",
    "open": "?",
}  # signs before a value; in the order of BOUND_NAMES
STATUS_LABELS = {  # how a search left a node, for people; in the order of STATUS_NAMES
    "open": "not finished",
    "terminal": "game over",
    "horizon": "depth limit K",
    "exhausted": "all moves tried",
    "cutoff": "cutoff",
    "table": "answered from the table",
    "probe": "probe of one move",
}
QUIESCENCE_STATUS_LABELS = {  # the same at and beyond the depth limit, in a search with quiescence
    "noisy": "all noisy moves tried",
    "quiet": "no noisy move",
    "limit": "last ply of quiescence",
}
PROGRAM_STATUS_LABELS = {"exhausted": "no more moves tried"}  # of recorded programs: whether others were left is not known
MAX_CAPTION_NAME_CHARS = 120  # of a game's name
ONE_SIDED_NOTE = (
    "{side} is to move at all {nodes}. If the sides should take turns, play() must change the result of maximizing()."
)
ROUNDED_NOTE = (
    "Values are stored as 64-bit floats: some values of this game (whole numbers beyond 2^53, or fractions) had to be rounded."
)
PARTS_NOTE = (
    "The picture is too large for a page, so it is split into {parts} parts. Part 1 is the top of the tree. "
    "Where another part shows the moves of a node, the number of that part is below the node."
)
EXPANDED_NOTE = "Expanded counts every visited node, including the root and the leaves. Skipped moves are not expanded."


def search_title(tree: SearchTree) -> str:
    """Return the title of a search: game, position, algorithm, K.

    >>> from engine import preset, search
    >>> search_title(search(preset("k-tables"), "3", depth=3))
    'k-tables, position 3, alpha-beta, K=3'
    """
    question = tree.question
    parts = position_parts(tree.game, question.position_text, question.first)
    parts.append(find_algorithm(question.algorithm).title)
    parts.append(describe_limit(question))
    return ", ".join([*parts, *describe_other_options(question)])


def describe_limit(question: Question) -> str:
    """Return how far a search goes: its depth limit, or its number of iterations."""
    if "iterations" in question.options:
        return f"{question.options['iterations']:,} iterations"
    return "to the end" if question.depth is None else f"K={question.depth}"


def describe_other_options(question: Question) -> list[str]:
    """Return the descriptions of the options that do not have their defaults. `describe_limit` names the iterations."""
    return [option.words(value) for option, value in question.chosen if option.name != "iterations"]


def describe_game(game: Any) -> str:
    """Return the name of the game as the command line reads it: for details, where a search can be repeated from it."""
    return shorten_name(sanitize_line(declared_name(game)), MAX_CAPTION_NAME_CHARS)


def position_parts(game: Any, position: str | None, first: str | None) -> list[str]:
    """Return the title of the game, and the position unless it is the start position or has no text.

    >>> from engine import literal, preset
    >>> position_parts(literal([[3, 12], [2, 4]]), "0", None), position_parts(preset("k-tables"), "3", None)
    (['Tree of 4 leaves', 'position 0'], ['k-tables', 'position 3'])
    """
    title = declared_title(game)
    parts = [shorten_name(sanitize_line(title), MAX_CAPTION_NAME_CHARS) if title else describe_game(game)]
    if position:
        parts.append(f"position {sanitize_line(describe_moves_without_commas(game, position))}")
    if first:
        parts.append(f"{first.upper()} moved first")
    return parts


def summarize_result(tree: SearchTree, whole: bool = True) -> str:
    """Return the value and the best move of the root, and the counts. If only a part of the tree is shown (not `whole`), say
    that they describe the whole search.

    >>> from engine import preset, search
    >>> summarize_result(search(preset("k-tables"), "3", depth=3))
    'value -3, best move 3; 234 nodes expanded, 189 leaves, 23 cutoffs, 82 moves skipped'
    """
    if tree.has_iterations:
        text = summarize_iterations(tree)
        return text if whole else f"the whole search: {text}"
    root = tree.root
    value = file_number(root.value)
    bound = tree.proved_bound
    text = f"best so far {value}" if bound == "open" else f"value {describe_value(bound, value)}"
    if root.stands_pat:
        text += ", stands pat"
    if root.best_child is not None:
        text += f", best move {sanitize_line(root.best_move_name)[:MAX_CAPTION_NAME_CHARS]}"
    text += f"; {format_count(tree.expanded, 'node')} expanded, {format_count(tree.leaves, 'leaf', 'leaves')}"
    if tree.windows:
        text += f", {format_count(tree.cutoffs, 'cutoff')}"
        if tree.skipped or not tree.cutoffs:  # the record of a student's program may not have them
            text += f", {format_count(tree.skipped, 'move')} skipped"
    if tree.notes:
        text += f" in {format_count(len(tree.passes), 'pass', 'passes')}"
    text = text if tree.complete else f"{text}; stopped early: {tree.stopped}"
    return text if whole else f"the whole search: {text}"


def summarize_iterations(tree: SearchTree) -> str:
    """Return the most visited move of a search in iterations, and its counts.

    >>> from engine import nim, search
    >>> summarize_iterations(search(nim([2, 1]), algorithm="mcts", iterations=50))
    'best move 1 from heap 0: 41 of 50 visits, mean 1.00; 11 nodes'
    """
    best = tree.root.best_child
    text = "the game is over"
    if best is not None:
        name = sanitize_line(best.move_name)[:MAX_CAPTION_NAME_CHARS]
        mean = f", mean {best.mean:.2f}" if best.visits else ""
        text = f"best move {name}: {best.visits:,} of {format_count(tree.iterations, 'visit')}{mean}"
    text += f"; {format_count(tree.expanded, 'node')}"
    return text if tree.complete else f"{text}; stopped early: {tree.stopped}"


def note_omitted_passes(tree: SearchTree, root: int) -> str:
    """Return a note for a format that holds one tree, if the search has several passes; otherwise an empty text.

    >>> from engine import literal, search
    >>> note_omitted_passes(search(literal([[3, 12], [2, 4]])), 0)
    ''
    """
    if not tree.notes:
        return ""
    shown, total = tree.pass_number(max(root, int(tree.root)) if root == ROOT else root) + 1, len(tree.passes)
    return f"only pass {shown} of {total} is shown; .txt, .csv, .json, .graphml and .parquet hold all of them"


def describe_path(node: Node) -> str:
    """Describe the location of a node by the moves that lead to it.

    >>> from engine import literal, search
    >>> tree = search(literal([[3, 12], [2, 4]]))
    >>> describe_path(tree[2]), describe_path(tree.root)
    ('after 0, 0', 'at the root')
    """
    names = [shorten_name(step.move_name) for step in node.path[1:]]
    return f"after {', '.join(names)}" if names else "at the root"


def part_title(tree: SearchTree, root: int, number: int, total: int) -> str:
    """Return the heading of one part of a tree that is shown in parts.

    >>> from engine import literal, search
    >>> part_title(search(literal([[3, 12], [2, 4]])), 1, 2, 3)
    'Part 2 of 3: after 0'
    """
    return f"Part {number} of {total}: {describe_path(tree[root])}"


def list_tree_notes(tree: SearchTree) -> list[str]:
    """Return notes that a reader of the numbers should know."""
    notes = [ROUNDED_NOTE] if tree.rounded else []
    if tree.height > 0 and not program_sources(tree.game) and tree.is_one_sided:
        notes.append(ONE_SIDED_NOTE.format(side="MAX" if tree.root.maximizing else "MIN", nodes=format_count(len(tree), "node")))
    return notes
