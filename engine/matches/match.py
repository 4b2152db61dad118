"""A match: two players, who starts, and the moves so far. It never changes; each move gives a new one.

`game_text(match.game)`, `player_text` of both players, `match.first` and `match.position` say everything about it.

>>> from engine import tictactoe
>>> match = Match(tictactoe(), min_player=SearchPlayer(9)).play(0)
>>> match = match.play(match.choose().move)
>>> match.position, match.side
('04', 'max')
>>> match.undo().position
''
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from engine.core.errors import IllegalMove, PlyscopeError, UnknownName
from engine.games.capabilities import Outcome, counted_scores, outcome_of, single_digits, why_illegal
from engine.games.positions import SIDES, read_moves, read_position, write_moves
from engine.games.protocol import after_move, check_game, legal_moves, max_to_move, move_codes, move_of, name_of_move
from engine.games.registry import game_text
from engine.matches.players import (
    Choice,
    Human,
    OnProgress,
    PerfectPlayer,
    Player,
    RandomPlayer,
    SearchPlayer,
    deepest_choice,
    random_choice,
    search_choice,
)
from engine.question import Question
from engine.record.recorder import CANCELLED
from engine.searcher import MAX_NODES, search_to_the_end

STARTS = (*SIDES, "random")
HUMAN = Human()


def starting_side(starts: str, seed: int | str = 0) -> str:
    """The side that starts: "max", "min", or either by chance.

    >>> starting_side("min"), {starting_side("random", seed) for seed in range(9)} == {"max", "min"}
    ('min', True)
    """
    if starts not in STARTS:
        raise UnknownName("starting side", starts, STARTS)
    return Random(f"who starts {seed}").choice(SIDES) if starts == "random" else starts  # noqa: S311 - no secret


def usual_first(game: Any) -> str:
    """Who starts a game unless somebody says otherwise: a tree may have MIN at its root."""
    return "max" if max_to_move(game, game.start()) else "min"


@dataclass(frozen=True)
class Match:
    """Two players at a game. Moves are written as the search records them: of a game of the user's own as their index."""

    game: Any
    max_player: Player = HUMAN
    min_player: Player = HUMAN
    first: str | None = "max"  # the side that starts; None: as the game's start() says
    moves: tuple[int, ...] = ()

    @classmethod
    def read(
        cls, game: Any, position: str = "", first: str = "max", max_player: Player = HUMAN, min_player: Player = HUMAN
    ) -> Match:
        """The match that has come to a position, given as its moves."""
        check_game(game)
        match = cls(game, max_player, min_player, first)
        if position:
            if not game_text(game):
                raise PlyscopeError(f"{type(game).__name__} has no positions as text: play its moves one by one")
            match = replace(match, moves=tuple(read_moves(position, single_digits(game))))
        match.state  # noqa: B018 - refuses illegal moves
        return match

    def __reduce__(self) -> tuple[type[Match], tuple[Any, ...]]:
        return Match, (self.game, self.max_player, self.min_player, self.first, self.moves)  # not every match before it, too

    # ---- where it stands

    @cached_property
    def state(self) -> Any:
        """The state after the moves."""
        if game_text(self.game):
            return read_position(self.game, self.position, self.first or "max")
        state = read_position(self.game, None, self.first)
        for move in self.moves:
            state = after_move(self.game, state, move_of(self.game, state, move))
        return state

    @property
    def position(self) -> str | None:
        """The moves as the text that `game.state` reads; None for a game of the user's own."""
        return write_moves(self.moves, single_digits(self.game)) if game_text(self.game) else None

    @cached_property
    def side(self) -> str:
        """Who is to move: "max" or "min"."""
        return "max" if max_to_move(self.game, self.state) else "min"

    @property
    def player(self) -> Player:
        """The player who is to move."""
        return self.max_player if self.side == "max" else self.min_player

    @cached_property
    def over(self) -> bool:
        return bool(self.game.is_over(self.state))

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return outcome_of(self.game, self.state) if self.over else None

    @property
    def scores(self) -> tuple[int, int] | None:
        """What MAX and MIN have scored so far, where something is counted."""
        return counted_scores(self.game, self.state)

    @cached_property
    def legal(self) -> list[int]:
        """The moves there are, in child order; none when it is over."""
        return [] if self.over else list(move_codes(legal_moves(self.game, self.state)))

    def name_of(self, move: int) -> str:
        """What people call a legal move."""
        return name_of_move(self.game, self.state, move)

    @property
    def question(self) -> Question:
        """The position, to be searched to the end."""
        if self.position is None:
            return Question(self.game, self.state)
        return Question(self.game, self.position, first=self.first)

    # ---- what can be done

    def play(self, move: int) -> Match:
        """The match after a move of the side to move."""
        if self.over:
            raise IllegalMove("the game is over: take a move back, or begin a new one")
        if move not in self.legal:
            legal = ", ".join(map(str, self.legal))
            raise IllegalMove(f"{why_illegal(self.game, move, 'here')}: {legal} would do")
        after = replace(self, moves=(*self.moves, move))
        after.__dict__["state"] = after_move(self.game, self.state, move_of(self.game, self.state, move))  # need not be replayed
        after.__dict__["before"] = self
        return after

    @cached_property
    def before(self) -> Match | None:
        """The match before the last move; None at its beginning."""
        return replace(self, moves=self.moves[:-1]) if self.moves else None

    def undo(self) -> Match:
        """Back to where a person last had to move; the same match if that never was."""
        earlier = self.before
        while earlier is not None and not isinstance(earlier.player, Human):
            earlier = earlier.before
        return earlier or self

    def choose(self, on_progress: OnProgress = None, max_nodes: int = MAX_NODES, may_shorten: bool = False) -> Choice | None:
        """What the player to move, who is no person, wants to play; None if `on_progress` stopped the search. A player whose
        depth takes more than `max_nodes` is an error, or, with `may_shorten`, looks less far ahead."""
        if self.over:
            raise IllegalMove("the game is over: there is nothing left to choose")
        if isinstance(self.player, RandomPlayer):
            return random_choice(self.player, self.legal, self.moves)
        if isinstance(self.player, PerfectPlayer):
            from engine.matches.perfect_player import perfect_choice

            return perfect_choice(self.question, self.state, on_progress, max_nodes)
        if isinstance(self.player, SearchPlayer):
            choose = deepest_choice if may_shorten else search_choice
            return choose(self.player, self.question, self.state, on_progress, max_nodes)
        raise PlyscopeError("a person is to move: ask them, and play() what they say")


