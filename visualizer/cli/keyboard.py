"""Keyboard input: whole lines from a file or a pipe, single keys with arrows at a terminal."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from engine.games.capabilities import has_single_digit_moves
from engine.matches.match import Match
from visualizer.cli.output.terminal_board import column_offset
from visualizer.narration.escapes import sanitize_line

PREVIOUS_KEYS = ("\x1b[D", "\x1bOD", "\xe0K", "\x1b[A", "\x1bOA", "\xe0H")  # left and up, as terminals and as Windows send them
NEXT_KEYS = ("\x1b[C", "\x1bOC", "\xe0M", "\x1b[B", "\x1bOB", "\xe0P")  # right and down
KEY_PATTERN = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|[\xe0\x00].|.", re.DOTALL)
END_OF_INPUT = "\x04"
CLEAR_LINE = "\r\x1b[K"


class InputState(NamedTuple):
    """The move that is chosen, and the text that has been typed so far."""

    at: int  # index of the chosen move among the legal ones
    typed: str = ""


class Keyboard:
    """Reads answers. Keys that were pressed too early are kept for the next answer."""

    def __init__(self) -> None:
        self._pending_keys: list[str] = []
        self._after_digit = False

    def read_answer(self, match: Match, chosen: int | None) -> str | None:
        """Return the next answer: the typed text, or the chosen move as text; None at the end of the input."""
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            line = sys.stdin.readline()
            return line.strip() if line else None
        with _single_key_mode() as next_keys:
            try:
                return self._read_keys(match, chosen, next_keys)
            finally:
                sys.stdout.write("\n")

    def _read_keys(self, match: Match, chosen: int | None, next_keys: Callable[[], str]) -> str | None:
        now = InputState(match.legal_moves.index(chosen) if chosen in match.legal_moves else len(match.legal_moves) // 2)
        while True:
            sys.stdout.write(CLEAR_LINE + _format_prompt(match, now))
            sys.stdout.flush()
            self._pending_keys = self._pending_keys or KEY_PATTERN.findall(next_keys())
            if not self._pending_keys or self._pending_keys[0] == END_OF_INPUT:
                return None
            if self._after_digit and self._pending_keys[0] in "\r\n":  # the digit was played at once, so Enter is ignored
                self._pending_keys.pop(0)
                self._after_digit = False
                continue
            self._after_digit = False
            answer, now = handle_key(match, self._pending_keys.pop(0), now)
            if answer is not None:
                self._after_digit = answer.isdecimal()
                return answer


def handle_key(match: Match, key: str, now: InputState) -> tuple[str | None, InputState]:
    """Return the answer, if this key completes one, and the new state of the input."""
    legal = match.legal_moves
    if key in (*PREVIOUS_KEYS, *NEXT_KEYS):
        return None, InputState((now.at + (1 if key in NEXT_KEYS else -1)) % len(legal) if legal else 0)
    if key in "\r\n":
        return now.typed or (str(legal[now.at]) if legal else ""), now
    typed = now.typed[:-1] if key in "\x7f\b" else now.typed + key if key.isprintable() else ""
    if legal and typed.isdecimal() and has_single_digit_moves(match.game):
        return typed, now
    return None, InputState(now.at, typed)


@contextmanager
def _single_key_mode() -> Iterator[Callable[[], str]]:
    """Make the terminal send every key at once, without echo, inside this context. Ctrl-C still interrupts."""
    try:
        import termios
        import tty
    except ImportError:  # Windows: its console sends single keys anyway
        yield click.getchar
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSANOW)  # TCSANOW keeps the keys that were typed before
    try:
        yield lambda: os.read(terminal, 64).decode(errors="replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _format_prompt(match: Match, now: InputState) -> str:
    if now.typed:
        return f"  > {now.typed}"
    if not match.legal_moves:
        return "  new, undo, why or quit: "
    move = match.legal_moves[now.at]
    column = column_offset(match, move)
    return f"  < {sanitize_line(match.legal_move_name(move))} >" if column is None else " " * column + "^"
