"""A kind of game: what the texts of its games begin with, how they are read, and what can be chosen about a game.

A text is the name of a kind, alone (tictactoe) or with what was chosen after a colon: name=value with commas between them
(connect:rows=4,cols=5), or one piece that the kind reads by itself (nim:3,4,5).
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.errors import BadBoard, PlyscopeError, UnknownName
from engine.core.parsing import whole_number

Chosen = Mapping[str, Any]  # what has been chosen so far, by the names of the fields


@dataclass(frozen=True, eq=False)
class NumberField:
    """A whole number to choose."""

    name: str  # in texts
    label: str  # in forms
    least: int
    most: int | Callable[[Chosen], int]
    help: str | None = None
    follows: str = ""  # another number that this one is equal to until it is chosen by itself
    lost: str = ""  # said if more was chosen before than is possible now; {most} stands for that
    value: Callable[[Any], Any] | None = None  # of a game; none: its attribute of that name

    def most_with(self, chosen: Chosen) -> int:
        """The greatest number that goes with what else has been chosen."""
        return self.most if isinstance(self.most, int) else self.most(chosen)


@dataclass(frozen=True, eq=False)
class ChoiceField:
    """One of several things to choose."""

    name: str
    label: str
    choices: Sequence[str] | Callable[[Chosen], Sequence[str]]
    usual: str  # taken where what was chosen before is not possible now
    help: str | None = None
    own: str = ""  # the choice that leaves it to the game: it is not written in texts
    fits: Callable[[str, Chosen], bool] | None = None  # any other text can be typed that fits
    lost: str = ""  # said if what was chosen before, {value}, is not possible now
    lines: Mapping[str, str] | None = None  # what each choice is
    below: bool = False  # whether the line of what is chosen stands below it, instead of one in each choice
    list_title: str = ""  # above the choices and their lines in the list of everything
    value: Callable[[Any], Any] | None = None

    def choices_with(self, chosen: Chosen) -> list[str]:
        """What can be chosen together with what else has been chosen."""
        return list(self.choices(chosen) if callable(self.choices) else self.choices)


@dataclass(frozen=True)
class TextField:
    """One text that is all there is after the colon."""

    label: str
    help: str
    is_tree: bool = False  # a tree, as tree_formats reads it: with many lines, built by clicking, or from a file


Field = NumberField | ChoiceField


@dataclass(frozen=True, eq=False)
class Kind:
    """What the rest of the project needs to know of the games whose texts begin with `name`."""

    name: str
    label: str  # in a list to choose from
    line: str  # what it is
    make: Callable[..., Any]  # the game with these options, or of this text
    example: str = ""  # a text that names such a game; empty: its name alone does
    fields: tuple[Field, ...] = ()  # all options
    form: tuple[tuple[str, ...], ...] = ()  # those that a form asks for, row by row
    rest: TextField | None = None  # instead of options
    plural: str = ""  # what such games are called where it is said which have an option: "Connect boards"
    noun: str = ""  # "there is no option of ..."; empty: its name
    hint: str | None = None  # in a form; None: the line
    listed: bool = True  # in the list of games
    published: bool = False  # a preset
    own: bool = False  # in a file of the user's: only this process knows it
    square: tuple[str, ...] = ()  # the options that are the size of a square board
    sizes: str | None = None  # of the boards that a tournament usually has, empty: the board of the game; None: it has no others
    like: Callable[[Any], str | None] | None = None  # the text of such a game that is most like another game
    rewrite: Callable[[dict[str, str]], dict[str, str]] = dict  # options, before they are written

    @property
    def needs_more(self) -> bool:
        """Whether the name alone is no game."""
        return ":" in self.example

    def field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    def has(self, name: str) -> bool:
        return any(field.name == name for field in self.fields)

    # ---- texts

    def read(self, text: str, evaluation: str | None = None) -> Any:
        """The game that a text names; `evaluation` replaces the one it would have."""
        rest = text.partition(":")[2]
        if self.needs_more and not rest:
            raise PlyscopeError(f"{text!r} lacks its parameters: write it like {self.example}")
        if self.rest is not None:
            return self.make(rest)
        if rest and not self.fields:
            raise PlyscopeError(f"{text!r}: {self.name} has no parameters")
        options = self._options(text, rest)
        if evaluation is not None:
            options["evaluation"] = evaluation
        for name in options:
            if not self.has(name):
                raise UnknownName(f"option of {self.noun or self.name}", name, tuple(field.name for field in self.fields))
        return self.make(**options)

    def _options(self, text: str, listed: str) -> dict[str, Any]:
        """The name=value pairs after the colon."""
        numbers = {field.name: field for field in self.fields if isinstance(field, NumberField)}
        options: dict[str, Any] = {}
        for piece in listed.split(",") if listed else []:
            name, equals, value = (part.strip() for part in piece.partition("="))
            if not equals or not value or name in options:
                raise PlyscopeError(f"{piece!r} in {text!r} is no option: write each once, as name=value")
            options[name] = read_whole(name, value, signed=numbers[name].least < 0) if name in numbers else value
        return options

    def values(self, game: Any) -> dict[str, Any]:
        """What a form shows of a game."""
        fields = (self.field(name) for row in self.form for name in row)
        return {field.name: field.value(game) if field.value else getattr(game, field.name) for field in fields}

    def write(self, chosen: Chosen) -> str:
        """The text of the game with these options: those that are not as usual."""
        parts = {name: str(value) for name, value in chosen.items() if not self._is_usual(name, chosen)}
        listed = ",".join(f"{name}={value}" for name, value in self.rewrite(parts).items())
        return f"{self.name}:{listed}" if listed else self.name

    def _is_usual(self, name: str, chosen: Chosen) -> bool:
        field = self.field(name)
        if isinstance(field, NumberField) and field.follows:
            return bool(chosen[name] == chosen[field.follows])
        own = isinstance(field, ChoiceField) and bool(field.own) and chosen[name] == field.own
        return own or (not self.needs_more and self._usual[name] == chosen[name])

    @cached_property
    def _usual(self) -> dict[str, Any]:
        return self.values(self.read(self.name))


def read_whole(what: str, text: str, signed: bool = False) -> int:
    """A whole number in a text; signed: below zero, too."""
    negative = signed and text.strip().startswith("-")
    number = whole_number(text.strip()[1:] if negative else text)
    if number is None:
        raise BadBoard(f"{what} {text.strip()!r} is no whole number")
    return -number if negative else number


def one_line(thing: Callable[..., Any]) -> str:
    """The first paragraph of its description, without a full stop."""
    paragraph = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).removesuffix(".")
