"""What the arguments of a watched search mean, and where its score is: first by their names, then by how they behave.

A depth changes by the same step from a call to those it makes; a side takes few values; alpha stays below beta. The score is the
part of a result that follows the best, or the worst, of the scores of the calls below.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from engine.checker.recording.call_recorder import NOTHING, Calls
from engine.checker.recording.state_encoding import Attribute, decoded, is_number

NAMES = {
    "alpha": r"^_?(alpha|alfa|alph|a|α|lower(_?bound)?|low|lo|(best_?|meilleur_?|mejor_?)?(max|alpha)(_?(value|so_?far|score))?"
    r"|best_?x|unten)_?$",
    "beta": r"^_?(beta|bet|b|β|upper(_?bound)?|high|hi|(best_?|meilleur_?|mejor_?)?(min|beta)(_?(value|so_?far|score))?"
    r"|best_?o|oben)_?$",
    "depth": r"depth|tiefe|profond|^prof$|^pl(y|ies)|level|niveau|nivel|profundidad|ebene|^d$|livello|remaining|restant"
    r"|look_?ahead|hori[sz]on|diept",
    "side": r"maximi|is_?max|(ist|est|es|eh)_?max|^max$"
    r"|player|spieler|joueur|jugador|jogador|turn|turno|^tour$|colou?r|couleur|farbe|side|seite"
    r"|am_?zug|who|mark|piece|token|symbol|sign|jeton|ficha|stein|stone|disc|agent|^jog$",
    "state": r"board|brett|plateau|tablero|tabuleiro|state|zustand|etat|estado|grid|grille|node|game|feld|position|stellung"
    r"|situation|^s$|^b$",
}
FLAGS = r"maximi|is_?max|(ist|est|es|eh)_?max|^max$|^to_?max$"  # sides that say so, rather than a player
MOSTLY = 0.9  # of the calls
ROWS_FOR_STATE = 40
WIDE = 20  # the window of a search at its root, at least


class Roles(NamedTuple):
    """The argument that plays each role in a function; None where none does."""

    state: str | None = None
    depth: str | None = None
    alpha: str | None = None
    beta: str | None = None
    side: str | None = None


class Score(NamedTuple):
    """Where the score is in a result: no keys for the result itself, 0 for its first part …"""

    keys: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        return "result" + "".join(f".{key}" if isinstance(key, Attribute) else f"[{key!r}]" for key in self.keys)

    def of(self, result: Any) -> Any:
        """The score in a result as it was kept; None if it has none."""
        for key in self.keys:
            if isinstance(result, dict):
                result = result.get(key)
            elif isinstance(result, tuple) and isinstance(key, int) and key < len(result):
                result = result[key]
            else:
                return None
        return result if is_number(result) else None


def spelled(name: str) -> str:
    """A name in small letters, words apart.

    >>> spelled("maximizingPlayer")
    'maximizing_player'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


# ---- arguments


def roles_of(calls: Calls, function: int) -> Roles:
    """The roles of the arguments of one of the functions."""
    return _Arguments(calls, function).roles()


