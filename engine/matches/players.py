"""The players of a match: a person, random moves, a policy, a search, or the solver. A player is a value. Its text is part of
links and keys.

    human
    random:seed=7
    policy:hold=5                                       a rule of thumb that the game declares, with its number
    search:depth=4,algorithm=minimax,evaluation=lines,order=centre,strict,published,faster      depth=end searches to the end
    search:algorithm=mcts,iterations=1000,c=1.4,seed=7  a search in iterations has no depth
    mcts:iterations=1000                                short for search:algorithm=mcts,iterations=1000; so for every algorithm
    perfect

A textbook search may delay a win: all wins are equal to it, now or later. With `prefer_faster_win` (`faster`) a player first
searches to 1, 2, 3, ... plies, counting only wins, to see if a win can be forced. The shallowest search that finds one is the
fastest win, and its move is played. A forced loss is delayed in the same way, by the deepest search that still avoids it. If
neither is found, or every move loses at once, the ordinary search decides.

So the option works with any evaluation, even one that rates an unfinished position above a win. It needs no second version of
the search, runs compiled, and the move is chosen by a plain search like any other. It costs one more, shallower search per ply;
most of them are small. Where all games last equally long (rule `count`), and in literal trees, no win is faster than another, and
the option changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import Any

from engine.algorithms import all_algorithms, find_algorithm
from engine.algorithms.monte_carlo.options import ITERATIONS, MAX_SEED, SEED
from engine.algorithms.spec import MAX_DEPTH, Option
from engine.core.errors import BadDepth, PlyscopeError, UnknownName
from engine.core.parsing import depth_text, is_whole, whole_number
from engine.games.capabilities import check_depth, declared_name, game_preset
from engine.games.policies import check_policy
from engine.games.quirks import AS_TYPED
from engine.games.registry import has_options, list_games_with_options, replace_options
from engine.question import DEFAULT_ALGORITHM, Question
from engine.searcher import check_chance, find_published_quirk
from engine.solver.solvable import why_not_solvable

OnProgress = Callable[[int], object] | None
FASTER_WIN_KEY = "faster"
NAMED_OPTIONS = ("depth", "algorithm", "evaluation", "order")
DEFAULT_PLAYER_DEPTH = 4


@dataclass(frozen=True)
class HumanPlayer:
    """A person. The caller plays the moves."""


@dataclass(frozen=True)
class RandomPlayer:
    """Plays every legal move with the same probability. The seed and the moves so far decide, so a game can be resumed
    anywhere.
    """

    seed: int = 0


@dataclass(frozen=True)
class PolicyPlayer:
    """Plays by a rule that the game declares, such as `hold` of Pig: hold as soon as the turn total has reached the number."""

    policy: str
    number: int


@dataclass(frozen=True)
class PerfectPlayer:
    """Plays the best move by the solver if that is found in time: see perfect_player.py."""


@dataclass(frozen=True, init=False)
class SearchPlayer:
    """Plays the best move of a search.

    Options of its algorithm have their names in links, except that the move ordering of the algorithm is called `ordering`:
    `order` is the child order of the game.
    """

    depth: int | None = DEFAULT_PLAYER_DEPTH  # K; None: to the end, and for a search in iterations
    algorithm: str = DEFAULT_ALGORITHM
    evaluation: str = ""  # empty: the game's own; the same for `order`
    order: str = ""
    prefer_faster_win: bool = False
    settings: tuple[tuple[str, Any], ...] = ()  # every option of the algorithm with its value

    def __init__(
        self,
        depth: int | EllipsisType | None = ...,
        algorithm: str = DEFAULT_ALGORITHM,
        evaluation: str = "",
        order: str = "",
        prefer_faster_win: bool = False,
        **options: Any,
    ):
        declared = find_algorithm(algorithm)
        if isinstance(depth, EllipsisType):
            depth = DEFAULT_PLAYER_DEPTH if declared.iterate is None else None
        if declared.iterate is not None and (depth is not None or prefer_faster_win):
            what = "no depth limit" if depth is not None else "no depth by which it could prefer a faster win"
            raise BadDepth(f"{declared.title} has {what}: give it a number of iterations instead")
        if depth is not None and (not is_whole(depth) or not 1 <= depth <= MAX_DEPTH):
            raise BadDepth(f"a player of depth {depth!r} cannot choose a move: give 1 to {MAX_DEPTH} plies")
        names = {option_key(option): option.name for option in declared.options}
        settings = tuple(declared.settings({names.get(key, key): options[key] for key in options}).items())
        facts = (depth, algorithm, evaluation, order, prefer_faster_win, settings)
        for name, value in zip(self.__dataclass_fields__, facts, strict=True):
            object.__setattr__(self, name, value)
        if self.as_published and prefer_faster_win:
            raise PlyscopeError("no published program prefers the faster win: choose only one of the two")

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of the algorithm with their values."""
        return dict(self.settings)

    @property
    def as_published(self) -> bool:
        return bool(self.options.get("as_published"))

    @property
    def iterates(self) -> bool:
        """Return True if its search runs in iterations, so that it has no depth."""
        return find_algorithm(self.algorithm).iterate is not None

    def replace(self, **changes: Any) -> "SearchPlayer":
        """Return the same player with these changes. Another algorithm keeps the chosen options that it knows.

        Between searches with a depth and searches in iterations, depth and preference for a faster win are not kept.
        """
        now = find_algorithm(changes.get("algorithm", self.algorithm))
        kept = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "settings"}
        if (now.iterate is not None) != self.iterates:
            kept |= {"depth": ..., "prefer_faster_win": False}
        parts = {name: changes.pop(name, value) for name, value in kept.items()}
        known = {option_key(option) for option in now.options}
        declared = ((option, self.options[option.name]) for option in find_algorithm(self.algorithm).options)
        chosen = {
            option_key(option): value for option, value in declared if option_key(option) in known and value != option.default
        }
        return SearchPlayer(**parts, **{**chosen, **changes})

    def make_question(self, question: Question) -> Question:
        """Return the search that this player makes in the position of a question."""
        game = game_for_player(self, question.game)
        return Question(game, question.position, self.depth, self.algorithm, first=question.first, **self.options)


