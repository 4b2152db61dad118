"""Typed answers for programs that ask their user: menus, yes-or-no questions, moves.

What a program has printed since its last question belongs to the question. An answer that is asked for again was refused, so
the next one differs.
"""

import ast
import builtins
import re
import sys
from collections.abc import Callable
from typing import Any

from engine.checker.recording.state_encoding import MOVE_PATTERN
from engine.checker.sandbox.user_choices import CHOICES

MOVE_INPUT_FORMATS = ("{0}", "{0} {1}", "{0},{1}", "{2}{0}", "{3}")  # common formats of a move that is typed
CHESS_MOVES = ("e2e4", "d2d4", "g1f3", "b1c3", "a2a3", "h2h3", "e7e5", "d7d6")
MAX_INPUT_ANSWERS = 120
MAX_QUESTION_CHARS = 1_500  # of what was printed before it
YES_NO_PATTERN = r"\(?[yosj]/n\)?|yes|first|start|begin|commenc|premier|empez|beginn|again|(want|voulez|quieres|willst|wil) "
AGAIN_PATTERN = r"again|another|rematch|retry|encore|nochmal|novamente|otra|de nuevo"
RANGE_PATTERN = r"(?<!\d)(\d{1,3})\s*(?:-|–|to|bis|a|à|and|und|\.\.)\s*(\d{1,3})(?!\d)"  # (0-6), 1 to 9, between 1 and 7
CHOICE_PATTERN = r"\b([A-Za-z])\b\W{0,3}(?:/|\b(?:or|ou|oder|o|of)\b)\W{0,3}\b([A-Za-z])\b"  # play as X or O? (w/b)
WORD_CHOICE_PATTERN = r"\(\s*([A-Za-z_-]{2,20}(?:\s*[/,|]\s*[A-Za-z_-]{2,20})+)\s*\)"  # (easy/medium/hard)
QUOTED_CHOICE_PATTERN = r"['\"`]([\w-]{1,20})['\"`]([^'\"`]*)"  # 'easy' or 'hard'; '1' for two players, '2' for one
SETTING_PATTERN = r"size|depth|level|how many|number of|dimension|largeur|hauteur|taille|tama|tiefe|größe|profond"
EXAMPLE_PATTERN = r"(?:e\.?\s?g\.?|for example|such as|z\.?\s?b\.?|ex\.?|default)\W{0,4}(\d{1,2})\b"
USUAL_SETTING = "3"  # a board of this size, or moves to look ahead
MENU_PATTERN = r"(?<![\w.,])\(?\[?(\d{1,2}|[A-Za-z])\s?[\]).:=–-]+\s*([^\d\W][^\n\d]{1,60})"  # 2 - against the computer


def reads_input(tree: ast.Module) -> bool:
    """Return True if a program asks its user something."""
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("input", "raw_input") for node in ast.walk(tree))


def run_with_input(run: Callable[[], Any], style: str, asked: list[int] | None = None) -> Any:
    """Run a program that asks its user, and type answers until it reaches its search. `style` is the format of a move.

    The number of questions is added to `asked`.
    """
    refused = builtins.input
    driver = InputDriver(style, refused)
    builtins.input = driver.answer
    try:
        return run()
    finally:
        builtins.input = refused
        if asked is not None:
            asked.append(driver.count)


class InputDriver:
    """The user of one run."""

    def __init__(self, style: str, refused: Callable[[Any], str]):
        self.style = style
        self.refused = refused  # called when too many questions were asked
        self.count = 0
        self.printed = 0  # characters of output that belong to earlier questions
        self.last: tuple[str, str] = ("", "")  # question and answer

    def answer(self, prompt: object = "", /) -> str:
        """Return what is typed after a prompt."""
        self.count += 1
        if self.count > MAX_INPUT_ANSWERS:
            return self.refused(prompt)
        question = f"{self._read_new_output()}\n{prompt}"
        is_repeated = question[-200:] == self.last[0]
        chosen = self._choose(str(prompt), question, is_repeated)
        self.last = (question[-200:], chosen)
        return chosen

    def _read_new_output(self) -> str:
        """Return what the program has printed since its last question."""
        text = getattr(sys.stdout, "text", "")
        new, self.printed = text[self.printed :], len(text)
        return str(new[-MAX_QUESTION_CHARS:])

    def _choose(self, prompt: str, question: str, is_repeated: bool) -> str:
        options = find_menu(question)
        if options and not is_repeated:
            return options[0]
        if options and self.count % 3:
            return options[self.count % len(options)]
        if re.search(YES_NO_PATTERN, prompt.lower()) and self.count % 3:
            return "y" if re.search(AGAIN_PATTERN, prompt.lower()) else "n"
        if choice := re.search(CHOICE_PATTERN, prompt.strip()):
            return str(choice[1 + self.count % 2])
        if words := re.search(WORD_CHOICE_PATTERN, prompt):
            parts = re.split(r"\s*[/,|]\s*", words[1].strip())
            return sorted(parts, key=CHOICES.rank)[0 if not is_repeated else self.count % len(parts)]
        if choices := self._find_quoted_choices(prompt):
            return choices[0 if not is_repeated else self.count % len(choices)]
        if re.search(SETTING_PATTERN, prompt.lower()) and not re.search(MOVE_PATTERN, prompt.lower()):
            example = re.search(EXAMPLE_PATTERN, prompt.lower())
            return USUAL_SETTING if example is None or is_repeated else example[1]
        return self._type_move(prompt)

    def _find_quoted_choices(self, prompt: str) -> list[str]:
        """Return the answers that a prompt has in quotes, the one that most probably starts a search first."""
        found = re.findall(QUOTED_CHOICE_PATTERN, prompt)
        if len({word for word, _ in found}) < 2:
            return []
        return [word for word, after in sorted(found, key=lambda one: CHOICES.rank(f"{one[0]} {one[1]}"))]

    def _type_move(self, prompt: str) -> str:
        """Return a move: a number in the range that the prompt names, another one for each question."""
        letter = "abcdefgh"[self.count % 8]
        if span := re.search(RANGE_PATTERN, prompt):
            low, high = sorted((int(span[1]), int(span[2])))
            size = high - low + 1
            return self.style.format(low + (self.count * 2 - 2) % size, low + self.count % size, letter, low)
        number = (self.count - 1) % 9 + 1
        chess = CHESS_MOVES[(self.count - 1) % len(CHESS_MOVES)]
        return self.style.format(number, (self.count * 2) % 3 + 1, letter, chess)


def find_menu(question: str) -> list[str]:
    """Return the keys of a menu in a question, the one that most probably starts a search first.

    >>> find_menu("1. Play with a friend\\n2. Play with the computer\\n3. Quit\\n")
    ['2', '1', '3']
    """
    found = re.findall(MENU_PATTERN, question, re.MULTILINE)
    keys = [key for key, _ in found]
    if len(set(keys)) < 2 or len(set(keys)) != len(keys):
        return []
    return [key for key, text in sorted(found, key=lambda one: CHOICES.rank(one[1]))]
