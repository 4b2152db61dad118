"""What the user asks for, as it stands in the address of a page. Everything in an address is foreign: checked here, once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from engine import PlyscopeError
from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import MAX_DEPTH
from engine.algorithms.variants import read_contenders
from engine.analysis.comparison import COMPARED
from engine.core.errors import UnknownName
from engine.core.parsing import plies, read_depths, read_numbers, whole_number
from engine.games.capabilities import default_depth, only_leaves_count, preset_of
from engine.games.positions import first_is_max, read_position
from engine.games.registry import read_game
from engine.matches.match import Match, starting_side, usual_first
from engine.matches.players import check_player, player_text, read_player
from engine.matches.tournament_grid import Grid, plans, usual_sizes, usual_tournament_depths
from engine.question import Question
from visualizer.app.state.large_trees import LONGEST, digest_in, game_on_page, name_on_page, text_on_page
from visualizer.narration.glossary import PRESET_LINES
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import counted
from visualizer.viewer.weighted_lru import Recent

MOST_DEPTHS, MOST_REPEATS, MOST_CONTENDERS = 20, 20, 12  # of a comparison that a page asks for
MOST_PAGE_GAMES, MOST_PAGE_DEPTH = 2000, 8  # different games of a tournament, and how deep its players look
MOST_PLIES = 8  # that a player on a page looks ahead, unless its link says otherwise
KEPT_MATCHES = 500
TO_THE_END = "search:depth=end,faster"  # who plays a tree, whose inner nodes have no value
MOST_GAMES, MOST_OPENINGS, MOST_SEED = 100, 20, 1_000_000


USUAL = Question(read_game("k-tables"), "3", depth=3)


def parameters_of(question: Question) -> dict[str, str]:
    """A search as parts of an address."""
    parts = {"game": text_on_page(question.game), "moves": question.position_text or "", "algorithm": question.algorithm}
    parts["depth"] = plies(question.depth)
    if question.first:
        parts["first"] = question.first
    return parts | {option.key: option.write(value) for option, value in question.chosen}


def key_of(question: Question) -> str:
    """The same as one text, by which caches and widgets know it."""
    return urlencode(parameters_of(question))


def words_of(question: Question) -> str:
    """A search in one line, for people."""
    plies = "to the end" if question.depth is None else f"K={question.depth}"
    return " · ".join([*position_words(question), ALGORITHMS[question.algorithm].title, plies, *extra_words(question)])


def position_words(question: Question) -> list[str]:
    moves = spoken_moves(question.game, question.position_text or "")
    return [name_on_page(question.game), f"after {moves}" if moves else "from the start"]


def extra_words(question: Question) -> list[str]:
    first = [f"{question.first.upper()} moved first"] if question.first else []
    return first + question.extras


@dataclass(frozen=True)
class Comparing:
    """One comparison, in words: a search for each depth by each algorithm."""

    search: Question = USUAL  # its algorithm and depth mean nothing here
    depths: str = "1-5"
    repeat: int = 3
    algorithms: tuple[str, ...] = COMPARED  # with options of their own

    def parameters(self) -> dict[str, str]:
        """As parts of an address."""
        parts = {name: text for name, text in parameters_of(self.search).items() if name not in ("algorithm", "depth")}
        parts |= {"depths": self.depths, "repeat": str(self.repeat)}
        return parts if self.algorithms == COMPARED else {**parts, "algorithms": ",".join(self.algorithms)}

    def words(self) -> str:
        """One line for people."""
        return " · ".join([*position_words(self.search), f"K={self.depths}", *extra_words(self.search)])

    @cached_property
    def key(self) -> str:
        """All of it as one text, by which caches and widgets know it."""
        return urlencode(self.parameters())


def _example(game: str, moves: str = "", depth: int | None = None, algorithm: str = "alphabeta") -> Question:
    return Question(read_game(game), moves or None, depth, algorithm)


EXAMPLES = {
    "Textbook tree": _example("tree:[[3,12,8],[2,4,6],[14,5,2]]"),
    "k-tables": USUAL,
    "threats": _example("threats", depth=3),
    "full-depth": _example("full-depth", depth=4),
    "connect-m": _example("connect-m", depth=4),
    "long-state": _example("long-state", "1010012133334346464663", 4),
    "Tic-tac-toe": _example("tictactoe", "4081", 5),
    "Nim": _example("nim:1,2,3"),
    "Large: 137,256 nodes": _example("k-tables", "3", 6, "minimax"),
}


EXAMPLE_LINES = {
    "Textbook tree": "The tree of many textbooks: alpha-beta looks at 7 of its 9 leaves",
    **{name: PRESET_LINES[name] for name in EXAMPLES if name in PRESET_LINES},
    "Tic-tac-toe": "Five squares are left: the whole rest of the game",
    "Nim": "Heaps of 1, 2 and 3, searched to the end: who moves first loses",
    "Large: 137,256 nodes": "The largest tree of report 5: minimax, K = 6",
}


def read_search(parameters: Mapping[str, str]) -> tuple[Question, str]:
    """The search of an address, and what in it could not be used; then the search is the usual example."""
    if "game" not in parameters:
        parameters = {**parameters_of(USUAL), **parameters}
    try:
        return _checked(parameters), ""
    except PlyscopeError as error:
        return USUAL, str(error)


def read_comparing(parameters: Mapping[str, str]) -> tuple[Comparing, str]:
    """The comparison of an address, in the same way."""
    usual = Comparing()
    if "game" not in parameters:
        parameters = {**usual.parameters(), **parameters}
    try:
        search = _checked({**parameters, "algorithm": "minimax", "depth": "end"})
        depths = parameters.get("depths", "") or usual_depths(search.game)
        for depth in (listed := read_depths(depths)):
            if depth is not None and depth > MAX_DEPTH:
                raise PlyscopeError(f"K = {depth} is too deep: give at most {MAX_DEPTH}")
        if len(listed) > MOST_DEPTHS:
            raise PlyscopeError(f"{len(listed)} depths: give at most {MOST_DEPTHS}")
        repeat = whole_number(parameters.get("repeat", str(usual.repeat)))
        if repeat is None or not 1 <= repeat <= MOST_REPEATS:
            raise PlyscopeError(f"{parameters['repeat'][:20]!r} repeats: give 1 to {MOST_REPEATS}")
        contenders = read_contenders(parameters.get("algorithms", "") or COMPARED)
        if len(contenders) > MOST_CONTENDERS:
            raise PlyscopeError(f"{len(contenders)} algorithms: give at most {MOST_CONTENDERS}")
        return Comparing(search, depths, repeat, tuple(one.text for one in contenders)), ""
    except PlyscopeError as error:
        return usual, str(error)


def usual_depths(game: Any) -> str:
    """Of a comparison. Literal trees are searched to the end."""
    return "end" if default_depth(game) is None else Comparing().depths


def _check_lengths(parameters: Mapping[str, str]) -> None:
    for name, text in parameters.items():
        if len(text) > LONGEST:
            raise PlyscopeError(f"{name} is longer than {LONGEST:,} characters: open a tree of that size from a file")


def _checked(parameters: Mapping[str, str]) -> Question:
    _check_lengths(parameters)
    game = game_on_page(parameters.get("game", "k-tables"))
    moves, first = parameters.get("moves", ""), parameters.get("first", "")
    read_position(game, moves or None, first or None)
    algorithm = parameters.get("algorithm", "alphabeta")
    if algorithm not in ALGORITHMS:
        raise PlyscopeError(f"there is no algorithm {algorithm!r}")
    declared = ALGORITHMS[algorithm].options
    options = {option.name: option.read(parameters[option.key]) for option in declared if option.key in parameters}
    if options.get("as_published") and not preset_of(game):
        raise PlyscopeError("only presets can run as published")
    depth = _depth(game, parameters.get("depth", ""))
    return Question(game, moves or None, depth, algorithm, first=first or None, **options)


def _depth(game: Any, text: str) -> int | None:
    if text in ("", "end"):
        return default_depth(game) if text == "" else None
    depth = whole_number(text)
    if depth is None or depth > MAX_DEPTH:
        raise PlyscopeError(f"K = {text[:20]!r} is no number of plies: give 0 to {MAX_DEPTH}, or end")
    return depth


@dataclass(frozen=True)
class Playing:
    """One game between two players, in words."""

    game: str = "connect4"
    moves: str = ""
    first: str = "max"  # who started
    max_player: str = "human"
    min_player: str = "search:depth=4,faster"
    starts: str = "max"  # who is to start the next game: max, min, random

    def parameters(self) -> dict[str, str]:
        """As parts of an address."""
        parts = {"game": self.game, "moves": self.moves, "first": self.first, "max": self.max_player, "min": self.min_player}
        return parts if self.starts == self.first else {**parts, "starts": self.starts}

    def match(self) -> Match:
        """The match, at the last move. It never changes, so one may serve many times."""
        if digest_in(self.game):  # large trees are kept elsewhere
            return _read_match(self)
        known = _MATCHES.get(self)
        return _MATCHES.put(self, _read_match(self), 1) if known is None else known

    def at(self, match: Match) -> "Playing":
        """The same game at another move, which the match has come to."""
        there = replace(self, moves=match.position or "")
        if not digest_in(self.game) and _MATCHES.get(there) is None:
            _MATCHES.put(there, match, 1)
        return there

    def begun(self, seed: int) -> "Playing":
        """A new game of the same players."""
        return replace(self, moves="", first=starting_side(self.starts, seed))


_MATCHES: Recent[Match] = Recent(KEPT_MATCHES)  # for all visitors: what a match has found out about its position is known then


def _read_match(playing: Playing) -> Match:
    players = read_player(playing.max_player), read_player(playing.min_player)
    return Match.read(game_on_page(playing.game), playing.moves, playing.first, *players)


def read_playing(parameters: Mapping[str, str]) -> tuple[Playing, str]:
    """The game of an address, and what in it could not be used."""
    usual = Playing()
    try:
        _check_lengths(parameters)
        game = game_on_page(parameters.get("game", usual.game))
        first = parameters.get("first", usual_first(game))
        playing = Playing(
            text_on_page(game),
            parameters.get("moves", ""),
            "max" if first_is_max(first) else "min",
            player_text(read_player(parameters.get("max", usual.max_player))),
            player_text(read_player(parameters.get("min", TO_THE_END if only_leaves_count(game) else usual.min_player))),
            parameters.get("starts", first),
        )
        starting_side(playing.starts)
        for side, text in (("max", playing.max_player), ("min", playing.min_player)):
            check_player(read_player(text), game, side)
        return playing.at(playing.match()), ""
    except PlyscopeError as error:
        return usual, str(error)


@dataclass(frozen=True)
class Competing:
    """One tournament, in words."""

    game: str = "connect-m"
    sizes: str = "3-6"
    depths: str = "1-4"
    games: int = 3
    openings: int = 0
    starts: str = "max"
    seed: int = 0
    algorithm: str = "alphabeta"
    faster: bool = False

    def parameters(self) -> dict[str, str]:
        """As parts of an address."""
        parts = {name: str(getattr(self, name)) for name in ("game", "sizes", "depths", "games")}
        for name in ("openings", "seed", "algorithm"):
            if getattr(self, name) != getattr(Competing, name):
                parts[name] = str(getattr(self, name))
        if self.starts != usual_first(game_on_page(self.game)):
            parts["starts"] = self.starts
        return {**parts, "faster": "1"} if self.faster else parts

    def words(self) -> str:
        """One line for people."""
        extras = [f"{self.openings} random opening moves"] if self.openings else []
        sizes = [f"sizes {self.sizes}"] if self.sizes else []
        return " · ".join(
            [
                name_on_page(game_on_page(self.game)),
                *sizes,
                f"depths {self.depths}",
                f"{counted(self.games, 'game')} in a cell",
                *extras,
            ]
        )

    def grid(self) -> Grid:
        """The grid, whose every fault is told."""
        return Grid(
            self.game,
            read_numbers(self.sizes or None, "sizes"),
            read_numbers(self.depths, "depths"),
            self.games,
            algorithms=(self.algorithm,),
            starts=(self.starts,),
            openings=self.openings,
            seed=self.seed,
            prefer_faster_win=self.faster,
        )


def read_competing(parameters: Mapping[str, str]) -> tuple[Competing, str]:
    """The tournament of an address, and what in it could not be used."""
    usual = Competing()
    try:
        _check_lengths(parameters)
        if parameters.get("algorithm", usual.algorithm) not in ALGORITHMS:
            raise UnknownName("algorithm", parameters["algorithm"], ALGORITHMS)
        game = game_on_page(parameters.get("game", usual.game))
        competing = Competing(
            text_on_page(game),
            parameters.get("sizes", usual_sizes(game)),
            parameters.get("depths", usual_tournament_depths(game)),
            _whole(parameters, "games", usual.games, MOST_GAMES),
            _whole(parameters, "openings", usual.openings, MOST_OPENINGS),
            parameters.get("starts", usual_first(game)),
            _whole(parameters, "seed", usual.seed, MOST_SEED),
            parameters.get("algorithm", usual.algorithm),
            parameters.get("faster") == "1",
        )
        if max(read_numbers(competing.depths, "depths"), default=0) > MOST_PAGE_DEPTH:
            raise PlyscopeError(f"depths {competing.depths}: on a page players look {MOST_PAGE_DEPTH} plies ahead at most")
        if digest_in(competing.game):
            raise PlyscopeError(f"a tree for a tournament has up to {LONGEST:,} characters: compare and play larger ones")
        different = {fixture for plan in plans(competing.grid()) for fixture in plan.fixtures}
        if len(different) > MOST_PAGE_GAMES:
            raise PlyscopeError(f"{len(different):,} different games: a page plays {MOST_PAGE_GAMES:,} at most")
        return competing, ""
    except PlyscopeError as error:
        return usual, str(error)


def _whole(parameters: Mapping[str, str], name: str, usual: int, most: int) -> int:
    text = parameters.get(name, str(usual))
    number = whole_number(text)
    if number is None or number > most:
        raise PlyscopeError(f"{name} = {text[:20]!r}: a whole number up to {most:,} is needed")
    return number