def option_key(option: Option) -> str:
    """Return the name of an algorithm's option in a player: as in links, except names that mean something else here."""
    return "ordering" if option.key == "order" else option.key


def options_by_key(algorithm: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an algorithm under the names that a player uses."""
    known = algorithm_spec.options if (algorithm_spec := all_algorithms().get(algorithm)) else ()
    keys = {option.name: option_key(option) for option in known}
    return {keys.get(name, name): value for name, value in options.items()}


Player = HumanPlayer | RandomPlayer | PolicyPlayer | PerfectPlayer | SearchPlayer


def seed_player(player: Player, number: int) -> Player:
    """Return the same player with other random numbers in each game: its seed plus the number of the game."""
    if isinstance(player, RandomPlayer):
        return RandomPlayer(player.seed + number)
    if isinstance(player, SearchPlayer) and SEED.name in player.options:
        return player.replace(**{SEED.name: (player.options[SEED.name] + number) % (MAX_SEED + 1)})
    return player


def has_random_numbers(player: Player) -> bool:
    """Return True if a seed changes how a player plays."""
    return seed_player(player, 1) != player


def check_player(player: Player, game: Any, side: str) -> None:
    """Raise PlyscopeError if a player cannot play this side of the game. Call it before anything is played."""
    if isinstance(player, PerfectPlayer) and (obstacle := why_not_solvable(game)):
        raise PlyscopeError(f"{declared_name(game)} has no perfect player: {obstacle}")
    if isinstance(player, PolicyPlayer):
        check_policy(game, player.policy, player.number)
    if not isinstance(player, SearchPlayer):
        return
    seen = game_for_player(player, game)
    check_chance(player.make_question(Question(game)))
    check_depth(seen, player.depth, seen.start())
    if player.as_published and find_published_quirk(seen) == AS_TYPED and side == "min":
        raise PlyscopeError(f"the program of {game_preset(seen)} plays only MAX: as published it cannot play MIN")


def game_for_player(player: SearchPlayer, game: Any) -> Any:
    """Return the game as the player sees it: with the player's evaluation and child order, if it has any."""
    changes = {name: value for name in ("evaluation", "order") if (value := getattr(player, name))}
    if not changes:
        return game
    if not has_options(game, changes):
        raise PlyscopeError(f"only {list_games_with_options(changes)} have an evaluation and a child order to choose")
    return replace_options(game, changes)


# ---- players as text


def player_text(player: Player) -> str:
    """Return the text that `read_player` turns into this player.

    >>> player_text(SearchPlayer(3, evaluation="lines", prefer_faster_win=True)), player_text(SearchPlayer(None))
    ('search:depth=3,evaluation=lines,faster', 'search:depth=end')
    """
    if isinstance(player, HumanPlayer):
        return "human"
    if isinstance(player, RandomPlayer):
        return f"random:seed={player.seed}"
    if isinstance(player, PerfectPlayer):
        return "perfect"
    if isinstance(player, PolicyPlayer):
        return f"policy:{player.policy}={player.number}"
    parts = [] if player.iterates else [f"depth={depth_text(player.depth)}"]
    parts += [f"{name}={value}" for name in NAMED_OPTIONS[1:] if (value := getattr(player, name)) != getattr(SearchPlayer, name)]
    chosen = ((option, player.options[option.name]) for option in find_algorithm(player.algorithm).options)
    parts += [
        option_key(option) if option.is_switch else f"{option_key(option)}={value}"
        for option, value in chosen
        if option.write(value) or option.name == ITERATIONS.name
    ]
    parts += [FASTER_WIN_KEY] * player.prefer_faster_win
    return "search:" + ",".join(parts)


def read_player(text: str) -> Player:
    """Return the player that a text names.

    >>> player_text(read_player("mcts:iterations=200,seed=7"))
    'search:algorithm=mcts,iterations=200,seed=7'
    >>> read_player("search:depth=2,strict")
    SearchPlayer(depth=2, algorithm='alphabeta', evaluation='', order='', prefer_faster_win=False, \
settings=(('cut_on_equal', False), ('as_published', False), ('order', 'game'), \
('quiescence', 0)))
    """
    kind, _, listed = text.strip().partition(":")
    pieces = [piece.strip() for piece in listed.split(",")] if listed else []
    if kind == "human" and not pieces:
        return HumanPlayer()
    if kind == "perfect" and not pieces:
        return PerfectPlayer()
    if kind == "random":
        options = _read_options(text, pieces, ("seed",))
        return RandomPlayer(_read_number(text, options.get("seed", "0")))
    if kind == "policy":
        name, _, number = listed.partition("=")
        return PolicyPlayer(name.strip(), _read_number(text, number.strip()))
    if kind in all_algorithms():
        pieces.append(f"algorithm={kind}")
    elif kind != "search":
        examples = ("human", "random:seed=7", "search:depth=4", "mcts:iterations=1000", "policy:hold=5", "perfect")
        raise UnknownName("player", text, examples)
    return _read_search_player(text, pieces)


def names_search_size(text: str) -> bool:
    """Return True if the text of a search player names its depth or its number of iterations.

    >>> names_search_size("mcts:iterations=100"), names_search_size("mcts:c=0.5")
    (True, False)
    """
    names = ("depth", ITERATIONS.name)
    return any(piece.strip().partition("=")[0] in names for piece in text.partition(":")[2].split(","))


def read_players(texts: Iterable[str]) -> tuple[Player, ...]:
    """Return several different players. Raise PlyscopeError if one is named twice."""
    found = tuple(map(read_player, texts))
    if len(set(found)) < len(found):
        raise PlyscopeError(f"the players {', '.join(map(player_text, found))[:100]!r} repeat one: name each once")
    return found


def _read_search_player(text: str, pieces: list[str]) -> SearchPlayer:
    named = [piece.partition("=")[2] for piece in pieces if piece.startswith("algorithm=")]
    if len(named) > 1:
        raise PlyscopeError(f"the player {text[:60]!r} names two algorithms: name one")
    algorithm = find_algorithm(named[0] if named else DEFAULT_ALGORITHM)
    declared = {option_key(option): option for option in algorithm.options}
    switches = (*(key for key, option in declared.items() if option.is_switch), FASTER_WIN_KEY)
    values = _read_options(text, pieces, (*NAMED_OPTIONS, *(key for key in declared if key not in switches)), switches)
    depth, faster = values.pop("depth", ""), values.pop(FASTER_WIN_KEY, "") != ""
    options = {key: declared[key].read(values.pop(key)) for key in [*values] if key in declared}
    plies = ... if not depth else None if depth == "end" else _read_number(text, depth)
    return SearchPlayer(plies, prefer_faster_win=faster, **values, **options)


def _read_options(text: str, pieces: list[str], names: tuple[str, ...], switches: tuple[str, ...] = ()) -> dict[str, str]:
    options: dict[str, str] = {}
    for piece in pieces:
        name, equals, value = piece.partition("=")
        if piece in switches:
            value = "1"
        elif name not in names or not equals or not value:
            raise UnknownName(f"option of the player {text!r}:", piece, (*(f"{name}=" for name in names), *switches))
        options[name] = value
    return options


def _read_number(text: str, digits: str) -> int:
    number = whole_number(digits, 18)
    if number is None:
        raise PlyscopeError(f"{digits[:20]!r} in the player {text[:60]!r} is not a whole number")
    return number
