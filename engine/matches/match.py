"""A match: two players, the side that starts, and the moves so far. It is immutable; each move gives a new match.

`game_text(match.game)`, `player_text` of both players, `match.first`, `match.position` and, where chance moves, `match.seed`
determine it completely. What chance brings is a move like others. The seed decides the first draw of a game, the second and
so on, whatever the players do: with the same seed both sides of a match get the same dice.

>>> from engine import tictactoe
>>> match = Match(tictactoe(), min_player=SearchPlayer(9)).play(0)
>>> match = match.play(match.choose().move)
>>> match.position, match.side
('04', 'max')
>>> match.undo().position
''
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from engine.core.errors import IllegalMove, PlyscopeError, UnknownName
from engine.core.parsing import format_ranges
from engine.core.stop_reason import StopReason
from engine.games.capabilities import (
    Outcome,
    counted_scores,
    explain_illegal_move,
    game_outcome,
    has_single_digit_moves,
)
from engine.games.chance_outcomes import chance_outcomes, has_chance
from engine.games.positions import SIDES, read_moves, read_position, write_moves
from engine.games.protocol import (
    MovesByCode,
    check_game,
    is_max_to_move,
    move_from_code,
    move_name_from_code,
    play_move,
)
from engine.games.registry import game_text
from engine.matches.move_choice import (
    Choice,
    choose_policy_move,
    choose_random_move,
    choose_search_move,
    deepest_choice,
    draw_outcome,
)
from engine.matches.players import HumanPlayer, OnProgress, PerfectPlayer, Player, PolicyPlayer, RandomPlayer, SearchPlayer
from engine.question import DEFAULT_ALGORITHM, Question
from engine.searcher import MAX_NODES, list_suitable_algorithms, search_uninterrupted

STARTING_SIDES = (*SIDES, "random")
CHANCE_SIDE = "chance"  # the side to move where chance moves
HUMAN = HumanPlayer()


def choose_starting_side(starts: str, seed: int | str = 0) -> str:
    """Return the side that starts: "max", "min", or one of them at random.

    >>> choose_starting_side("min"), {choose_starting_side("random", seed) for seed in range(9)} == {"max", "min"}
    ('min', True)
    """
    if starts not in STARTING_SIDES:
        raise UnknownName("starting side", starts, STARTING_SIDES)
    return Random(f"who starts {seed}").choice(SIDES) if starts == "random" else starts  # noqa: S311 - no secret


def default_starting_side(game: Any) -> str:
    """Return the side that starts a game by default. A tree may have MIN at its root."""
    return "max" if is_max_to_move(game, game.start()) else "min"


@dataclass(frozen=True)
class Match:
    """Two players at a game. Moves are written as the search records them: in a game of the user by their index."""

    game: Any
    max_player: Player = HUMAN
    min_player: Player = HUMAN
    first: str | None = "max"  # the side that starts; None: as the game's start() says
    moves: tuple[int, ...] = ()  # of both sides and of chance
    seed: int = 0  # of chance

    @classmethod
    def read(
        cls,
        game: Any,
        position: str = "",
        first: str = "max",
        max_player: Player = HUMAN,
        min_player: Player = HUMAN,
        seed: int = 0,
    ) -> Match:
        """Return the match that has reached a position, given as its moves."""
        check_game(game)
        match = cls(game, max_player, min_player, first, seed=seed)
        if position:
            if not game_text(game):
                raise PlyscopeError(f"{type(game).__name__} has no positions as text: play its moves one by one")
            match = replace(match, moves=tuple(read_moves(position, has_single_digit_moves(game))))
        match.state  # noqa: B018 - refuses illegal moves
        return match

    def __reduce__(self) -> tuple[type[Match], tuple[Any, ...]]:
        return Match, tuple(getattr(self, name) for name in self.__dataclass_fields__)  # without the earlier matches

    # ---- the current position

    @cached_property
    def state(self) -> Any:
        """Return the state after the moves."""
        if game_text(self.game):
            return read_position(self.game, self.position, self.first or "max")
        state = read_position(self.game, None, self.first)
        for move in self.moves:
            state = play_move(self.game, state, move_from_code(self.game, state, move))
        return state

    @property
    def position(self) -> str | None:
        """Return the moves as the text that `game.state` reads; None for a game of the user."""
        return write_moves(self.moves, has_single_digit_moves(self.game)) if game_text(self.game) else None

    @cached_property
    def side(self) -> str:
        """Return the side to move: "max", "min", or "chance" where chance moves."""
        if self.is_chance:
            return CHANCE_SIDE
        return "max" if is_max_to_move(self.game, self.state) else "min"

    @cached_property
    def is_chance(self) -> bool:
        """Return True if chance is to move."""
        return not self.is_finished and bool(chance_outcomes(self.game, self.state))

    @cached_property
    def draw_count(self) -> int:
        """Return how often chance has moved so far."""
        return sum(before.is_chance for before in self.earlier_matches) if has_chance(self.game) else 0

    @property
    def earlier_matches(self) -> Iterator[Match]:
        """Yield the match before each move, from the start."""
        match = replace(self, moves=())
        for move in self.moves:
            yield match
            match = match.play(move)

    @property
    def player(self) -> Player | None:
        """Return the player to move; None where chance moves."""
        if self.is_chance:
            return None
        return self.max_player if self.side == "max" else self.min_player

    @cached_property
    def is_finished(self) -> bool:
        return bool(self.game.is_over(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended; None while it goes on."""
        return game_outcome(self.game, self.state) if self.is_finished else None

    @property
    def scores(self) -> tuple[int, int] | None:
        """Return the scores of MAX and MIN so far, if the game counts any."""
        return counted_scores(self.game, self.state)

    @cached_property
    def legal_moves(self) -> list[int]:
        """Return the legal moves, or the outcomes of chance, in child order; none when the game is over."""
        return [] if self.is_finished else list(MovesByCode(self.game, self.state).moves)

    def legal_move_name(self, move: int) -> str:
        """Return the name of a legal move."""
        return move_name_from_code(self.game, self.state, move)

    @property
    def question(self) -> Question:
        """Return the question that searches the position to the end."""
        if self.position is None:
            return Question(self.game, self.state)
        return Question(self.game, self.position, first=self.first)

    # ---- actions

    def play(self, move: int) -> Match:
        """Return the match after a move of the side to move."""
        if self.is_finished:
            raise IllegalMove("the game is over: take back a move, or start a new game")
        if move not in self.legal_moves:
            legal = format_ranges(self.legal_moves)
            raise IllegalMove(f"{explain_illegal_move(self.game, move, 'here')}: choose {legal}")
        after = replace(self, moves=(*self.moves, move))
        after.__dict__["state"] = play_move(
            self.game, self.state, move_from_code(self.game, self.state, move)
        )  # saves a replay of all moves
        after.__dict__["previous_match"] = self
        after.__dict__["draw_count"] = self.draw_count + self.is_chance
        return after

    @cached_property
    def previous_match(self) -> Match | None:
        """Return the match before the last move; None if there is no move."""
        return replace(self, moves=self.moves[:-1]) if self.moves else None

    def undo(self) -> Match:
        """Return the match at the last position where a person had to move; this match if there is none."""
        earlier = self.previous_match
        while earlier is not None and not isinstance(earlier.player, HumanPlayer):
            earlier = earlier.previous_match
        return earlier or self

    def choose(self, on_progress: OnProgress = None, max_nodes: int = MAX_NODES, may_shorten: bool = False) -> Choice | None:
        """Return the choice of the player to move, who must not be a person; None if `on_progress` stopped the search.

        Where chance moves, it is the outcome that was drawn.
        """
        if self.is_finished:
            raise IllegalMove("the game is over: there is no move to choose")
        if self.is_chance:
            outcomes = MovesByCode(self.game, self.state)
            return draw_outcome(self.seed, self.draw_count, dict(zip(outcomes.moves, outcomes.probabilities, strict=True)))
        if isinstance(self.player, RandomPlayer):
            return choose_random_move(self.player, self.legal_moves, self.moves)
        if isinstance(self.player, PolicyPlayer):
            return choose_policy_move(self.player, self.game, self.state)
        if isinstance(self.player, PerfectPlayer):
            from engine.matches.perfect_player import choose_perfect_move

            return choose_perfect_move(self.question, self.state, on_progress, max_nodes)
        if isinstance(self.player, SearchPlayer):
            choose = deepest_choice if may_shorten else choose_search_move
            return choose(self.player, self.question, self.state, on_progress, max_nodes)
        raise PlyscopeError("a person is to move: ask for their move and pass it to play()")