class PositionTruth(NamedTuple):
    """What a position comes to if both sides play their best."""

    score: int  # MAX's side: more than 0 wins for MAX, less for MIN, and further away sooner
    moves: int | None  # that the winner still makes, 0 after the end; None in a draw, and where only the winner is known
    latest: int  # the same, if the win came with the last disc that can be played

    @property
    def winner(self) -> str:
        """The side that wins: "max" or "min"; empty in a draw."""
        return "max" if self.score > 0 else "min" if self.score < 0 else ""


class Hint(NamedTuple):
    """What a move is worth."""

    move: int
    name: str
    value: float | None  # MAX's side, exact; None if the search was stopped before it was known
    best: bool  # no other move is better for the side to move, as far as is known
    truth: str = ""  # what it brings in truth ("wins in 7"); then there is no value. Empty: the value is a belief
    comes_to: PositionTruth | None = None  # the same as a value


def hints(
    match: Match, depth: int | None = 4, algorithm: str = "alphabeta", on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> list[Hint]:
    """The value of every legal move to `depth` plies, the move itself included.

    Each move is searched by itself with a full window: at the root of one alpha-beta search all but the best may be mere bounds.
    `on_progress` hears the nodes of all of them together; when it stops the search, the values so far are given.
    """
    SearchPlayer(depth, algorithm)  # refuses what is no depth or no algorithm
    below = None if depth is None else depth - 1
    before, values = 0, []
    for move in match.legal:
        done = before
        watch = None if on_progress is None else lambda nodes, done=done: on_progress(done + nodes)
        after = match.play(move).state
        tree = search_to_the_end(Question(match.game, after, below, algorithm), max_nodes=max_nodes, on_progress=watch)
        if tree.stopped == CANCELLED:
            break
        before += tree.expanded
        values.append(tree.root.value if tree.complete else None)
    values += [None] * (len(match.legal) - len(values))
    known = [value for value in values if value is not None]
    best = None if not known else max(known) if match.side == "max" else min(known)
    return [
        Hint(move, match.name_of(move), value, value is not None and value == best)
        for move, value in zip(match.legal, values, strict=True)
    ]
