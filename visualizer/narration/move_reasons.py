"""Why a computer player made its move, in sentences, and the command that runs the same search."""

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
from visualizer.narration.numbers import counted
from visualizer.narration.sentences import sentence

COMMAND = "All of it: "
LONGEST_COMMAND = 2000  # characters: literal trees are written out in it
REASONS = {
    "": "",
    "win": "It prefers the faster win: this is the shallowest search that sees one, and it counts nothing but wins.",
    "loss": "Every move loses: this is the deepest search that does not see it yet, so its move puts the loss off the longest.",
    "lost": "Every move loses at once, so the ordinary search decides.",
}


def explanation(choice: Choice) -> Iterator[str]:
    """Why a search played its move: what it looked at, what came back for each move, and how to see all of it."""
    tree, question = choice.tree, choice.question
    if tree is None or question is None:
        return
    evaluation = f", evaluation {name}" if (name := evaluation_name(tree.game)) else ""
    if choice.shortened_to is not None:
        yield shortened_words(choice.shortened_to)
    yield REASONS[choice.reason]
    algorithm = ALGORITHMS[tree.algorithm].title
    yield f"It searched {deep(tree.K)} with {algorithm}{evaluation}, and expanded {counted(tree.expanded, 'node')}."
    yield from root_sentences(tree)
    can_be_typed = isinstance(question.position, str) and 0 < len(game_text(question.game)) <= LONGEST_COMMAND
    if can_be_typed:
        yield f"{COMMAND}{search_command(question)}"


def shortened_words(depth: int) -> str:
    """Say that a player looked less far than it wanted.

    >>> shortened_words(7)
    'Its own depth takes too many nodes here: it looked 7 plies ahead.'
    """
    return f"Its own depth takes too many nodes here: it looked {counted(depth, 'ply', 'plies')} ahead."


def deep(depth: int | None) -> str:
    """How far a search looks ahead."""
    return "to the end" if depth is None else f"{counted(depth, 'ply', 'plies')} deep"


def root_sentences(tree: SearchTree) -> Iterator[str]:
    """What came back to the root, move by move, and the end."""
    trace = Trace(tree)
    for child in tree.root.children:
        yield "  " + sentence(trace[trace.leave(child) + 1])
    yield sentence(trace[len(trace) - 1])


def search_command(question: Question) -> str:
    """The command that runs the same search."""
    words = ["plyscope", "search", game_text(question.game)]
    if question.position_text:
        words += ["--moves", question.position_text]
    if question.first is not None and (question.position_text or question.first != "max"):
        words += ["--first", question.first]
    if question.depth is not None:
        words += ["--depth", str(question.depth)]
    return shlex.join([*words, "--algorithm", question.algorithm, *options_typed(question.chosen)])


def options_typed(chosen: list[tuple[Option, Any]]) -> list[str]:
    """Options as they are typed on the command line."""
    return [word for option, value in chosen for word in (option.typed, *([] if option.is_switch else [str(value)]))]
