"""Positions to start a search with: globals, results of functions, objects of classes, boards that others start with."""

import ast
import inspect
import itertools
import re
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from engine.checker.discovery.argument_facts import (
    is_board_like,
    is_callable_without_arguments,
    is_program_object,
    statements_of,
)
from engine.checker.discovery.board_templates import iterate_boards
from engine.checker.discovery.project import ProjectModule
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.import_stubs import AbsorbingStub

if TYPE_CHECKING:
    from engine.checker.discovery.argument_synthesis import ArgumentSynthesizer

FACTORY_PATTERN = (
    r"^(create|make|new|init|initial|initiali[sz]e|empty|start|build|setup|reset|default|generate|get_?(initial|start|empty|new))"
)
STATE_PATTERN = ROLE_PATTERNS["state"] + r"|juego|jogo|spiel|partie|tic|ttt|connect|othello|plansza|campo"
MAX_NEAR_STATES = 2  # objects that lack an attribute


class PositionFinder:
    """Finds positions in a project, with the synthesizer that makes its objects."""

    def __init__(self, guess: "ArgumentSynthesizer"):
        self.guess = guess
        self.templates: set[str] = set()  # boards that the program does not show itself

    def choose_states(self, module: ProjectModule, function: ProgramFunction, name: str) -> Iterator[str]:
        """Yield positions to start with: globals, results of functions, objects of classes, boards that others start with."""
        near: dict[str, int] = {}  # objects that lack something, with the number of attributes that they have
        for text in itertools.chain(self._iterate_positions(module), self._iterate_assigned(name)):
            if self.guess.fits(module, function, name, text):
                yield text
            elif held := self.guess.count_fitting(module, function, name, text):
                near[text] = held
        yield from sorted(near, key=lambda text: -near[text])[:MAX_NEAR_STATES]  # the program may have forgotten an attribute
        use = self.guess.use_of(module, function, name)
        for text in itertools.islice(iterate_boards(use, self._collect_names(), self.guess.home.tree), 12):
            if self.guess.fits(module, function, name, text):
                self.templates.add(text)
                yield text

    def _collect_names(self) -> dict[str, Any]:
        """Return the globals of all modules that a start may need. Those of the module of the search come first."""
        names = dict(vars(self.guess.module))
        for module in self.guess.modules:
            for name, value in vars(self.guess.names.load(module) or ModuleType("")).items():
                names.setdefault(name, value)
        return names

    def _iterate_assigned(self, name: str) -> Iterator[str]:
        """Yield values that are assigned elsewhere to the argument's name, or to the name of a position.

        Examples: `board = [" "] * 9` in main, `self.board = …` in a window.
        """
        assigned = [
            (getattr(node.targets[0], "attr", getattr(node.targets[0], "id", "")), node.value, module, function)
            for module in self.guess.modules
            for function in (*module.functions.values(), None)
            for node in (statements_of(function.node) if function is not None else statements_of(module.tree))
            if isinstance(node, ast.Assign) and not isinstance(node.value, (ast.Constant, ast.Name))
        ]
        called_so = [one for one in assigned if one[0] == name]
        others = [one for one in assigned if one[0] != name and re.search(STATE_PATTERN, to_snake_case(one[0]))]
        for _, value, module, function in (*called_so[:8], *others[:8]):
            try:
                text = self.guess.closer.close(value, module, function)
                made = self.guess.names.evaluate(text)
            except (Exception, SystemExit):  # noqa: S112 - the program's own functions may raise anything
                continue
            if not is_simple_value(made) and not callable(made) and (not hasattr(made, "__len__") or len(made)):
                yield text

    def _iterate_positions(self, module: ProjectModule) -> Iterator[str]:
        homes = list({one.path: one for one in (self.guess.home, module, *self.guess.modules)}.values())
        for home in homes:
            yield from self._iterate_held_positions(home)
        for home in homes:
            yield from self._iterate_made_positions(home)
        for home in homes:
            yield from self._iterate_object_positions(home)

    def _iterate_held_positions(self, home: ProjectModule) -> Iterator[str]:
        held = [
            (name, value)
            for name, value in [*vars(self.guess.names.load(home) or ModuleType("")).items()]
            if not name.startswith("__")
        ]
        things = [(name, value) for name, value in held if not callable(value) and not inspect.ismodule(value)]
        things = [(name, value) for name, value in things if not isinstance(value, AbsorbingStub)]
        named = [
            (name, value)
            for name, value in things
            if re.search(STATE_PATTERN, name.lower()) and not isinstance(value, (int, float))
        ]
        yield from (self.guess.names.qualify(home, name) for name, _ in named)
        yield from (self.guess.names.qualify(home, name) for name, value in things if is_board_like(value) and not name.isupper())
        for name, value in named:
            for attribute, inner in getattr(value, "__dict__", {}).items():
                if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(inner) and attribute.isidentifier():
                    yield f"{self.guess.names.qualify(home, name)}.{attribute}"

    def _iterate_made_positions(self, home: ProjectModule) -> Iterator[str]:
        """Yield calls of functions that make a board."""
        held = [*vars(self.guess.names.load(home) or ModuleType("")).items()]
        makers = [
            name
            for name, value in held
            if inspect.isfunction(value) and is_program_object(value) and is_callable_without_arguments(value)
        ]
        made = [name for name in makers if re.search(FACTORY_PATTERN, name.lower())]
        named_after = [name for name in makers if re.search(STATE_PATTERN, name.lower()) and name not in made]
        for name in (*made, *named_after):
            if name not in self.guess.searching and not name.startswith("__"):
                yield f"{self.guess.names.qualify(home, name)}()"

    def _iterate_object_positions(self, home: ProjectModule) -> Iterator[str]:
        """Yield objects of classes, and the boards in them."""
        held = [*vars(self.guess.names.load(home) or ModuleType("")).items()]
        kinds = [
            name
            for name, value in held
            if inspect.isclass(value) and is_program_object(value) and value.__module__ == self.guess.loaded_name(home)
        ]
        for name in sorted(kinds, key=lambda name: not re.search(STATE_PATTERN, name.lower()))[:12]:
            for text in self.guess.object_texts(home, name)[:2]:
                yield text
                try:
                    inner = getattr(self.guess.names.evaluate(text), "__dict__", {})
                except (Exception, SystemExit):  # noqa: S112 - it worked before, but may not do so again
                    continue
                for attribute, value in inner.items():
                    if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(value) and attribute.isidentifier():
                        yield f"{text}.{attribute}"
