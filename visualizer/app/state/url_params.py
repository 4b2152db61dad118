"""The user's requests as URL parameters of a page. URLs are untrusted: they are checked here, once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from engine import PlyscopeError
from engine.algorithms import ALGORITHMS, find_algorithm
from engine.algorithms.monte_carlo.options import ITERATIONS
from engine.algorithms.spec import MAX_DEPTH
from engine.algorithms.variants import read_variants
from engine.analysis.comparison import DEFAULT_ALGORITHMS, default_comparison
from engine.core.errors import UnknownName
from engine.core.parsing import depth_text, read_depths, read_numbers, whole_number
from engine.games.capabilities import default_depth, game_preset, has_leaf_values_only
from engine.games.chance_outcomes import has_chance
from engine.games.positions import is_max_first, read_position
from engine.games.registry import read_game
from engine.matches.match import Match, choose_starting_side, default_starting_side
from engine.matches.players import Player, SearchPlayer, check_player, options_by_key, player_text, read_player, read_players
from engine.matches.tournament_grid import (
    Grid,
    default_sizes,
    default_tournament_algorithm,
    default_tournament_depths,
    plan_cells,
)
from engine.question import Question
from engine.searcher import default_algorithm
from visualizer.app.state.large_trees import MAX_LINK_CHARS, page_game_name, page_game_text, read_page_game, tree_digest
from visualizer.narration.captions import describe_limit, describe_other_options
from visualizer.narration.glossary import PRESET_LABELS, PRESET_LINES
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import format_count
from visualizer.narration.player_messages import player_title
from visualizer.pool.weighted_lru import WeightedLRU

MAX_COMPARED_DEPTHS, MAX_REPEATS, MAX_VARIANTS = 20, 20, 12  # of a comparison on a page
MAX_TOURNAMENT_GAMES, MAX_TOURNAMENT_DEPTH = 2000, 8  # different games of a tournament, and how deep its players look
MAX_PLAYER_PLIES = 8  # of a player on a page, unless its link says otherwise
MAX_CACHED_MATCHES = 500
TREE_PLAYER = "search:depth=end,faster"  # plays trees, whose inner nodes have no value
NOTHING_ENTERED = "nothing"  # the value of a form field that the user has emptied: "" is the default
MAX_TOURNAMENT_ITERATIONS = 2_000  # of a move of a player of a tournament
PLAYER_SEPARATOR = ";"  # a player may have commas
MAX_CELL_GAMES, MAX_OPENING_MOVES, MAX_SEED = 100, 20, 1_000_000


SAMPLE_SEARCH = Question(read_game("connect4"), "4354", depth=3)  # Step opens with it: MAX is to move, and a cutoff comes early
DEFAULT_SEARCH = Question(read_game("k-tables"), "3", depth=3)  # of links that name no game


def search_params(question: Question) -> dict[str, str]:
    """Return a search as URL parameters."""
    parts = {"game": page_game_text(question.game), "moves": question.position_text or "", "algorithm": question.algorithm}
    if find_algorithm(question.algorithm).iterate is None:
        parts["depth"] = depth_text(question.depth)
    if question.first:
        parts["first"] = question.first
    return parts | {option.key: option.write(value) for option, value in question.chosen}


def search_key(question: Question) -> str:
    """Return a search as one text, the key of caches and widgets."""
    return urlencode(search_params(question))


def describe_search(question: Question) -> str:
    """Return a search as one line for people."""
    title, limit = find_algorithm(question.algorithm).title, describe_limit(question)
    return " · ".join([*describe_position(question), title, limit, *describe_extras(question)])


def describe_position(question: Question) -> list[str]:
    """Return the game and the moves of a search, for people."""
    moves = describe_moves(question.game, question.position_text or "")
    return [page_game_name(question.game), f"after {moves}" if moves else "from the start"]


def describe_extras(question: Question) -> list[str]:
    """Return who moved first and the other options of a search, for people."""
    first = [f"{question.first.upper()} moved first"] if question.first else []
    return first + describe_other_options(question)


@dataclass(frozen=True)
class ComparisonParams:
    """The URL parameters of a comparison: one search for each depth and algorithm."""

    search: Question = SAMPLE_SEARCH  # its algorithm and depth are not used
    depths: str = "1-5"
    repeat: int = 3
    algorithms: tuple[str, ...] = DEFAULT_ALGORITHMS  # with options of their own

    def parameters(self) -> dict[str, str]:
        """Return the comparison as URL parameters."""
        parts = {name: text for name, text in search_params(self.search).items() if name not in ("algorithm", "depth")}
        parts |= {"depths": self.depths, "repeat": str(self.repeat)}
        return (
            parts
            if self.algorithms == default_comparison(self.search.game)
            else {**parts, "algorithms": ",".join(self.algorithms)}
        )

    def describe(self) -> str:
        """Return the comparison as one line for people."""
        return " · ".join([*describe_position(self.search), f"K={self.depths}", *describe_extras(self.search)])

    @cached_property
    def key(self) -> str:
        """Return the comparison as one text, the key of caches and widgets."""
        return urlencode(self.parameters())


def _make_example(game: str, moves: str = "", depth: int | None = None, algorithm: str = "alphabeta") -> Question:
    return Question(read_game(game), moves or None, depth, algorithm)


EXAMPLES = {
    "Textbook tree": _make_example("tree:[[3,12,8],[2,4,6],[14,5,2]]"),
    "Connect 4": SAMPLE_SEARCH,
    "Tic-tac-toe": _make_example("tictactoe", "4081", 5),
    "Nim": _make_example("nim:1,2,3"),
}
PUBLISHED_EXAMPLES = {  # by the names of their presets, in the order of the reports
    "full-depth": _make_example("full-depth", depth=4),
    "connect-m": _make_example("connect-m", depth=4),
    "long-state": _make_example("long-state", "1010012133334346464663", 4),
    "threats": _make_example("threats", depth=3),
    "k-tables": DEFAULT_SEARCH,
    "k-tables, minimax, K=6": _make_example("k-tables", "3", 6, "minimax"),
}


EXAMPLE_DESCRIPTIONS = {
    "Textbook tree": "The tree of many textbooks: alpha-beta looks at 7 of its 9 leaves",
    "Connect 4": "Four discs are played, and the search looks 3 moves ahead: 233 nodes instead of minimax's 400",
    "Tic-tac-toe": "Five squares are left: the whole rest of the game is searched",
    "Nim": "Heaps of 1, 2 and 3, searched to the end: the side that moves first loses",
}
PUBLISHED_TITLES = {**PRESET_LABELS, "k-tables, minimax, K=6": "Large tree: 137,256 nodes"}
PUBLISHED_DESCRIPTIONS = {**PRESET_LINES, "k-tables, minimax, K=6": "Report 5: its largest tree"}


def read_search_params(parameters: Mapping[str, str]) -> tuple[Question, str]:
    """Return the search of a URL, and an error message. If the URL is empty or wrong, the search is the sample.

    Links that hold a step but no game were copied when Step opened with DEFAULT_SEARCH.
    """
    if not parameters:
        return SAMPLE_SEARCH, ""
    if "game" not in parameters:
        parameters = {**search_params(DEFAULT_SEARCH), **parameters}
    try:
        return _read_question(parameters), ""
    except PlyscopeError as error:
        return SAMPLE_SEARCH, str(error)


def read_comparison_params(parameters: Mapping[str, str]) -> tuple[ComparisonParams, str]:
    """Return the comparison of a URL, and an error message. If the URL is empty or wrong, it is the sample.

    Links that name no game are from the time when Compare opened with DEFAULT_SEARCH.
    """
    usual = ComparisonParams()
    if "game" not in parameters:
        parameters = {**(ComparisonParams(DEFAULT_SEARCH) if parameters else usual).parameters(), **parameters}
    try:
        search = _read_question({**parameters, "algorithm": "minimax", "depth": "end"})
        depths = parameters.get("depths", "") or default_depths(search.game)
        for depth in (listed := read_depths(depths)):
            if depth is not None and depth > MAX_DEPTH:
                raise PlyscopeError(f"K = {depth} is too deep: enter at most {MAX_DEPTH}")
        if len(listed) > MAX_COMPARED_DEPTHS:
            raise PlyscopeError(f"{len(listed)} depths are too many: enter at most {MAX_COMPARED_DEPTHS}")
        repeat = whole_number(parameters.get("repeat", str(usual.repeat)))
        if repeat is None or not 1 <= repeat <= MAX_REPEATS:
            raise PlyscopeError(f"{parameters['repeat'][:20]!r} is not a number of timed runs: enter 1-{MAX_REPEATS}")
        if parameters.get("algorithms") == NOTHING_ENTERED:
            raise PlyscopeError("no algorithm is chosen: choose at least one")
        contenders = read_variants(parameters.get("algorithms", "") or default_comparison(search.game))
        if len(contenders) > MAX_VARIANTS:
            raise PlyscopeError(f"{len(contenders)} algorithms are too many: choose at most {MAX_VARIANTS}")
        return ComparisonParams(search, depths, repeat, tuple(one.text for one in contenders)), ""
    except PlyscopeError as error:
        return usual, str(error)


def default_depths(game: Any) -> str:
    """Return the default depths of a comparison. Literal trees are searched to the end."""
    return "end" if default_depth(game) is None else ComparisonParams().depths


def _check_lengths(parameters: Mapping[str, str]) -> None:
    for name, text in parameters.items():
        if len(text) > MAX_LINK_CHARS:
            raise PlyscopeError(f"{name} is longer than {MAX_LINK_CHARS:,} characters: open a tree of that size from a file")


def _read_question(parameters: Mapping[str, str]) -> Question:
    _check_lengths(parameters)
    game = read_page_game(parameters.get("game", "k-tables"))
    moves, first = parameters.get("moves", ""), parameters.get("first", "")
    read_position(game, moves or None, first or None)
    algorithm, usual = (parameters["algorithm"], {}) if "algorithm" in parameters else default_algorithm(game)
    declared = find_algorithm(algorithm).options
    options = {option.name: option.read(parameters[option.key]) for option in declared if option.key in parameters}
    if options.get("as_published") and not game_preset(game):
        raise PlyscopeError("only presets can run as published")
    iterates = find_algorithm(algorithm).iterate is not None
    depth = None if iterates else _read_depth(game, parameters.get("depth", ""))
    return Question(game, moves or None, depth, algorithm, first=first or None, **{**usual, **options})


def _read_depth(game: Any, text: str) -> int | None:
    if text in ("", "end"):
        return default_depth(game) if text == "" else None
    if text == NOTHING_ENTERED:
        raise PlyscopeError(f'K is empty: enter 0-{MAX_DEPTH} or "end"')
    depth = whole_number(text)
    if depth is None or depth > MAX_DEPTH:
        raise PlyscopeError(f'K = {text[:20]!r} is not a depth limit: enter 0-{MAX_DEPTH} or "end"')
    return depth


@dataclass(frozen=True)
class MatchParams:
    """The URL parameters of a game between two players."""

    game: str = "connect4"
    moves: str = ""
    first: str = "max"  # who started
    max_player: str = "human"
    min_player: str = "search:depth=4,faster"
    starts: str = "max"  # who is to start the next game: max, min, random
    seed: int = 0  # of chance

    def parameters(self) -> dict[str, str]:
        """Return the game as URL parameters."""
        parts = {"game": self.game, "moves": self.moves, "first": self.first, "max": self.max_player, "min": self.min_player}
        if has_chance(read_page_game(self.game)):
            parts["seed"] = str(self.seed)
        return parts if self.starts == self.first else {**parts, "starts": self.starts}

    def match(self) -> Match:
        """Return the match at the last move. It is immutable, so it is cached."""
        if tree_digest(self.game):  # large trees are cached elsewhere
            return _read_match(self)
        known = _MATCH_CACHE.get(self)
        return _MATCH_CACHE.put(self, _read_match(self)) if known is None else known

    def with_moves_of(self, match: Match) -> "MatchParams":
        """Return the same game at another move, that of `match`."""
        there = replace(self, moves=match.position or "")
        if not tree_digest(self.game) and _MATCH_CACHE.get(there) is None:
            _MATCH_CACHE.put(there, match)
        return there

    def new_game(self, number: int) -> "MatchParams":
        """Return a new game of the same players, with other dice."""
        seed = (self.seed + 1) % (MAX_SEED + 1) if has_chance(read_page_game(self.game)) else self.seed
        return replace(self, moves="", first=choose_starting_side(self.starts, number), seed=seed)


_MATCH_CACHE: WeightedLRU[Match] = WeightedLRU(
    MAX_CACHED_MATCHES
)  # shared by all visitors: a match caches facts about its position


def _read_match(playing: MatchParams) -> Match:
    players = read_player(playing.max_player), read_player(playing.min_player)
    return Match.read(read_page_game(playing.game), playing.moves, playing.first, *players, playing.seed)


def default_opponent(game: Any) -> str:
    """Return the player that a person meets at a game.

    >>> default_opponent(read_game("connect4")), default_opponent(read_game("pig"))
    ('search:depth=4,faster', 'search:depth=6,algorithm=expectiminimax')
    """
    if has_chance(game):
        name, options = default_algorithm(game)
        return player_text(SearchPlayer(default_depth(game), name, **options_by_key(name, options)))
    return TREE_PLAYER if has_leaf_values_only(game) else MatchParams.min_player


def read_match_params(parameters: Mapping[str, str]) -> tuple[MatchParams, str]:
    """Return the game of a URL, and an error message. If the URL is wrong, it is the default one."""
    usual = MatchParams()
    try:
        _check_lengths(parameters)
        game = read_page_game(parameters.get("game", usual.game))
        first = parameters.get("first", default_starting_side(game))
        playing = MatchParams(
            page_game_text(game),
            parameters.get("moves", ""),
            "max" if is_max_first(first) else "min",
            player_text(read_player(parameters.get("max", usual.max_player))),
            player_text(read_player(parameters.get("min", default_opponent(game)))),
            parameters.get("starts", first),
            _read_limited_number(parameters, "seed", usual.seed, MAX_SEED),
        )
        choose_starting_side(playing.starts)
        for side, text in (("max", playing.max_player), ("min", playing.min_player)):
            check_player(read_player(text), game, side)
        return playing.with_moves_of(playing.match()), ""
    except PlyscopeError as error:
        return usual, str(error)


@dataclass(frozen=True)
class TournamentParams:
    """The URL parameters of a tournament. The default values are those of links."""

    game: str = "connect-m"
    sizes: str = "3-6"
    depths: str = "1-4"
    games: int = 3
    openings: int = 0
    starts: str = "max"
    seed: int = 0
    algorithm: str = "alphabeta"
    faster: bool = False
    players: str = ""  # separated by PLAYER_SEPARATOR; empty: searches of the depths

    def parameters(self) -> dict[str, str]:
        """Return the tournament as URL parameters."""
        parts = {name: str(getattr(self, name)) for name in ("game", "sizes", "depths", "games")}
        game = read_page_game(self.game)
        for name in ("openings", "seed", "players"):
            if getattr(self, name) != getattr(TournamentParams, name):
                parts[name] = str(getattr(self, name))
        if self.algorithm != default_tournament_algorithm(game):
            parts["algorithm"] = self.algorithm
        if self.starts != default_starting_side(game):
            parts["starts"] = self.starts
        return {**parts, "faster": "1"} if self.faster else parts

    def describe(self) -> str:
        """Return the tournament as one line for people."""
        extras = [format_count(self.openings, "random opening move")] if self.openings else []
        sizes = [f"sizes {self.sizes}"] if self.sizes else []
        named = read_players(self.named_players)
        return " · ".join(
            [
                page_game_name(read_page_game(self.game), any_size=bool(self.sizes)),
                *sizes,
                "; ".join(map(player_title, named)) if named else f"K={self.depths}",
                f"{format_count(self.games, 'game')} per cell",
                *extras,
            ]
        )

    @property
    def named_players(self) -> tuple[str, ...]:
        """Return the players that are named, as texts."""
        return tuple(text.strip() for text in self.players.split(PLAYER_SEPARATOR) if text.strip())

    def grid(self) -> Grid:
        """Return the grid of the tournament. Raise PlyscopeError if something is wrong with it."""
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
            players=self.named_players,
        )


SAMPLE_TOURNAMENT = TournamentParams("connect4", "", "1-4", games=10, openings=4)  # a second or two, and the games differ


def read_tournament_params(parameters: Mapping[str, str]) -> tuple[TournamentParams, str]:
    """Return the tournament of a URL, and an error message. If the URL is empty or wrong, it is the sample.

    Links that name no game are from the time when the page opened with the default values of TournamentParams.
    """
    usual = TournamentParams()
    if not parameters:
        return SAMPLE_TOURNAMENT, ""
    try:
        _check_lengths(parameters)
        if parameters.get("algorithm", usual.algorithm) not in ALGORITHMS:
            raise UnknownName("algorithm", parameters["algorithm"], ALGORITHMS)
        game = read_page_game(parameters.get("game", usual.game))
        competing = TournamentParams(
            page_game_text(game),
            parameters.get("sizes", default_sizes(game)),
            parameters.get("depths", default_tournament_depths(game)),
            _read_limited_number(parameters, "games", usual.games, MAX_CELL_GAMES),
            _read_limited_number(parameters, "openings", usual.openings, MAX_OPENING_MOVES),
            parameters.get("starts", default_starting_side(game)),
            _read_limited_number(parameters, "seed", usual.seed, MAX_SEED),
            parameters.get("algorithm", default_tournament_algorithm(game)),
            parameters.get("faster") == "1",
            parameters.get("players", ""),
        )
        _check_player_sizes(read_players(competing.named_players))
        if max(read_numbers(competing.depths, "depths"), default=0) > MAX_TOURNAMENT_DEPTH:
            raise PlyscopeError(f"K={competing.depths}: players on this page look at most {MAX_TOURNAMENT_DEPTH} moves ahead")
        if tree_digest(competing.game):
            raise PlyscopeError(f"this tree is too long for a tournament: choose one of up to {MAX_LINK_CHARS:,} characters")
        different = {fixture for plan in plan_cells(competing.grid()) for fixture in plan.fixtures}
        if len(different) > MAX_TOURNAMENT_GAMES:
            raise PlyscopeError(
                f"{len(different):,} different games are too many: this page plays at most {MAX_TOURNAMENT_GAMES:,}"
            )
        return competing, ""
    except PlyscopeError as error:
        return SAMPLE_TOURNAMENT, str(error)


def _check_player_sizes(players: Iterable[Player]) -> None:
    """Raise PlyscopeError if a player would think too long for a tournament on this page."""
    for player in players:
        if not isinstance(player, SearchPlayer):
            continue
        if (player.depth or 0) > MAX_TOURNAMENT_DEPTH:
            raise PlyscopeError(f"{player_title(player)}: players on this page look at most {MAX_TOURNAMENT_DEPTH} moves ahead")
        if player.options.get(ITERATIONS.name, 0) > MAX_TOURNAMENT_ITERATIONS:
            raise PlyscopeError(
                f"{player_title(player)}: players on this page make at most {MAX_TOURNAMENT_ITERATIONS:,} iterations a move"
            )


def _read_limited_number(parameters: Mapping[str, str], name: str, usual: int, maximum: int) -> int:
    text = parameters.get(name, str(usual))
    number = whole_number(text)
    if number is None or number > maximum:
        raise PlyscopeError(f"{name} = {text[:20]!r} is not valid: enter a whole number up to {maximum:,}")
    return number
