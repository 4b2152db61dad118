"""Reasons for a move: its effects on the board, the search that chose it, and the command that runs the same search."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import Option
from engine.games.capabilities import evaluation_name, move_name, move_phrase
from engine.games.registry import game_text
from engine.matches.move_choice import Choice
from engine.matches.move_effects import MoveEffects
from engine.question import Question
from engine.tree.tree import SearchTree
from visualizer.narration.iteration_reasons import explain_visits
from visualizer.narration.numbers import format_count
from visualizer.narration.sentences import sentence

COMMAND_INTRO = "The whole search: "
MAX_GAME_TEXT_CHARS = 2000  # the text of a literal tree contains the whole tree
CHOICE_REASONS = {
    "": "",
    "win": (
        "It prefers the fastest win. It searched 1 move ahead, then 2, and so on: this is the first search that found a win. "
        "It counts only wins, no other values."
    ),
    "loss": "Every move loses: this is the deepest search that does not see the loss yet, so its move delays it the longest.",
    "lost": "Every move loses at once, so the ordinary search decides.",
}

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def describe_effects(game: Any, effects: MoveEffects, side: str, you: str = "") -> list[str]:
    """Describe the effects of a move of `side` ("max" or "min") as a player would. `you` is the side of the reader, if any.

    >>> from engine import connect
    >>> from engine.matches.move_effects import find_effects
    >>> def say(moves, move, side="min", you=""):
    ...     return " ".join(describe_effects(connect(), find_effects(connect(), connect().state(moves), move), side, you))
    >>> say("001122", 3, "max")
    'It completes four in a row.'
    >>> say("00112", 3, you="max")
    'It stops your three: you would complete four in a row there.'
    >>> say("00112", 6)
    "It does not stop MAX's three: column 3 completes four in a row."
    >>> say("2636", 4, "max")
    'It threatens four in a row with column 1 and column 5 at once: MIN cannot stop both.'
    """
    other = "min" if side == "max" else "max"
    mover, opponent, whose = _name_side(side, you), _name_side(other, you), _possessive(other, you)
    row, nearly = f"{_number_word(effects.length)} in a row", _number_word(effects.length - 1)
    if effects.completes:
        return [f"It completes {row}."]
    said = []
    if effects.missed:
        said.append(f"It misses a win: {join_moves(game, effects.missed, 'or')} completes {row}.")
    if effects.stops:
        said.append(f"It stops {whose} {nearly}: {opponent} would complete {row} there.")
    if unstopped := [move for move in effects.allows if move not in effects.opens]:
        three = "the other" if effects.stops else f"{whose} {nearly}"
        said.append(f"It does not stop {three}: {join_moves(game, unstopped, 'or')} completes {row}.")
    if effects.opens:
        place = "on top of it" if effects.opens == [effects.move] else f"with {join_moves(game, effects.opens, 'or')}"
        said.append(f"It lets {opponent} complete {row} {place}.")
    return said if effects.missed else [*said, *_describe_threats(game, effects, mover, opponent, row)]


def _describe_threats(game: Any, effects: MoveEffects, mover: str, opponent: str, row: str) -> list[str]:
    """Describe what the side that moved can complete next."""
    again = f"{join_moves(game, [effects.move])} again"
    named = [again if move == effects.move else join_moves(game, [move]) for move in effects.threatens]
    if effects.wins_next and len(named) > 1:
        both = "both" if len(named) == 2 else "them all"
        return [f"It threatens {row} with {_join_words(named)} at once: {opponent} cannot stop {both}."]
    if effects.wins_next:
        return [f"Whatever {opponent} answer{'' if opponent == 'you' else 's'}, {mover} can complete {row} next."]
    return [f"It threatens {row} with {_join_words(named, 'or')}."] if named and not effects.allows else []


def _name_side(side: str, you: str) -> str:
    return "you" if side == you else side.upper()


def _possessive(side: str, you: str) -> str:
    return "your" if side == you else f"{side.upper()}'s"


def _number_word(number: int) -> str:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def join_moves(game: Any, moves: Sequence[int], word: str = "and") -> str:
    """Join the moves as they stand in a sentence."""
    return _join_words([move_phrase(game, move_name(game, move)) for move in moves], word)


def _join_words(names: Sequence[str], word: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def explain_choice(choice: Choice) -> Iterator[str]:
    """Yield the reasons of a search for its move: its size, the value of each move, and the command that shows the search."""
    tree, question = choice.tree, choice.question
    if tree is None or question is None:
        return
    evaluation = f", evaluation {name}" if (name := evaluation_name(tree.game)) else ""
    if choice.shortened_to is not None:
        yield describe_shortened_depth(choice.shortened_to)
    yield CHOICE_REASONS[choice.reason]
    if tree.has_iterations:
        yield from explain_visits(tree)
    else:
        algorithm, nodes = ALGORITHMS[tree.algorithm].title, format_count(tree.expanded, "node")
        yield f"It searched {describe_depth(tree.K)} with {algorithm}{evaluation}, and expanded {nodes}."
        yield from root_sentences(tree)
    can_be_typed = isinstance(question.position, str) and 0 < len(game_text(question.game)) <= MAX_GAME_TEXT_CHARS
    if can_be_typed:
        yield f"{COMMAND_INTRO}{search_command(question)}"


def describe_shortened_depth(depth: int) -> str:
    """Describe the depth of a player that could not search to its full depth.

    >>> describe_shortened_depth(7)
    'Its full depth would take too many nodes here, so it looked 7 moves ahead.'
    """
    return f"Its full depth would take too many nodes here, so it looked {describe_depth(depth)}."


def describe_depth(depth: int | None) -> str:
    """Describe the depth of a search."""
    return "to the end" if depth is None else f"{format_count(depth, 'move')} ahead"


def root_sentences(tree: SearchTree) -> Iterator[str]:
    """Yield the sentence for each value that returned to the root, and the sentence for the last step."""
    trace = tree.timeline
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
