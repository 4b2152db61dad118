"""Options for a script that wants some: `pacman.py -p AlphaBetaAgent -q`, `main.py 3 minimax`.

A parser of argparse or optparse knows its options when it is asked to read them. They are chosen there: the search or a
computer where a player can be chosen, a small depth, no graphics, and something for each that is required. A script that reads
`sys.argv` itself gets words that it compares with, or numbers.
"""

import argparse
import ast
import optparse
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.checker.sandbox.user_choices import CHOICES

PLAYER_PATTERN = r"agent|player|pacman|algo|\bai\b|opponent|strategy|engine|mode|method|search|bot|type|solver"
OTHER_PLAYER_PATTERN = r"ghost|enemy|second|human|arg|timeout|file"
QUIET_PATTERN = r"quiet|no_?graphics|nographics|null|no_?gui|headless|text|silent|no_?display"
NUMBER_PATTERN = r"depth|plies|level|difficulty"
COUNT_PATTERN = r"games|rounds|iterations|episodes|trials"
SMALL_DEPTH, FEW = "2", "1"
MAX_ARGUMENTS = 4


class OptionChooser:
    """Chooses options of scripts. `chosen` has them after a script has read them."""

    def __init__(self, search_names: Iterable[str], files: Iterable[str], is_eager: bool = True):
        self.classes = list(search_names)  # names that an option may take, the best first
        self.files = list(files)
        self.is_eager = is_eager  # also choose options that have a default
        self.chosen: list[str] = []

    def choose_value(self, words: str, choices: Any, kind: Any, default: Any) -> str | None:
        """Return a value for an option, or None if its default is good."""
        if choices:
            best = min(choices, key=CHOICES.rank)
            return str(best) if CHOICES.rank(best) < CHOICES.rank(default) or default is None else None
        if re.search(NUMBER_PATTERN, words):
            return SMALL_DEPTH
        if re.search(COUNT_PATTERN, words) and isinstance(default, int) and default > int(FEW):
            return FEW
        if re.search(PLAYER_PATTERN, words) and not re.search(OTHER_PLAYER_PATTERN, words) and kind not in (int, float, "int"):
            is_known = isinstance(default, str) and CHOICES.rank(default) == 0
            return self.classes[0] if self.classes and not is_known else None
        return None

    def fill_required(self, words: str, kind: Any) -> str:
        """Return a value for an argument that must be given."""
        if kind in (int, float, "int", "float"):
            return "3"
        if re.search(r"file|path|input|map|board|layout|tree", words) and self.files:
            return self.files[0]
        return self.classes[0] if re.search(PLAYER_PATTERN, words) and self.classes else "3"

    # ---- parsers

    def list_argparse(self, parser: argparse.ArgumentParser) -> list[str]:
        """Return arguments for a parser of argparse."""
        given: list[str] = []
        for action in parser._actions:
            words = " ".join((*action.option_strings, action.dest or "", action.help or "")).lower()
            if isinstance(action, (argparse._HelpAction, argparse._VersionAction)):
                continue
            if isinstance(action, argparse._SubParsersAction):
                name = min(action.choices, key=CHOICES.rank)
                given += [name, *self.list_argparse(action.choices[name])]
                continue
            if action.nargs == 0:
                if self.is_eager and re.search(QUIET_PATTERN, words):
                    given.append(action.option_strings[-1])
                continue
            names = " ".join((*action.option_strings, action.dest or "")).lower()
            wanted = self.is_eager or action.required
            value = self.choose_value(names, action.choices, action.type, action.default) if wanted else None
            if value is None and action.required:
                value = self.fill_required(words, action.type)
            if value is not None:
                given += [*action.option_strings[-1:], value] if action.option_strings else [value]
        return given

    def list_optparse(self, parser: optparse.OptionParser) -> list[str]:
        """Return arguments for a parser of optparse."""
        given: list[str] = []
        for option in parser.option_list if self.is_eager else []:
            names = " ".join((*option._short_opts, *option._long_opts, option.dest or "")).lower()
            words = f"{names} {option.help or ''}".lower()
            name = (*option._long_opts, *option._short_opts)[0] if option._long_opts or option._short_opts else ""
            if option.action == "store_true" and re.search(QUIET_PATTERN, words):
                given.append(name)
            elif option.action == "store":
                default = parser.defaults.get(option.dest or "")
                value = self.choose_value(names, option.choices, option.type, default)
                given += [name, value] if value is not None else []
        return given


