"""The specification of an algorithm: everything that the rest of the project needs. Each algorithm declares it in its own
module; `ALGORITHMS` lists them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

import numpy as np

from engine.algorithms.pass_runner import Additions, PassRunner
from engine.algorithms.templates import Pseudocode, Rules, add_quiescence, make_strict, select_lines
from engine.core.errors import BadDepth, BadOption, PlyscopeError, UnknownName, short_repr
from engine.core.parsing import is_whole
from engine.record.columns import EXTRA_COLUMNS, WINDOW_COLUMNS

MAX_DEPTH = 500  # plies: the readable searches recurse, and Python's stack is finite
UNLIMITED_ENTRIES = 2**62  # entries of a table without a limit
MAX_NUMBER_CHARS = 40  # characters of an option as text
MAX_WRITTEN_LIMIT = 2**53  # larger limits are written with an exponent

WINDOWS, LINK = WINDOW_COLUMNS, "link"  # columns that not every search writes
STATIC = "static"  # a column of searches with quiescence
WEIGHT = "weight"  # a column of searches of games with chance
PLAIN, LADDER = "plain", "ladder"  # kernels: for minimax and alpha-beta, and for the algorithms built on alpha-beta
ITERATIVE_KERNEL = "iterations"  # the kernel of searches that run in iterations

LAWS = {
    "value": "finds the value of minimax",
    "expectation": "where chance moves, finds the value of expectiminimax",
    "first of equals": "of equally good moves at the root it chooses the first, as minimax does",
    "everything": "expands every node down to K",
    "no more": "expands no more nodes than minimax",
    "once": "visits no path of moves twice",
    "part of minimax": "visits all nodes that minimax visits, except those after skipped moves, and no others",
    "within alpha-beta": "in a tree, visits no node that alpha-beta does not visit",
    "answers": "every table hit was proved before, for the same position and the same remaining depth",
    "no leaf twice": "evaluates no position twice with the same remaining depth",
    "windows nest": "the window of a node lies inside the window of its parent",
    "kernel": "the compiled kernel writes the same rows",
}
ITERATION_LAWS = {
    "iterations": "every iteration visits each node of its path once, so visits are sums over the log",
    "largest sum": "the child that is selected has the largest sum of mean and bonus at that time",
    "proofs": "proven wins and losses are those of perfect play",
}  # of algorithms that run in iterations


@dataclass(frozen=True)
class Option:
    """An option of an algorithm: on or off, one of some choices, or a number.

    The default of a switch is a bool. In links and on the command line a switch is named by its effect when it does not have
    its default.
    """

    name: str  # search(..., name=value), and in files
    default: Any
    label: str  # above its widget
    line: str  # what it does
    summary: str  # in titles of searches without the default; {value} stands for the value
    link: str = ""  # in links and in the texts of players; empty: the name
    flag: str = ""  # on the command line; empty: --name
    flag_line: str = ""  # help there; empty: `line`
    choices: tuple[Any, ...] = ()
    minimum: float = -float("inf")  # limits of a number
    maximum: float = float("inf")
    shared: bool = False  # all compared searches must have the same value
    optional: bool = False  # a number, or None, which is the default
    readable: tuple[Any, ...] = ()  # values that only the readable search supports

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def key(self) -> str:
        """Return its name in links."""
        return self.link or self.name

    @property
    def command_line_name(self) -> str:
        """Return its name on the command line."""
        return self.flag or f"--{self.key.replace('_', '-')}"

    @property
    def command_line_help(self) -> str:
        """Return its help on the command line."""
        return self.flag_line or self.line

    def check_value(self, value: Any) -> Any:
        """Return the value in the type of the option. Raise BadOption if the option cannot have it."""
        if self.is_switch and (value is True or value is False):
            return value
        if self.optional:
            if value is None or (_is_number(value, 0.0) and self.minimum <= value <= self.maximum):
                return None if value is None else float(value)
            raise BadOption(f"{self.name} = {short_repr(value)}: {self._describe_allowed()}")
        if self.choices and value in self.choices and not isinstance(value, bool):
            return value
        if not self.is_switch and not self.choices and _is_number(value, self.default) and self.minimum <= value <= self.maximum:
            return type(self.default)(value)
        raise BadOption(f"{self.name} = {short_repr(value)}: {self._describe_allowed()}")

    def _describe_allowed(self) -> str:
        if self.is_switch:
            return "True or False is needed"
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))} is needed"
        kind = "whole number" if isinstance(self.default, int) else "number"
        bounds = (("from", self.minimum), ("up to", self.maximum))
        limits = [f"{word} {_write_limit(bound)}" for word, bound in bounds if isfinite(bound)]
        return f"a {' '.join([kind, *limits])} is needed"

    def read(self, text: str) -> Any:
        """Return the value that a text in a link names."""
        if self.is_switch:
            if text not in ("0", "1"):
                raise BadOption(f"{self.key} = {text[:20]!r}: write 0 or 1")
            return self.default if text == "0" else not self.default
        by_name = {str(choice): choice for choice in self.choices}
        if by_name:
            return self.check_value(by_name.get(text, text))
        number = float if self.optional else type(self.default)
        try:
            return self.check_value(number(text[:MAX_NUMBER_CHARS]))
        except (ValueError, OverflowError):
            raise BadOption(f"{self.key} = {short_repr(text)}: {self._describe_allowed()}") from None

    def write(self, value: Any) -> str:
        """Return the text that `read` turns into this value; empty for the default."""
        return "" if value == self.default else "1" if self.is_switch else str(value)

    def words(self, value: Any) -> str:
        """Describe a search with this value; empty for the default."""
        written = f"{value:g}" if isinstance(value, float) else value
        return "" if value == self.default else self.summary.format(value=written)


def _is_number(value: Any, like: Any) -> bool:
    return is_whole(value) or (isinstance(like, float) and isinstance(value, (float, np.floating)) and isfinite(value))


def _write_limit(number: float) -> str:
    """Return a limit of an option with all its digits, unless it is very small or very large.

    >>> _write_limit(2**53 - 1), _write_limit(1e6), _write_limit(0.25), _write_limit(1e-9), _write_limit(1e300)
    ('9,007,199,254,740,991', '1,000,000', '0.25', '1e-09', '1e+300')
    """
    return f"{int(number):,}" if number == int(number) and abs(number) <= MAX_WRITTEN_LIMIT else f"{number:g}"


CUT_ON_EQUAL = Option(
    name="cut_on_equal",
    default=True,
    label="Cut only when strictly better",
    line="Off: a cutoff as soon as a value reaches the other side's bound. On: only if the value is beyond the bound.",
    summary="strict cutoffs",
    link="strict",
    flag_line="Cut only when the value is strictly beyond the bound.",
)
AS_PUBLISHED = Option(
    name="as_published",
    default=False,
    label="As published, with its quirks",
    line="Run a preset with the quirks of its original program.",
    summary="as published",
    link="published",
    flag="--as-published",
    shared=True,
)

ORDER = Option(
    name="order",
    default="game",
    label="Order of moves",
    line="Which moves are tried first: as the game lists them (game), nearest to the middle (centre), by the static value after "
    "the move (static), moves that caused cutoffs before (killer, history or both), or the best move, by an oracle (best).",
    summary="order {value}",
    flag_line="Move ordering: game, centre, static, killer, history, killer-history, or best (an oracle).",
    choices=("game", "centre", "static", "killer", "history", "killer-history", "best"),
    readable=("static", "best"),
)
QUIESCENCE = Option(
    name="quiescence",
    default=0,
    label="Quiescence",
    line="How many moves the search goes beyond K, noisy ones only: for example moves that make or block a line. 0: none. The "
    "side to move may stand pat: it accepts the static value. The result is then no longer the value of minimax to K.",
    summary="quiescence {value}",
    flag_line="How many moves the search goes beyond K, noisy ones only. 0: none.",
    minimum=0,
    maximum=20,
    readable=tuple(range(1, 21)),
)
TABLE = Option(
    name="table",
    default=True,
    label="Without a table",
    line="The search only remembers the best line of the last pass, which is tried first.",
    summary="without a table",
    link="no-table",
)
WITH_TABLE = Option(
    name="table",
    default=False,
    label="With a table",
    line="Stored results answer later calls of the same position, or say which move to try first.",
    summary="with a table",
)
SCOUT = Option(
    name="scout",
    default=False,
    label="Scout",
    line="Later moves are only probed with a null window, as in principal variation search.",
    summary="with probes",
)
WITHOUT_SCOUT = Option(
    name="scout",
    default=True,
    label="Without scout",
    line="Later moves are searched with the whole window, as in alpha-beta.",
    summary="without probes",
    link="no-scout",
)
SLOTS = Option(
    name="slots",
    default=1 << 20,
    label="Table slots",
    line="Number of entries that the table has room for. 0: no limit.",
    summary="{value} slots",
    minimum=0,
    maximum=1 << 24,
)
ALL_SLOTS = replace(SLOTS, default=0)
REPLACE = Option(
    name="replace",
    default="depth",
    label="Replacement",
    line="When a new entry replaces the one in its slot: if it is at least as deep (depth), or always.",
    summary="replacement {value}",
    choices=("depth", "always"),
)
DRAFT = Option(
    name="draft",
    default="equal",
    label="Depth of entries",
    line="Which entries may answer: those searched to the required depth (equal), or deeper ones too (deeper). Deeper entries "
    "may give another value than a search to K.",
    summary="{value} entries may answer",
    choices=("equal", "deeper"),
)
GUESS = Option(
    name="guess",
    default=None,
    label="First guess",
    line="First guess of the value. If empty, aspiration search takes the static value of the position, and MTD(f) takes 0.",
    summary="guess {value}",
    optional=True,
    minimum=-1e300,
    maximum=1e300,
)
WIDTH = Option(
    name="width",
    default=10.0,
    label="Width",
    line="The window is guess − width to guess + width. From its second pass on, iterative deepening guesses the value of the "
    "last pass. With width 0 it uses the full window.",
    summary="width {value}",
    minimum=0.0,
    maximum=1e300,
)
NO_WIDTH = replace(WIDTH, default=0.0)
TABLE_OPTIONS = (SLOTS, REPLACE, DRAFT)


@dataclass(frozen=True)
class Algorithm:
    """One way to search. It returns the value for MAX.

    `run(game, record, state, plies, options)` searches and records. An algorithm that makes passes of alpha-beta has
    `run_passes(runner, game, state, plies, options)` instead, so that it runs with either `PassRunner`.
    """

    name: str  # in links, in files and on the command line
    title: str  # as people write it
    line: str  # what it does, in a few words
    run: Callable[[Any, Any, Any, int, Mapping[str, Any]], float] | None = None
    code: Pseudocode = field(default_factory=list)  # as it is with cut_on_equal
    words: Rules = field(default_factory=dict)  # its own narration rules, which come first
    columns: tuple[str, ...] = ()  # the optional ones that it writes; windows are recorded even if undeclared
    chance_columns: tuple[str, ...] = ()  # those that it writes only if chance moves in the game; empty: it refuses such games
    options: tuple[Option, ...] = ()
    laws: tuple[str, ...] = ()  # names in LAWS
    backup: str = "minmax"  # how values are backed up: see engine/tree/backups.py
    run_passes: Callable[[PassRunner, Any, Any, int, Mapping[str, Any]], float] | None = None
    additions: Mapping[str, bool] = field(default_factory=dict)  # fixed ones of its passes; the others are options
    kernel: str = ""  # the kernel that can run it, PLAIN or LADDER; only PLAIN knows the quirks of published programs
    iterate: Callable[[Any, Any, Any, Mapping[str, Any]], None] | None = (
        None  # runs in iterations: (game, record, state, options)
    )

    def __post_init__(self) -> None:
        if self.run is None and self.run_passes is None and self.iterate is None:
            raise PlyscopeError(f"the algorithm {self.name!r} cannot search: give it `run`, `run_passes` or `iterate`")
        for kind, names, known in (
            ("column", (*self.columns, *self.chance_columns), (*WINDOWS, *EXTRA_COLUMNS)),
            ("law", self.laws, ITERATION_LAWS if self.iterate else LAWS),
        ):
            for name in names:
                if name not in known:
                    raise UnknownName(kind, name, known)

    @property
    def windows(self) -> bool:
        """Return True if it passes alpha and beta down, so that they are recorded."""
        return set(WINDOWS) <= set(self.columns)

    @property
    def links(self) -> bool:
        """Return True if its rows point to earlier ones."""
        return LINK in self.columns

    @property
    def ordered(self) -> bool:
        """Return True if it tries the moves in the order of the game, so that the first of equal moves is best."""
        return "first of equals" in self.laws

    def option(self, name: str) -> Option:
        """Return the option of this name."""
        known = {option.name: option for option in self.options}
        if name not in known:
            raise UnknownName(f"option of {self.name}", name, known)
        return known[name]

    def settings(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return a value for every option: the chosen one, or the default. Raise UnknownName if an option is not declared."""
        for name in chosen:
            self.option(name)
        return {option.name: option.check_value(chosen.get(option.name, option.default)) for option in self.options}

    def choose_additions(self, settings: Mapping[str, Any]) -> Additions:
        """Return the additions of its passes with these options."""
        chosen = {name: settings[name] for name in (TABLE.name, SCOUT.name) if name in settings}
        return Additions(**{**chosen, **self.additions})

    def choose_kernel(self, settings: Mapping[str, Any]) -> str:
        """Return the kernel that runs it with these options: only LADDER has other orders than the game's."""
        return LADDER if self.kernel and settings.get("order", "game") != "game" else self.kernel

    def why_options_not_compiled(self, settings: Mapping[str, Any]) -> str:
        """Return the reason why a search with these options cannot run compiled; empty if it can."""
        if not self.kernel:
            return f"{self.name} has no compiled version"
        slow = [f"{option.name}={settings[option.name]}" for option in self.options if settings[option.name] in option.readable]
        return f"{self.name} has no compiled version with {' and '.join(slow)}" if slow else ""

    def extra_columns(self, settings: Mapping[str, Any], with_chance: bool = False) -> tuple[str, ...]:
        """Return the optional columns, without the window, that a search with these options writes.

        `with_chance`: chance moves in the game.
        """
        declared = (*self.columns, *(self.chance_columns if with_chance else ()))
        return tuple(name for name in EXTRA_COLUMNS if name in declared or (name == STATIC and self.stands_pat(settings)))

    def stands_pat(self, settings: Mapping[str, Any]) -> bool:
        """Return True if rows of a search with these options may stand pat, so that their static values are recorded."""
        return settings.get("quiescence", 0) > 0

    def max_table_entries(self, settings: Mapping[str, Any]) -> int:
        """Return the greatest number of table entries of a search with these options; 0 without a table."""
        if "slots" not in settings or settings.get("table") is False:
            return 0
        return settings["slots"] or UNLIMITED_ENTRIES

    def evaluates_leaves_only(self, settings: Mapping[str, Any]) -> bool:
        """Return True if a search with these options evaluates only leaves, which are rows."""
        return settings.get("order") not in ("static", "best") and settings.get("guess", 0.0) is not None

    def pseudocode(self, settings: Mapping[str, Any]) -> Pseudocode:
        """Return the lines of its pseudo-code with these options. With strict cutoffs an equal value does not cut."""
        code = select_lines(self.code, settings)
        if self.stands_pat(settings):
            code = add_quiescence(code, settings["quiescence"])
        return code if settings.get("cut_on_equal", True) else make_strict(code)


def depth_limit(plies: int) -> int | None:
    """Return K for this number of plies; None for more than MAX_DEPTH: a search to the end."""
    return None if plies > MAX_DEPTH else plies


def check_recursion_depth(depth: int) -> None:
    """Raise BadDepth if a search is about to recurse beyond MAX_DEPTH plies."""
    if depth >= MAX_DEPTH:
        raise BadDepth(f"the game goes on beyond {MAX_DEPTH} plies: give a smaller depth limit")
