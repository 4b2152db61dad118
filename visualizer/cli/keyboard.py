"""What a person types: whole lines where the input is a file or a pipe, single keys with arrows at a terminal."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from engine.games.capabilities import single_digits
from engine.matches.match import Match
from visualizer.cli.output.terminal_board import column_at
from visualizer.narration.escapes import plain

BACK = ("\x1b[D", "\x1bOD", "\xe0K", "\x1b[A", "\x1bOA", "\xe0H")  # left and up, as terminals and as Windows send them
ON = ("\x1b[C", "\x1bOC", "\xe0M", "\x1b[B", "\x1bOB", "\xe0P")  # right and down
KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\xe0\x00].|.", re.DOTALL)
END_OF_INPUT = "\x04"
CLEAR_LINE = "\r\x1b[K"


class Typing(NamedTuple):
    at: int  # index of the chosen move among the legal ones
    typed: str = ""


class Keyboard:
    """Reads one answer after the other; keys that were pressed too early are kept for the next."""

    def __init__(self) -> None:
        self._early: list[str] = []
        self._after_digit = False

    def read(self, match: Match, chosen: int | None) -> str | None:
        """The next thing the person wants: what they typed, or the chosen move as text; None at the end of the input."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            line = sys.stdin.readline()
            return line.strip() if line else None
        with _single_keys() as next_keys:
            try:
                return self._read(match, chosen, next_keys)
            finally:
                sys.stdout.write("\n")

    def _read(self, match: Match, chosen: int | None, next_keys: Callable[[], str]) -> str | None:
        now = Typing(match.legal.index(chosen) if chosen in match.legal else len(match.legal) // 2)
        while True:
            sys.stdout.write(CLEAR_LINE + _prompt(match, now))
            sys.stdout.flush()
            self._early = self._early or KEY.findall(next_keys())
            if not self._early or self._early[0] == END_OF_INPUT:
                return None
            if self._after_digit and self._early[0] in "\r\n":  # a digit is played at once: the Enter after it means nothing more
                self._early.pop(0)
                self._after_digit = False
                continue
            self._after_digit = False
            answer, now = pressed(match, self._early.pop(0), now)
            if answer is not None:
                self._after_digit = answer.isdecimal()
                return answer


def pressed(match: Match, key: str, now: Typing) -> tuple[str | None, Typing]:
    """The answer, if this key completes one, and what has been chosen and typed so far."""
    legal = match.legal
    if key in (*BACK, *ON):
        return None, Typing((now.at + (1 if key in ON else -1)) % len(legal) if legal else 0)
    if key in "\r\n":
        return now.typed or (str(legal[now.at]) if legal else ""), now
    typed = now.typed[:-1] if key in "\x7f\b" else now.typed + key if key.isprintable() else ""
    if legal and typed.isdecimal() and single_digits(match.game):
        return typed, now
    return None, Typing(now.at, typed)


@contextmanager
def _single_keys() -> Iterator[Callable[[], str]]:
    """A terminal that gives every key at once and does not show it, as long as one is in here. Ctrl-C stays Ctrl-C."""
    try:
        import termios
        import tty
    except ImportError:  # Windows, whose console gives single keys anyway
        yield click.getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSANOW)  # now, or what has been typed already would be thrown away
    try:
        yield lambda: os.read(terminal, 64).decode(errors="replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _prompt(match: Match, now: Typing) -> str:
    if now.typed:
        return f"  > {now.typed}"
    if not match.legal:
        return "  new, undo, why or quit: "
    move = match.legal[now.at]
    column = column_at(match, move)
    return f"  < {plain(match.name_of(move))} >" if column is None else " " * column + "^"
