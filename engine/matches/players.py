"""The players of a match: a person, random moves, a search, or the solver. A player is a value. Its text is part of links and
keys.

    human
    random:seed=7
    search:depth=4,algorithm=minimax,evaluation=lines,order=centre,strict,published,faster      depth=end searches to the end
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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import MAX_DEPTH, Option
from engine.core.errors import BadDepth, PlyscopeError, TooDeep, UnknownName
from engine.core.parsing import depth_text, is_whole, whole_number
from engine.core.stop_reason import StopReason
from engine.games.capabilities import check_depth, declared_name, game_preset, has_leaf_values_only, wins_only_game
from engine.games.quirks import AS_TYPED
from engine.games.registry import has_options, list_games_with_options, replace_options
from engine.question import DEFAULT_ALGORITHM, Question
from engine.searcher import MAX_NODES, find_published_quirk, search_uninterrupted
from engine.solver.solvable import why_not_solvable
from engine.tree.tree import SearchTree

OnProgress = Callable[[int], object] | None
FASTER_WIN_KEY = "faster"
NAMED_OPTIONS = ("depth", "algorithm", "evaluation", "order")


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
class PerfectPlayer:
    """Plays the best move by the solver if that is found in time: see perfect_player.py."""


@dataclass(frozen=True, init=False)
class SearchPlayer:
    """Plays the best move of a search.

    Options of its algorithm have their names in links, except that the move ordering of the algorithm is called `ordering`:
    `order` is the child order of the game.
    """

    depth: int | None = 4  # K; None: to the end
    algorithm: str = DEFAULT_ALGORITHM
    evaluation: str = ""  # empty: the game's own; the same for `order`
    order: str = ""
    prefer_faster_win: bool = False
    settings: tuple[tuple[str, Any], ...] = ()  # every option of the algorithm with its value

    def __init__(
        self,
        depth: int | None = 4,
        algorithm: str = DEFAULT_ALGORITHM,
        evaluation: str = "",
        order: str = "",
        prefer_faster_win: bool = False,
        **options: Any,
    ):
        if algorithm not in ALGORITHMS:
            raise UnknownName("algorithm", algorithm, ALGORITHMS)
        if depth is not None and (not is_whole(depth) or not 1 <= depth <= MAX_DEPTH):
            raise BadDepth(f"a player of depth {depth!r} cannot choose a move: give 1 to {MAX_DEPTH} plies")
        names = {option_key(option): option.name for option in ALGORITHMS[algorithm].options}
        settings = tuple(ALGORITHMS[algorithm].settings({names.get(key, key): options[key] for key in options}).items())
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

    def replace(self, **changes: Any) -> "SearchPlayer":
        """Return the same player with these changes. Another algorithm keeps the chosen options that it knows."""
        parts = {name: changes.pop(name, getattr(self, name)) for name in self.__dataclass_fields__ if name != "settings"}
        known = {option_key(option) for option in ALGORITHMS[parts["algorithm"]].options}
        declared = ((option, self.options[option.name]) for option in ALGORITHMS[self.algorithm].options)
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
    known = ALGORITHMS[algorithm].options if algorithm in ALGORITHMS else ()
    keys = {option.name: option_key(option) for option in known}
    return {keys.get(name, name): value for name, value in options.items()}


MAX_GLANCE_NODES = 5_000  # of a first search for any forced win: most positions have none

Player = HumanPlayer | RandomPlayer | PerfectPlayer | SearchPlayer


class Choice(NamedTuple):
    """A move and, of a search player, the search that chose it: `search(question)` gives `tree` again."""

    move: int
    question: Question | None
    tree: SearchTree | None
    reason: str = ""  # with prefer_faster_win: "win" if one can be forced, "loss" if it can be delayed, "lost" if not
    truth: str = ""  # of a perfect player: the exact result of the move ("wins in 7"), if the position was solved
    shortened_to: int | None = None  # the depth that was searched, if the player's own depth was too large


def choose_random_move(player: RandomPlayer, legal: list[int], moves: tuple[int, ...]) -> Choice:
    """Return a random move. The same seed and moves always give the same one."""
    return Choice(Random(f"{player.seed}:{moves}").choice(legal), None, None)  # noqa: S311 - no secret


def deepest_choice(
    player: SearchPlayer, question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> Choice | None:
    """Return the move of a search player. If its depth needs too many nodes, use the deepest search that does not."""
    try:
        return choose_search_move(player, question, state, on_progress, max_nodes)
    except TooDeep:
        if not can_look_less_far(player, question.game):
            raise
    choice = None
    for depth in range(1, player.depth or MAX_DEPTH):
        try:
            found = choose_search_move(player.replace(depth=depth), question, state, on_progress, max_nodes)
        except TooDeep:
            if choice is None:
                raise
            break
        if found is None:
            return None
        choice = found._replace(shortened_to=depth)
    return choice


def can_look_less_far(player: Player, game: Any) -> bool:
    """Return True if a player can search to a smaller depth. In a literal tree only leaves have values."""
    return isinstance(player, SearchPlayer) and player.depth != 1 and not has_leaf_values_only(game)


def choose_search_move(
    player: SearchPlayer, question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> Choice | None:
    """Return the move of a search player in a state; None if `on_progress` stopped the search. `question` names game and
    position.
    """
    question = player.make_question(question)
    game = question.game
    if player.as_published:
        check_player(player, game, "max" if game.maximizing(state) else "min")

    def run(question: Question, max_nodes: int) -> SearchTree:
        again = question.replace(position=state, first=None)  # the state is known: no need to replay the moves
        return search_uninterrupted(again, max_nodes=max_nodes, on_progress=on_progress)

    def choose(**changes: Any) -> Choice | None:
        changed = question.replace(**changes)
        tree = run(changed, max_nodes)
        if tree.stopped == StopReason.CANCELLED:
            return None
        if tree.stopped == StopReason.MEMORY_LIMIT:
            raise TooDeep(f"a search to depth {changed.depth} needs more memory than it may use: lower the depth")
        if tree.stopped:
            raise TooDeep(f"a search to depth {changed.depth} needs more than {max_nodes:,} nodes: lower the depth")
        return Choice(tree.root.best_move, changed, tree)

    rules = wins_only_game(game) if player.prefer_faster_win else None
    if rules is None:
        return choose()
    if player.depth is not None:
        whole = run(question.replace(game=rules), min(MAX_GLANCE_NODES, max_nodes))
        if whole.complete and whole.root.value == 0:  # then neither side can force a win within fewer plies
            return choose()
    wanted = 1 if game.maximizing(state) else -1
    no_further = {"quiescence": 0} if player.options.get("quiescence") else {}  # each search must be exactly one ply deeper
    escape = None
    for depth in range(1, (player.depth or MAX_DEPTH) + 1):
        choice = choose(game=rules, depth=depth, **no_further)
        if choice is None or choice.tree is None:
            return None
        if choice.tree.root.value == wanted:
            return choice._replace(reason="win")
        if choice.tree.root.value == -wanted:
            if escape is not None:
                return escape._replace(reason="loss")
            last = choose()
            return last and last._replace(reason="lost")
        if choice.tree.leaves == choice.tree.terminals:  # deeper searches find the same
            break
        escape = choice
    return choose()


def check_player(player: Player, game: Any, side: str) -> None:
    """Raise PlyscopeError if a player cannot play this side of the game. Call it before anything is played."""
    if isinstance(player, PerfectPlayer) and (obstacle := why_not_solvable(game)):
        raise PlyscopeError(f"{declared_name(game)} has no perfect player: {obstacle}")
    if not isinstance(player, SearchPlayer):
        return
    seen = game_for_player(player, game)
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
    parts = [f"depth={depth_text(player.depth)}"]
    parts += [f"{name}={value}" for name in NAMED_OPTIONS[1:] if (value := getattr(player, name)) != getattr(SearchPlayer, name)]
    chosen = ((option, player.options[option.name]) for option in ALGORITHMS[player.algorithm].options)
    parts += [
        option_key(option) if option.is_switch else f"{option_key(option)}={value}"
        for option, value in chosen
        if option.write(value)
    ]
    parts += [FASTER_WIN_KEY] * player.prefer_faster_win
    return "search:" + ",".join(parts)


def read_player(text: str) -> Player:
    """Return the player that a text names.

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
    if kind != "search":
        raise UnknownName("player", text, ("human", "random:seed=7", "search:depth=4", "perfect"))
    name = next((piece.partition("=")[2] for piece in pieces if piece.startswith("algorithm=")), DEFAULT_ALGORITHM)
    if name not in ALGORITHMS:
        raise UnknownName("algorithm", name, ALGORITHMS)
    declared = {option_key(option): option for option in ALGORITHMS[name].options}
    switches = (*(key for key, option in declared.items() if option.is_switch), FASTER_WIN_KEY)
    values = _read_options(text, pieces, (*NAMED_OPTIONS, *(key for key in declared if key not in switches)), switches)
    depth, faster = values.pop("depth", "4"), values.pop(FASTER_WIN_KEY, "") != ""
    options = {key: declared[key].read(values.pop(key)) for key in [*values] if key in declared}
    return SearchPlayer(None if depth == "end" else _read_number(text, depth), prefer_faster_win=faster, **values, **options)


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