@contextmanager
def chosen_options(chooser: OptionChooser) -> Iterator[None]:
    """Let parsers read chosen options instead of those of the command line, while the block runs."""
    known, plain, old = (
        argparse.ArgumentParser.parse_known_args,
        argparse.ArgumentParser.parse_args,
        optparse.OptionParser.parse_args,
    )

    def is_command_line(given: Any) -> bool:
        return given is None or list(given) == sys.argv[1:]

    def parse_known(parser: argparse.ArgumentParser, args: Any = None, namespace: Any = None) -> Any:
        if is_command_line(args):
            args = chooser.chosen = [*sys.argv[1:], *chooser.list_argparse(parser)]
        return known(parser, args, namespace)

    def parse(parser: argparse.ArgumentParser, args: Any = None, namespace: Any = None) -> Any:
        if is_command_line(args):
            args = chooser.chosen = [*sys.argv[1:], *chooser.list_argparse(parser)]
        return known(parser, args, namespace)[0]

    def parse_old(parser: optparse.OptionParser, args: Any = None, values: Any = None) -> Any:
        if is_command_line(args):
            args = chooser.chosen = [*sys.argv[1:], *chooser.list_optparse(parser)]
        return old(parser, args, values)

    argparse.ArgumentParser.parse_known_args = parse_known  # type: ignore[method-assign, assignment]
    argparse.ArgumentParser.parse_args = parse  # type: ignore[method-assign, assignment]
    optparse.OptionParser.parse_args = parse_old  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        argparse.ArgumentParser.parse_known_args = known  # type: ignore[method-assign]
        argparse.ArgumentParser.parse_args = plain  # type: ignore[method-assign]
        optparse.OptionParser.parse_args = old  # type: ignore[method-assign]


def list_search_names(names: Iterable[str]) -> list[str]:
    """Return names that an option may choose a search by: its classes, then its functions.

    >>> list_search_names(["AlphaBetaAgent.getAction.value"])
    ['AlphaBetaAgent', 'value']
    """
    names = list(names)
    return list(dict.fromkeys([*(name.partition(".")[0] for name in names), *(name.rpartition(".")[2] for name in names)]))


def has_parser(tree: ast.Module) -> bool:
    """Return True if a file uses argparse or optparse."""
    names = {"ArgumentParser", "OptionParser"}
    return any(
        (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)
        for node in ast.walk(tree)
    )


def list_argument_words(tree: ast.Module, files: Iterable[str]) -> list[str]:
    """Return words for a script that reads `sys.argv` itself. There are none if it does not."""
    places: dict[int, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and _is_argv(node.value):
            place = getattr(node.slice, "value", None)
            if isinstance(place, int) and 0 < place <= MAX_ARGUMENTS:
                places.setdefault(place, [])
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript) and _is_argv(node.left.value):
            place = getattr(node.left.slice, "value", None)
            if isinstance(place, int):
                places.setdefault(place, []).extend(_constant_words(node.comparators[0]))
    if not places:
        return []
    named = [name for name in files if Path(name).name in ast.unparse(tree)] or list(files)
    return [_choose_word(tree, place, places.get(place, []), named) for place in range(1, max(places) + 1)]


def _choose_word(tree: ast.Module, place: int, compared: list[str], files: list[str]) -> str:
    if compared:
        return min(compared, key=CHOICES.rank)
    text = ast.unparse(tree)
    if re.search(rf"open\(\s*(sys\.)?argv\[{place}\]", text) and files:
        return files[0]
    return "3"


def _is_argv(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "argv") or (isinstance(node, ast.Name) and node.id == "argv")


def _constant_words(node: ast.expr) -> list[str]:
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
