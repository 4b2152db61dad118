"""Game types: the names that texts of games begin with, how these texts are read, and the options of a game.

A text is the name of a game type, alone (tictactoe) or with options after a colon: name=value with commas between
them (connect:rows=4,cols=5), or one piece that the game type reads by itself (nim:3,4,5).
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.core.errors import BadBoard, PlyscopeError, UnknownName
from engine.core.parsing import whole_number

ChosenOptions = Mapping[str, Any]  # the options chosen so far, by name of the field


@dataclass(frozen=True, eq=False)
class NumberField:
    """A whole number to choose."""

    name: str  # in texts
    label: str  # in forms
    minimum: int
    maximum: int | Callable[[ChosenOptions], int]
    help: str | None = None
    follows: str = ""  # another number that is its default
    lost: str = ""  # shown if the chosen number is too large now; {maximum} stands for the limit
    value: Callable[[Any], Any] | None = None  # reads it from a game; None: the attribute of that name

    def max_allowed(self, chosen: ChosenOptions) -> int:
        """Return the greatest number that is possible with the other chosen options."""
        return self.maximum if isinstance(self.maximum, int) else self.maximum(chosen)


@dataclass(frozen=True, eq=False)
class ChoiceField:
    """A choice between several values."""

    name: str
    label: str
    choices: Sequence[str] | Callable[[ChosenOptions], Sequence[str]]
    usual: str  # used if the earlier choice is not possible now
    help: str | None = None
    own: str = ""  # the choice that means the game's own value; it is not written in texts
    fits: Callable[[str, ChosenOptions], bool] | None = None  # tests other texts that are typed
    lost: str = ""  # shown if the earlier choice, {value}, is not possible now
    lines: Mapping[str, str] | None = None  # describes each choice
    titles: Mapping[str, str] | None = None  # names for a form, of choices whose own names are not words
    below: bool = False  # the description of the chosen value is shown below, instead of one in each choice
    list_title: str = ""  # heading in `plyscope list`
    value: Callable[[Any], Any] | None = None
    orders_moves: bool = False  # the form of a search asks for it together with the algorithm's order of moves

    def allowed_choices(self, chosen: ChosenOptions) -> list[str]:
        """Return the choices that are possible with the other chosen options."""
        return list(self.choices(chosen) if callable(self.choices) else self.choices)


@dataclass(frozen=True)
class TextField:
    """One text: everything after the colon."""

    label: str
    help: str
    is_tree: bool = False  # a tree that tree_formats reads: typed, built by clicking, or from a file


Field = NumberField | ChoiceField


@dataclass(frozen=True, eq=False)
class GameType:
    """A game type: everything that the project needs to know about games whose texts begin with `name`."""

    name: str
    label: str  # in a list to choose from
    line: str  # describes it in one line
    make: Callable[..., Any]  # makes the game from options, or from its text
    example: str = ""  # a text that names such a game; empty: its name alone does
    has_defaults: bool = False  # although there is an example, the name alone names a game too
    fields: tuple[Field, ...] = ()  # all options
    form: tuple[tuple[str, ...], ...] = ()  # those that a form asks for, row by row
    rest: TextField | None = None  # instead of options
    plural: str = ""  # the name of all such games in a sentence: "Connect boards"
    noun: str = ""  # the name in "there is no option of ..."; empty: `name`
    hint: str | None = None  # in a form; None: the line
    listed: bool = True  # in the list of games
    published: bool = False  # a preset
    own: bool = False  # defined in a user's file: only this process knows it
    square: tuple[str, ...] = ()  # the options that set the size of a square board
    sizes: str | None = None  # default board sizes of a tournament; empty: the game's own; None: not possible
    like: Callable[[Any], str | None] | None = None  # returns the text of such a game that resembles another game
    rewrite: Callable[[dict[str, str]], dict[str, str]] = dict  # changes the options before they are written

    @property
    def has_required_parameters(self) -> bool:
        """Return True if the name alone is not a game."""
        return ":" in self.example and not self.has_defaults

    def find_field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)

    def has_option(self, name: str) -> bool:
        return any(field.name == name for field in self.fields)

    # ---- texts

    def read(self, text: str, evaluation: str | None = None) -> Any:
        """Return the game that a text names; `evaluation` replaces its own."""
        rest = text.partition(":")[2]
        if self.has_required_parameters and not rest:
            raise PlyscopeError(f"{text!r} needs parameters: write it like {self.example}")
        if self.rest is not None:
            return self.make(rest)
        if rest and not self.fields:
            raise PlyscopeError(f"{text!r}: {self.name} takes no parameters")
        options = self._read_options(text, rest)
        if evaluation is not None:
            options["evaluation"] = evaluation
        for name in options:
            if not self.has_option(name):
                raise UnknownName(f"option of {self.noun or self.name}", name, tuple(field.name for field in self.fields))
        return self.make(**options)

    def _read_options(self, text: str, listed: str) -> dict[str, Any]:
        """Return the name=value pairs after the colon."""
        numbers = {field.name: field for field in self.fields if isinstance(field, NumberField)}
        options: dict[str, Any] = {}
        for piece in listed.split(",") if listed else []:
            name, equals, value = (part.strip() for part in piece.partition("="))
            if not equals or not value or name in options:
                raise PlyscopeError(f"{piece!r} in {text!r} is not an option: write each option once, as name=value")
            options[name] = read_whole_number(name, value, signed=numbers[name].minimum < 0) if name in numbers else value
        return options

    def values(self, game: Any) -> dict[str, Any]:
        """Return the values that a form shows for a game."""
        fields = (self.find_field(name) for row in self.form for name in row)
        return {field.name: field.value(game) if field.value else getattr(game, field.name) for field in fields}

    def write(self, chosen: ChosenOptions) -> str:
        """Return the text of the game with these options. Default values are left out."""
        parts = {name: str(value) for name, value in chosen.items() if not self._is_default(name, chosen)}
        listed = ",".join(f"{name}={value}" for name, value in self.rewrite(parts).items())
        return f"{self.name}:{listed}" if listed else self.name

    def _is_default(self, name: str, chosen: ChosenOptions) -> bool:
        field = self.find_field(name)
        if isinstance(field, NumberField) and field.follows:
            return bool(chosen[name] == chosen[field.follows])
        own = isinstance(field, ChoiceField) and bool(field.own) and chosen[name] == field.own
        return own or (not self.has_required_parameters and self._default_values[name] == chosen[name])

    @cached_property
    def _default_values(self) -> dict[str, Any]:
        return self.values(self.read(self.name))


Kind = GameType  # older extensions use this name


def read_whole_number(what: str, text: str, signed: bool = False) -> int:
    """Read a whole number from text; if `signed`, it may be negative."""
    negative = signed and text.strip().startswith("-")
    number = whole_number(text.strip()[1:] if negative else text)
    if number is None:
        raise BadBoard(f"{what} {text.strip()!r} is not a whole number")
    return -number if negative else number


def docstring_summary(thing: Callable[..., Any]) -> str:
    """Return the first paragraph of a docstring as one line, without its full stop."""
    paragraph = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return " ".join(paragraph.split()).removesuffix(".")
