"""A variant: an algorithm with chosen options, as one text on the command line, in links, files and labels.

alphabeta                         with its default options
alphabeta:strict                  a switch is named
table:slots=1024:order=killer     every other option has a value; the order of options does not matter
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS, ITERATIVE_ALGORITHMS
from engine.algorithms.spec import Algorithm, Option
from engine.core.errors import BadList, BadOption, PlyscopeError, UnknownName, short_repr
from engine.core.parsing import read_words

OPTION_SEPARATOR = ":"  # commas separate variants
MAX_PLAIN_FLOAT = 1e15  # floats beyond it are written with an exponent


class Variant(NamedTuple):
    """An algorithm with chosen options.

    >>> read_variant("alphabeta:strict")
    Variant(algorithm='alphabeta', chosen=(('cut_on_equal', False),))
    >>> read_variant("alphabeta:strict").text, read_variant("alphabeta:strict").title
    ('alphabeta:strict', 'alpha-beta (strict cutoffs)')
    """

    algorithm: str
    chosen: tuple[tuple[str, Any], ...] = ()  # the named options with their values, in the order of declaration

    @property
    def spec(self) -> Algorithm:
        return ALGORITHMS[self.algorithm]

    @property
    def options(self) -> dict[str, Any]:
        return dict(self.chosen)

    @property
    def text(self) -> str:
        """Return the text that `read_variant` turns into this variant."""
        return OPTION_SEPARATOR.join(
            [self.algorithm, *(_format_option(self.spec.option(name), value) for name, value in self.chosen)]
        )

    @property
    def title(self) -> str:
        """Return the title that people read."""
        parts = [option.words(value) or _format_option(option, value) for option, value in self._chosen_options()]
        return f"{self.spec.title} ({', '.join(parts)})" if parts else self.spec.title

    def _chosen_options(self) -> Iterable[tuple[Option, Any]]:
        return ((self.spec.option(name), value) for name, value in self.chosen)


def make_variant(algorithm: str, **options: Any) -> Variant:
    """Return an algorithm with these options."""
    _check_depth_limit(algorithm)
    spec = ALGORITHMS[algorithm]
    values = {name: spec.option(name).check_value(value) for name, value in options.items() if value is not None}
    for name in values:
        if (option := spec.option(name)).shared:
            raise BadOption(f"{option.key} applies to the whole comparison: choose it there, not for {algorithm}")
    return Variant(algorithm, tuple((option.name, values[option.name]) for option in spec.options if option.name in values))


def _check_depth_limit(algorithm: str) -> None:
    """Raise an error unless this is the name of an algorithm with a depth limit, which a comparison needs."""
    if algorithm in ITERATIVE_ALGORITHMS:
        problem = f"{algorithm} runs in iterations, so it is not compared depth by depth"
        raise PlyscopeError(f"{problem}: use `plyscope evaluate GAME --player {algorithm} --player alphabeta`")
    if algorithm not in ALGORITHMS:
        raise UnknownName("algorithm", algorithm, ALGORITHMS)


def read_variant(text: str) -> Variant:
    """Return the variant that a text names."""
    if not isinstance(text, str):
        raise UnknownName("algorithm", text, ALGORITHMS)
    name, *pieces = (piece.strip() for piece in text.split(OPTION_SEPARATOR))
    _check_depth_limit(name)
    declared = {_option_key(option): option for option in ALGORITHMS[name].options if not option.shared}
    chosen: dict[str, Any] = {}
    for piece in pieces:
        key, equals, value = piece.partition("=")
        if key not in declared:
            raise UnknownName(f"option of {name}", key, declared)
        option = declared[key]
        if option.name in chosen:
            raise BadOption(f"{short_repr(text)} names {key} twice: name it once")
        if not equals and not option.is_switch:
            raise BadOption(f"{key} in {short_repr(text)} has no value: write {key}={option.default}")
        chosen[option.name] = option.read(value if equals else "1")
    return make_variant(name, **chosen)


def read_variants(listed: Iterable[str] | str) -> tuple[Variant, ...]:
    """Return several different variants. As text they are separated by commas."""
    found = tuple(map(read_variant, read_words(listed, "algorithms")))
    if not found:
        raise PlyscopeError(f"no algorithm is named: name at least one, such as {','.join(ALGORITHMS)}")
    if len(set(found)) < len(found):
        raise BadList(f"the algorithms {','.join(one.text for one in found)[:60]!r} repeat one: name each once")
    return found


def variant_title(text: str) -> str:
    """Return the title of the variant that a text names."""
    return read_variant(text).title


def _option_key(option: Option) -> str:
    """Return the name of an option here. A switch is named by its effect when it does not have its default."""
    return option.key if option.is_switch else option.name


def _format_option(option: Option, value: Any) -> str:
    if option.is_switch:
        return _option_key(option) if value != option.default else f"{_option_key(option)}=0"
    return f"{_option_key(option)}={value:.0f}" if _is_short_float(value) else f"{_option_key(option)}={value}"


def _is_short_float(value: Any) -> bool:
    """Return True if the value is a float that is better written without a point."""
    return isinstance(value, float) and abs(value) < MAX_PLAIN_FLOAT and value.is_integer()
