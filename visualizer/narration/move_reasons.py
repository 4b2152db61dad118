"""Reasons for the move of a computer player, in sentences, and the command that runs the same search."""

import shlex
from collections.abc import Iterator
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import Option
from engine.games.capabilities import evaluation_name
from engine.games.registry import game_text
from engine.matches.players import Choice
from engine.question import Question
from engine.tree.trace import Trace
from engine.tree.tree import SearchTree
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence

COMMAND_INTRO = "All of it: "
MAX_GAME_TEXT_CHARS = 2000  # characters: literal trees are written out in it
CHOICE_REASONS = {
    "": "",
    "win": "It prefers the faster win: this is the shallowest search that sees one, and it counts nothing but wins.",
    "loss": "Every move loses: this is the deepest search that does not see it yet, so its move puts the loss off the longest.",
    "lost": "Every move loses at once, so the ordinary search decides.",
}


def explain_choice(choice: Choice) -> Iterator[str]:
    """Yield the reasons of a search for its move: its size, the value of each move, and the command that shows all of it."""
    tree, question = choice.tree, choice.question
    if tree is None or question is None:
        return
    evaluation = f", evaluation {name}" if (name := evaluation_name(tree.game)) else ""
    if choice.shortened_to is not None:
        yield describe_shortened_depth(choice.shortened_to)
    yield CHOICE_REASONS[choice.reason]
    algorithm = ALGORITHMS[tree.algorithm].title
    nodes = format_count(tree.expanded, "node")
    yield f"It searched {describe_depth(tree.K)} with {algorithm}{evaluation}, and expanded {nodes}."
    yield from root_sentences(tree)
    can_be_typed = isinstance(question.position, str) and 0 < len(game_text(question.game)) <= MAX_GAME_TEXT_CHARS
    if can_be_typed:
        yield f"{COMMAND_INTRO}{search_command(question)}"


def describe_shortened_depth(depth: int) -> str:
    """Describe the depth of a player that looked less far than it wanted.

    >>> describe_shortened_depth(7)
    'Its own depth takes too many nodes here: it looked 7 plies ahead.'
    """
    return f"Its own depth takes too many nodes here: it looked {format_count(depth, 'ply', 'plies')} ahead."


def describe_depth(depth: int | None) -> str:
    """Describe the depth of a search."""
    return "to the end" if depth is None else f"{format_count(depth, 'ply', 'plies')} deep"


def root_sentences(tree: SearchTree) -> Iterator[str]:
    """Yield the sentences of the values that came back to the root, move by move, and of the last step."""
    trace = Trace(tree)
    for child in tree.root.children:
        yield "  " + sentence(trace[trace.leave(child) + 1])
    yield sentence(trace[len(trace) - 1])


def search_command(question: Question) -> str:
    """Return the command that runs the same search."""
    words = ["plyscope", "search", game_text(question.game)]
    if question.position_text:
        words += ["--moves", question.position_text]
    if question.first is not None and (question.position_text or question.first != "max"):
        words += ["--first", question.first]
    if question.depth is not None:
        words += ["--depth", str(question.depth)]
    return shlex.join([*words, "--algorithm", question.algorithm, *command_options(question.chosen)])


def command_options(chosen: list[tuple[Option, Any]]) -> list[str]:
    """Return options in the form of the command line."""
    return [word for option, value in chosen for word in (option.command_line_name, *([] if option.is_switch else [str(value)]))]