class PositionTruth(NamedTuple):
    """The exact result of a position: the end of the game if both sides play their best."""

    score: int  # for MAX: positive wins for MAX, negative for MIN, and a larger number wins sooner
    moves: int | None  # moves that the winner still makes, 0 after the end; None in a draw and if only the winner is known
    latest: int  # the same for a win with the last possible disc

    @property
    def winner(self) -> str:
        """The side that wins: "max" or "min"; empty in a draw."""
        return "max" if self.score > 0 else "min" if self.score < 0 else ""


class Hint(NamedTuple):
    """The value of a move."""

    move: int
    name: str
    value: float | None  # exact, for MAX; None if the search was stopped before
    best: bool  # no other move is better for the side to move, as far as is known
    truth: str = ""  # the exact result ("wins in 7"), then there is no value; empty: the value is an estimate
    comes_to: PositionTruth | None = None  # the exact result as numbers


def search_hints(
    match: Match, depth: int | None = 4, algorithm: str = "", on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> list[Hint]:
    """Return the value of every legal move to `depth` plies, including the move itself. Without a name, the algorithm is
    alpha-beta, or where chance moves expectiminimax.

    Each move is searched by itself with a full window: at the root of one alpha-beta search all but the best may be mere bounds.
    `on_progress` gets the number of nodes of all searches together. If it stops the search, the values found so far are returned.
    """
    algorithm = algorithm or (list_suitable_algorithms(match.game)[0] if has_chance(match.game) else DEFAULT_ALGORITHM)
    SearchPlayer(depth, algorithm)  # checks depth and algorithm
    below = None if depth is None else depth - 1
    before, values = 0, []
    for move in match.legal_moves:
        done = before
        watch = None if on_progress is None else lambda nodes, done=done: on_progress(done + nodes)
        after = match.play(move).state
        tree = search_uninterrupted(Question(match.game, after, below, algorithm), max_nodes=max_nodes, on_progress=watch)
        if tree.stopped == StopReason.CANCELLED:
            break
        before += tree.expanded
        values.append(tree.root.value if tree.complete else None)
    values += [None] * (len(match.legal_moves) - len(values))
    known = [value for value in values if value is not None]
    best = None if not known else max(known) if match.side == "max" else min(known)
    return [
        Hint(move, match.legal_move_name(move), value, value is not None and value == best)
        for move, value in zip(match.legal_moves, values, strict=True)
    ]