class _Arguments:
    """The arguments of one function, over all its calls."""

    def __init__(self, calls: Calls, function: int):
        self.calls = calls
        self.names = calls.functions[function].arguments
        self.rows = [row for row, number in enumerate(calls.function) if number == function]
        own = set(self.rows)
        self.edges = [(calls.parent[row], row) for row in self.rows if calls.parent[row] in own]
        self.free = list(self.names)

    def roles(self) -> Roles:
        alpha, beta = self._window()
        depth = self._take(self._named("depth", self._is_number) or self._steady())
        side = self._take(self._named_side() or self._flips())
        state = self._take(self._state())
        return Roles(state, depth, alpha, beta, side)

    def column(self, name: str) -> list[Any]:
        place = self.names.index(name)
        return [self.calls.arguments[row][place] for row in self.rows]

    def _take(self, name: str | None) -> str | None:
        if name is not None:
            self.free.remove(name)
        return name

    def _named(self, role: str, fits: Any) -> str | None:
        return next((name for name in self.free if re.search(NAMES[role], spelled(name)) and fits(name)), None)

    def _named_side(self) -> str | None:
        """The side that changes rather than one that stays, a flag rather than a player, the first rather than others."""
        named = [name for name in self.free if re.search(NAMES["side"], spelled(name)) and self._is_few(name)]
        stays = {name: len(set(map(repr, self.column(name)))) == 1 for name in named}
        return min(named, key=lambda name: (stays[name], not re.search(FLAGS, spelled(name))), default=None)

    def _window(self) -> tuple[str | None, str | None]:
        alpha, beta = (self._named(role, self._is_number) for role in ("alpha", "beta"))
        if alpha is None or beta is None or alpha == beta:
            alpha, beta = self._wide_pair()
        if alpha is None or beta is None:
            return (None, None)
        return self._take(alpha), self._take(beta)

    def _wide_pair(self) -> tuple[str | None, str | None]:
        """Two numbers side by side, the first below the second, from far below zero to far above it at the first call."""
        numbers = [name for name in self.free if self._is_number(name) and not re.search(NAMES["depth"], spelled(name))]
        for low, high in pairwise(numbers):
            lows, highs = self.column(low), self.column(high)
            apart = sum(one <= other for one, other in zip(lows, highs, strict=True))
            if lows[0] < 0 < highs[0] and highs[0] - lows[0] >= WIDE and apart >= MOSTLY * len(lows):
                return low, high
        return None, None

    def _is_number(self, name: str) -> bool:
        return _share(self.column(name), is_number) >= MOSTLY

    def _is_whole(self, name: str) -> bool:
        """Whole numbers; a search to the end may be given an infinite depth."""
        return _share(self.column(name), lambda value: _is_count(value) or value == math.inf) >= MOSTLY

    def _is_few(self, name: str) -> bool:
        values = self.column(name)
        return all(value is not None for value in values) and len(set(map(repr, values))) <= 4

    def _steady(self) -> str | None:
        """A whole number that changes by one from every call to those below it, and is not all that there is of the position."""
        for name in self.free:
            if self.edges and self._is_whole(name) and self._leaves_a_state(name):
                place = self.names.index(name)
                steps = Counter(
                    self.calls.arguments[row][place] - self.calls.arguments[above][place] for above, row in self.edges
                )
                step, times = steps.most_common(1)[0]
                if abs(step) == 1 and times >= MOSTLY * len(self.edges):
                    return name
        return None

    def _leaves_a_state(self, taken: str) -> bool:
        """Whether something besides an argument may be the position: another argument, or globals that change."""
        others = [name for name in self.free if name != taken and not re.search(NAMES["side"], spelled(name))]
        return bool(others) or len({self.calls.before[row] for row in self.rows}) > 1

    def _flips(self) -> str | None:
        """One of two values, the other one in every call below."""
        for name in self.free:
            values = set(map(repr, self.column(name)))
            place = self.names.index(name)
            if len(values) == 2 and self.edges:
                flips = [self.calls.arguments[row][place] != self.calls.arguments[above][place] for above, row in self.edges]
                if sum(flips) >= MOSTLY * len(flips):
                    return name
        return None

    def _state(self) -> str | None:
        """What is no number and not always the same: the best named of those; else the object; else what takes most values."""
        large = [name for name in self.free if _share(self.column(name), lambda value: value is None) >= MOSTLY]
        steady = self._unchanging(large)
        values = {name: len(set(map(repr, self.column(name)))) for name in self.free if name not in large}
        small = sorted((name for name in values if values[name] > 1), key=lambda name: -values[name])
        things = [name for name in large if name != "self" and name not in steady]
        named = [name for name in (*things, *small) if re.search(NAMES["state"], spelled(name))]
        owner = ["self"] if "self" in large and "self" not in steady else []
        rest = [name for name in self.free if name not in ("self", *values)]
        return next(iter([*named, *things, *owner, *small, *rest, *(name for name in large if name == "self")]), None)

    def _unchanging(self, large: list[str]) -> set[str]:
        """Those of the things, too large to be values, that are the same in all of the first calls: rules of the game, say."""
        contents: dict[str, set[str]] = {name: set() for name in large}
        for row in self.rows[:ROWS_FOR_STATE]:
            things = self._things(self.calls.before[row])
            given = zip(self.names, self.calls.arguments[row], strict=False)
            for name, thing in zip((name for name, value in given if value is None), things, strict=False):
                contents.setdefault(name, set()).add(repr(thing))
        return {name for name in large if len(contents[name]) == 1}

    @cached_property
    def _photographs(self) -> list[bytes]:
        return list(self.calls.positions)

    def _things(self, position: int) -> list[Any]:
        things = decoded(self._photographs[position]) if position != NOTHING else []
        return things if isinstance(things, list) else []


def _is_count(value: Any) -> bool:
    return is_number(value) and abs(value) < 1e9 and value == int(value)


def _share(values: Sequence[Any], fits: Any) -> float:
    return sum(1 for value in values if fits(value)) / len(values) if values else 0.0


# ---- the score


def score_in(calls: Calls) -> Score | None:
    """Where the score is in the results: the place whose numbers follow those below it; None if there are no numbers."""
    places = Counter(keys for result in calls.results if result is not None for keys in _places(result))
    if not places:
        return None
    children = children_of(calls)
    common = [keys for keys, times in places.items() if times >= 0.5 * max(places.values())]
    return max((Score(keys) for keys in common), key=lambda score: (_follows(calls, children, score), -common.index(score.keys)))


def _places(result: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of the numbers in a result."""
    if is_number(result):
        yield keys
    elif isinstance(result, tuple):
        for place, part in enumerate(result):
            yield from _places(part, (*keys, place))
    elif isinstance(result, dict):
        for name, part in result.items():
            yield from _places(part, (*keys, name))


def children_of(calls: Calls) -> list[list[int]]:
    """The calls that each call made, in order."""
    children: list[list[int]] = [[] for _ in range(len(calls))]
    for row, parent in enumerate(calls.parent):
        if parent != NOTHING:
            children[parent].append(row)
    return children


def _follows(calls: Calls, children: list[list[int]], score: Score) -> tuple[bool, float]:
    """Whether most leaves have a number there, and the share of calls whose number is the best or the worst of those below, or of
    their opposites; calls that tell nothing, because all below are alike, are left out."""
    leaves = leaves_with = telling = right = 0
    for row, below in enumerate(children):
        value = score.of(calls.results[row])
        if not below:
            leaves, leaves_with = leaves + 1, leaves_with + (value is not None)
        scores = [found for found in (score.of(calls.results[child]) for child in below) if found is not None]
        if value is None or len(set(scores)) < 2:
            continue
        telling += 1
        right += value in (max(scores), min(scores), -max(scores), -min(scores))
    return leaves_with >= MOSTLY * leaves, right / telling if telling else 0.0
