"""Infer the roles of the arguments of a search, and the place of its score: first by names, then by behaviour.

A depth changes by the same step from a call to those it makes. A side takes few values. Alpha stays below beta. The score
is the part of a result that follows the best, or the worst, of the scores of the calls below.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls
from engine.checker.recording.state_encoding import AttributeName, decode_state, is_number

ROLE_PATTERNS = {
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
MAXIMIZING_PATTERN = r"maximi|is_?max|(ist|est|es|eh)_?max|^max$|^to_?max$"  # names of a flag rather than a player
MIN_SHARE = 0.9  # of the calls that must agree
MAX_STATE_ROWS = 40
MAX_PATH_ROWS = 2_000
MAX_ROLE_ROWS = 20_000  # calls of a function that are read
COUNTER_PATTERN = r"depth|level|ply|plies|step|count|current|tiefe|nivel|niveau|profond|turn|round|moves?$"
BOOKKEEPING_PATTERN = r"explored|visited|count|history|statistic|^stats?$|max_depth|expanded|number_of|^num_|evaluated"
COORDINATE_WEIGHT = 0.5  # of the share of calls that a number in a pair explains
MIN_ROOT_WINDOW = 20  # width of the window at the root


class ArgumentRoles(NamedTuple):
    """The argument in each role of a function, None where there is none."""

    state: str | None = None
    depth: str | None = None
    alpha: str | None = None
    beta: str | None = None
    side: str | None = None


class ScorePath(NamedTuple):
    """The place of the score in a result: no keys for the result itself, 0 for its first part …"""

    keys: tuple[Any, ...] = ()

    @property
    def text(self) -> str:
        """Return the place as text, such as `result[0]`."""
        return "result" + "".join(f".{key}" if isinstance(key, AttributeName) else f"[{key!r}]" for key in self.keys)

    def read_score(self, result: Any) -> Any:
        """Return the score in a simplified result, or None. A number is a score itself: a helper may return only that."""
        for key in () if is_number(result) else self.keys:
            if isinstance(result, dict):
                result = result.get(key)
            elif isinstance(result, tuple) and isinstance(key, int) and key < len(result):
                result = result[key]
            else:
                return None
        return result if is_number(result) else None


def to_snake_case(name: str) -> str:
    """Return a name in lower case, with underscores between words.

    >>> to_snake_case("maximizingPlayer")
    'maximizing_player'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def read_side_flag(name: str, value: Any) -> bool | None:
    """Return True if a flag says that MAX is to move, False for MIN, None if it is no such flag.

    >>> read_side_flag("is_max", False), read_side_flag("minimizing", True), read_side_flag("player", True)
    (False, False, None)
    """
    snake = to_snake_case(name)
    is_max, is_min = "max" in snake, re.search(r"mini|is_?min", snake) is not None
    if not isinstance(value, bool) or is_max == is_min or (is_max and not re.search(MAXIMIZING_PATTERN, snake)):
        return None
    return value == is_max


# ---- arguments


def infer_roles(calls: RecordedCalls, function: int) -> ArgumentRoles:
    """Infer the roles of the arguments of one function."""
    return _ArgumentColumns(calls, function).infer_roles()


