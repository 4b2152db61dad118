"""An algorithm with chosen options, as one text: what the command line, links, files and labels call it.

alphabeta                         as usual
alphabeta:strict                  a switch is named
table:slots=1024:order=killer     every other option has a value; options stand in any order
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import Algorithm, Option
from engine.core.errors import BadList, BadOption, PlyscopeError, UnknownName, shortened
from engine.core.parsing import read_words

BETWEEN = ":"  # a comma stands between contenders
LARGEST_WHOLE = 1e15  # floats beyond it are written with an exponent


class Contender(NamedTuple):
    """One that is compared with others.

    >>> read_contender("alphabeta:strict")
    Contender(algorithm='alphabeta', given=(('cut_on_equal', False),))
    >>> read_contender("alphabeta:strict").text, read_contender("alphabeta:strict").title
    ('alphabeta:strict', 'alpha-beta (strict cutoffs)')
    """

    algorithm: str
    given: tuple[tuple[str, Any], ...] = ()  # the options that were named, with their values, in the order they are declared

    @property
    def facts(self) -> Algorithm:
        return ALGORITHMS[self.algorithm]

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.given)

    @property
    def text(self) -> str:
        """What `read_contender` turns into this one."""
        return BETWEEN.join([self.algorithm, *(_written(self.facts.option(name), value) for name, value in self.given)])

    @property
    def title(self) -> str:
        """As people write it."""
        said = [option.words(value) or _written(option, value) for option, value in self._chosen()]
        return f"{self.facts.title} ({', '.join(said)})" if said else self.facts.title

    def _chosen(self) -> Iterable[tuple[Option, Any]]:
        return ((self.facts.option(name), value) for name, value in self.given)


def contender(algorithm: str, **options: Any) -> Contender:
    """An algorithm with these options."""
    if algorithm not in ALGORITHMS:
        raise UnknownName("algorithm", algorithm, ALGORITHMS)
    facts = ALGORITHMS[algorithm]
    values = {name: facts.option(name).checked(value) for name, value in options.items() if value is not None}
    for name in values:
        if (option := facts.option(name)).shared:
            raise BadOption(f"{option.key} is for all that are compared or for none: choose it beside them, not for {algorithm}")
    return Contender(algorithm, tuple((option.name, values[option.name]) for option in facts.options if option.name in values))


def read_contender(text: str) -> Contender:
    """The contender that a text names."""
    if not isinstance(text, str):
        raise UnknownName("algorithm", text, ALGORITHMS)
    name, *pieces = (piece.strip() for piece in text.split(BETWEEN))
    if name not in ALGORITHMS:
        raise UnknownName("algorithm", name, ALGORITHMS)
    declared = {_key(option): option for option in ALGORITHMS[name].options if not option.shared}
    chosen: dict[str, Any] = {}
    for piece in pieces:
        key, equals, value = piece.partition("=")
        if key not in declared:
            raise UnknownName(f"option of {name}", key, declared)
        option = declared[key]
        if option.name in chosen:
            raise BadOption(f"{shortened(text)} names {key} twice: once is enough")
        if not equals and not option.is_switch:
            raise BadOption(f"{key} in {shortened(text)} has no value: write {key}={option.default}")
        chosen[option.name] = option.read(value if equals else "1")
    return contender(name, **chosen)


def read_contenders(listed: Iterable[str] | str) -> tuple[Contender, ...]:
    """Several, each once; as text with commas between them."""
    found = tuple(map(read_contender, read_words(listed, "algorithms")))
    if not found:
        raise PlyscopeError(f"there is no algorithm to compare: name each once, such as {','.join(ALGORITHMS)}")
    if len(set(found)) < len(found):
        raise BadList(f"the algorithms {','.join(one.text for one in found)[:60]!r}: name each once")
    return found


def title_of(text: str) -> str:
    """What people call the contender that a text names."""
    return read_contender(text).title


def _key(option: Option) -> str:
    """What an option is called here: a switch by what it does when it is not as usual."""
    return option.key if option.is_switch else option.name


def _written(option: Option, value: Any) -> str:
    if option.is_switch:
        return _key(option) if value != option.default else f"{_key(option)}=0"
    return f"{_key(option)}={value:.0f}" if _is_short(value) else f"{_key(option)}={value}"


def _is_short(value: Any) -> bool:
    """Whether it is a float that is better written without a point."""
    return isinstance(value, float) and abs(value) < LARGEST_WHOLE and value.is_integer()