class _ArgumentColumns:
    """The arguments of one function over all its calls."""

    def __init__(self, calls: RecordedCalls, function: int):
        self.calls = calls
        self.names = calls.functions[function].arguments
        self.rows = [row for row, number in enumerate(calls.function) if number == function][:MAX_ROLE_ROWS]
        own = set(self.rows)
        self.edges = [(calls.parent[row], row) for row in self.rows if calls.parent[row] in own]
        self.paths = [(row, above) for row in self.rows[:MAX_PATH_ROWS] if (above := _nearest_above(calls, row)) != NO_ROW]
        self.free = list(self.names)

    def infer_roles(self) -> ArgumentRoles:
        alpha, beta = self._find_window()
        depth = self._claim_name(self._find_named_depth() or self._find_steady_counter())
        side = self._claim_name(self._find_named_side() or self._find_alternating())
        state = self._claim_name(self._find_state())
        return ArgumentRoles(state, depth, alpha, beta, side)

    def read_column(self, name: str) -> list[Any]:
        place = self.names.index(name)
        return [self.calls.arguments[row][place] for row in self.rows]

    def _claim_name(self, name: str | None) -> str | None:
        if name is not None:
            self.free.remove(name)
        return name

    def _find_named(self, role: str, fits: Any) -> str | None:
        return next((name for name in self.free if re.search(ROLE_PATTERNS[role], to_snake_case(name)) and fits(name)), None)

    def _find_named_depth(self) -> str | None:
        """Return the depth by its name. One that changes from call to call comes before a constant limit."""
        named = [name for name in self.free if re.search(ROLE_PATTERNS["depth"], to_snake_case(name)) and self._is_numeric(name)]
        counters = [name for name in self.free if self._has_whole_numbers(name)]
        moving = [name for name in (*named, *counters) if self._changes_along_paths(name)]
        named_moving = [name for name in moving if name in named]
        if named and not named_moving and any(re.search(COUNTER_PATTERN, to_snake_case(name)) for name in moving):
            return next(name for name in moving if re.search(COUNTER_PATTERN, to_snake_case(name)))
        return next(iter([*named_moving, *named]), None)

    def _changes_along_paths(self, name: str) -> bool:
        """Return True if the number is different from the last call of the same function above, nearly always."""
        place = self.names.index(name)
        arguments = self.calls.arguments
        changed = [arguments[row][place] != arguments[above][place] for row, above in self.paths]
        return bool(changed) and sum(changed) >= MIN_SHARE * len(changed)

    def _find_named_side(self) -> str | None:
        """Return the side argument by its name.

        One that changes comes before a constant one, a flag before a player, the first before others.
        """
        named = [
            name for name in self.free if re.search(ROLE_PATTERNS["side"], to_snake_case(name)) and self._has_few_values(name)
        ]
        stays = {name: len(set(map(repr, self.read_column(name)))) == 1 for name in named}
        return min(named, key=lambda name: (stays[name], not re.search(MAXIMIZING_PATTERN, to_snake_case(name))), default=None)

    def _find_window(self) -> tuple[str | None, str | None]:
        alpha, beta = (self._find_named(role, self._is_numeric) for role in ("alpha", "beta"))
        if alpha is None or beta is None or alpha == beta or self._is_closed_from_start(alpha, beta):
            alpha, beta = self._find_wide_pair()
        if alpha is None or beta is None:
            return (None, None)
        return self._claim_name(alpha), self._claim_name(beta)

    def _is_closed_from_start(self, alpha: str, beta: str) -> bool:
        """Return True if numbers with names of one letter are no window at the first call: a and b may be two scores."""
        return len(alpha) == len(beta) == 1 and self.read_column(alpha)[0] >= self.read_column(beta)[0]

    def _find_wide_pair(self) -> tuple[str | None, str | None]:
        """Return two neighbouring numbers: the first below the second, and far apart around zero at the first call."""
        numbers = [
            name for name in self.free if self._is_numeric(name) and not re.search(ROLE_PATTERNS["depth"], to_snake_case(name))
        ]
        for low, high in pairwise(numbers):
            lows, highs = self.read_column(low), self.read_column(high)
            apart = sum(one <= other for one, other in zip(lows, highs, strict=True))
            if lows[0] < 0 < highs[0] and highs[0] - lows[0] >= MIN_ROOT_WINDOW and apart >= MIN_SHARE * len(lows):
                return low, high
        return None, None

    def _is_numeric(self, name: str) -> bool:
        return _fitting_share(self.read_column(name), is_number) >= MIN_SHARE

    def _has_whole_numbers(self, name: str) -> bool:
        """Return True if most values are whole numbers. A search to the end may have an infinite depth."""
        return _fitting_share(self.read_column(name), lambda value: _is_whole_number(value) or value == math.inf) >= MIN_SHARE

    def _has_few_values(self, name: str) -> bool:
        values = self.read_column(name)
        return all(value is not None for value in values) and len(set(map(repr, values))) <= 4

    def _find_steady_counter(self) -> str | None:
        """Return a whole number that changes by one in each deeper call. Something else must hold the position."""
        for name in self.free:
            if self.edges and self._has_whole_numbers(name) and self._has_other_state(name):
                place = self.names.index(name)
                steps = Counter(
                    self.calls.arguments[row][place] - self.calls.arguments[above][place] for above, row in self.edges
                )
                step, times = steps.most_common(1)[0]
                if abs(step) == 1 and times >= MIN_SHARE * len(self.edges):
                    return name
        return None

    def _has_other_state(self, taken: str) -> bool:
        """Return True if something else may be the position: another argument, or globals that change."""
        others = [name for name in self.free if name != taken and not re.search(ROLE_PATTERNS["side"], to_snake_case(name))]
        return bool(others) or len({self.calls.before[row] for row in self.rows}) > 1

    def _find_alternating(self) -> str | None:
        """Return an argument with two values that changes in every call below."""
        for name in self.free:
            values = set(map(repr, self.read_column(name)))
            place = self.names.index(name)
            if len(values) == 2 and self.edges:
                flips = [self.calls.arguments[row][place] != self.calls.arguments[above][place] for above, row in self.edges]
                if sum(flips) >= MIN_SHARE * len(flips):
                    return name
        return None

    def _find_state(self) -> str | None:
        """Return the state argument: the best named thing that is neither a number nor constant.

        Else it is the object (`self`), else the argument with most values.
        """
        large = [name for name in self.free if _fitting_share(self.read_column(name), lambda value: value is None) >= MIN_SHARE]
        steady = self._find_constant_things(large)
        values = {name: len(set(map(repr, self.read_column(name)))) for name in self.free if name not in large}
        small = sorted((name for name in values if values[name] > 1), key=lambda name: -values[name])
        things = [name for name in large if name != "self" and name not in steady]
        things.sort(key=lambda name: bool(re.search(BOOKKEEPING_PATTERN, to_snake_case(name))))
        named = [
            name
            for name in (*things, *small)
            if re.search(ROLE_PATTERNS["state"], to_snake_case(name)) and not re.search(BOOKKEEPING_PATTERN, to_snake_case(name))
        ]
        owner = ["self"] if "self" in large and "self" not in steady else []
        rest = [name for name in self.free if name not in ("self", *values)]
        return next(iter([*named, *things, *owner, *small, *rest, *(name for name in large if name == "self")]), None)

    def _find_constant_things(self, large: list[str]) -> set[str]:
        """Return the things that are the same in all of the first calls, such as the rules of the game."""
        contents: dict[str, set[str]] = {name: set() for name in large}
        for row in self.rows[:MAX_STATE_ROWS]:
            things = self._decode_things(self.calls.before[row])
            named_values = zip(self.names, self.calls.arguments[row], strict=False)
            for name, thing in zip((name for name, value in named_values if value is None), things, strict=False):
                contents.setdefault(name, set()).add(repr(thing))
        return {name for name in large if len(contents[name]) == 1}

    @cached_property
    def _encoded_states(self) -> list[bytes]:
        return list(self.calls.positions)

    def _decode_things(self, position: int) -> list[Any]:
        things = decode_state(self._encoded_states[position]) if position != NO_ROW else []
        return things if isinstance(things, list) else []


def _nearest_above(calls: RecordedCalls, row: int) -> int:
    """Return the nearest call of the same function above a call, or NO_ROW."""
    above = calls.parent[row]
    while above != NO_ROW and calls.function[above] != calls.function[row]:
        above = calls.parent[above]
    return above


def _is_whole_number(value: Any) -> bool:
    return is_number(value) and abs(value) < 1e9 and value == int(value)


def _fitting_share(values: Sequence[Any], fits: Any) -> float:
    return sum(1 for value in values if fits(value)) / len(values) if values else 0.0


# ---- the score


def find_score(calls: RecordedCalls) -> ScorePath | None:
    """Find the place of the score: its numbers follow from those of the calls below. Return None if there are no numbers."""
    paths = list_score_paths(calls)
    children = list_children(calls)
    rates = {score: _rate_path(calls, children, score) for score in paths}
    weights = {score: COORDINATE_WEIGHT if _is_coordinate(score, paths) else 1.0 for score in paths}
    return max(paths, key=lambda score: (rates[score][0], weights[score] * rates[score][1], -paths.index(score)), default=None)


def _is_coordinate(score: ScorePath, paths: list[ScorePath]) -> bool:
    """Return True for a number in a pair inside the result, such as a square, if there is a number outside of pairs."""
    in_pair = len(score.keys) > 1 and sum(other.keys[:-1] == score.keys[:-1] for other in paths) > 1
    return in_pair and any(len(other.keys) <= 1 for other in paths)


def list_score_paths(calls: RecordedCalls) -> list[ScorePath]:
    """Return the places in the results that usually have a number."""
    places = Counter(keys for result in calls.results if result is not None for keys in _iterate_number_paths(result))
    return [ScorePath(keys) for keys, times in places.items() if times >= 0.5 * max(places.values())]


def _iterate_number_paths(result: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the keys that lead to each number in a result."""
    if is_number(result):
        yield keys
    elif isinstance(result, tuple):
        for place, part in enumerate(result):
            yield from _iterate_number_paths(part, (*keys, place))
    elif isinstance(result, dict):
        for name, part in result.items():
            yield from _iterate_number_paths(part, (*keys, name))


def list_children(calls: RecordedCalls) -> list[list[int]]:
    """Return the calls that each call made, in order."""
    children: list[list[int]] = [[] for _ in range(len(calls))]
    for row, parent in enumerate(calls.parent):
        if parent != NO_ROW:
            children[parent].append(row)
    return children


def _rate_path(calls: RecordedCalls, children: list[list[int]], score: ScorePath) -> tuple[bool, float]:
    """Return True if most leaves have a number there, and the share of calls whose number follows those below.

    It follows if it is the best or the worst of them, or of their opposites. Calls whose children are all equal are left out.
    """
    leaves = leaves_with = telling = right = 0
    for row, below in enumerate(children):
        value = score.read_score(calls.results[row])
        if not below:
            leaves, leaves_with = leaves + 1, leaves_with + (value is not None)
        scores = [found for found in (score.read_score(calls.results[child]) for child in below) if found is not None]
        if value is None or len(set(scores)) < 2:
            continue
        telling += 1
        right += value in (max(scores), min(scores), -max(scores), -min(scores))
    return leaves_with >= MIN_SHARE * leaves, right / telling if telling else 0.0
