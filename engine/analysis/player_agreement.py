"""Agreement of players with the solver: alpha-beta beside MCTS, with the evaluations and the time that each move took.

All players choose moves in the same solved positions. An evaluation is a leaf that alpha-beta evaluates, or an iteration of
MCTS, which ends in one playout. So players can be compared at the same number of evaluations, or at the same time.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engine.algorithms.monte_carlo.options import ITERATIONS
from engine.analysis.agreement import OnProgress, PositionSample, count_agreement, find_solved_positions, measure_random_move
from engine.analysis.intervals import wilson_interval
from engine.core.errors import BadLimit, PlyscopeError
from engine.games.positions import SIDES
from engine.games.registry import read_game
from engine.matches.move_choice import choose_search_move
from engine.matches.players import SearchPlayer, check_player, names_search_size, player_text, read_player
from engine.question import Question
from engine.searcher import MAX_NODES, check_question, search_uninterrupted
from engine.solver.solver import Solution
from engine.tree.tree import SearchTree

MAX_PLAYERS = 200  # with each depth and each number of iterations


class PlayerAgreement(NamedTuple):
    """The agreement of a player on all positions."""

    player: str  # as text
    positions: int
    best: int  # positions with a best move: the fastest win or the slowest loss
    kept: int  # positions whose outcome the move kept
    evaluations: int  # of all its searches
    seconds: float  # CPU time of all its searches

    @property
    def evaluations_per_move(self) -> float:
        return self.evaluations / self.positions

    @property
    def seconds_per_move(self) -> float:
        return self.seconds / self.positions

    def share(self, measure: str) -> float:
        """Return the share of the positions, from 0 to 1; `measure` is "best" or "kept"."""
        return float(getattr(self, measure) / self.positions)

    def interval(self, measure: str) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return wilson_interval(getattr(self, measure), self.positions)


class PlayerAgreements(NamedTuple):
    """The agreement of players on the same positions."""

    sample: PositionSample
    rows: tuple[PlayerAgreement, ...]
    chance: dict[str, float]  # the expected share of a random move, by measure

    @property
    def families(self) -> dict[str, list[PlayerAgreement]]:
        """Return the rows by family: players that differ only in their depth or number of iterations."""
        found: dict[str, list[PlayerAgreement]] = {}
        for row in self.rows:
            found.setdefault(family_text(row.player), []).append(row)
        return found


def family_text(text: str) -> str:
    """Return a player with a fixed depth or number of iterations, the same for all players that differ only in it.

    >>> family_text("search:algorithm=mcts,iterations=50,c=0.5"), family_text("search:depth=2")
    ('search:algorithm=mcts,iterations=1000,c=0.5', 'search:depth=end')
    """
    player = read_player(text)
    if not isinstance(player, SearchPlayer):
        return text
    return player_text(player.replace(**{ITERATIONS.name: ITERATIONS.default} if player.iterates else {"depth": None}))


def list_players(game: Any, texts: Iterable[str], depths: Sequence[int], iterations: Sequence[int]) -> list[str]:
    """Return the players to measure: those that name a depth or iterations as they are, others with each that is given."""
    found: dict[str, None] = {}
    for text in texts:
        player = read_player(text)
        if not isinstance(player, SearchPlayer):
            raise PlyscopeError(f"{text[:60]!r} does not search: name players such as mcts:iterations=1000 or alphabeta:depth=4")
        name, numbers = (ITERATIONS.name, iterations) if player.iterates else ("depth", depths)
        for one in [player] if names_search_size(text) else [player.replace(**{name: number}) for number in numbers]:
            for side in SIDES:
                check_player(one, game, side)
            found[player_text(one)] = None
    if not found:
        raise BadLimit("no players: name at least one, such as mcts:iterations=1000")
    if len(found) > MAX_PLAYERS:
        raise BadLimit(f"{len(found):,} players are too many: the maximum is {MAX_PLAYERS}")
    return list(found)


def measure_players(
    sample: PositionSample, players: Sequence[str], on_progress: OnProgress | None = None
) -> Iterator[PlayerAgreement | dict[str, float]]:
    """Yield the expected shares of a random move, then the agreement of each player."""
    game = read_game(sample.game)
    positions = find_solved_positions(game, sample.number, sample.seed, on_progress)
    by_chance = measure_random_move(positions)
    yield {"best": by_chance.best / by_chance.positions, "kept": by_chance.kept / by_chance.positions}
    for text in players:
        yield measure_player(game, text, positions, on_progress)


def measure_player(game: Any, text: str, positions: Sequence[Solution], on_progress: OnProgress | None = None) -> PlayerAgreement:
    """Return the agreement of a player. Compiling its search does not count as time."""
    player = read_player(text)
    if not isinstance(player, SearchPlayer):
        raise PlyscopeError(f"{text[:60]!r} does not search")
    best = kept = evaluations = 0
    seconds = 0.0
    question = player.make_question(Question(game, positions[0].state))
    if check_question(question, MAX_NODES, None).compiled:
        search_uninterrupted(question, compiled=True)
    for done, solution in enumerate(positions, start=1):
        began = time.process_time()
        tree = _choose(player, game, solution)
        seconds += time.process_time() - began
        is_best, is_kept = count_agreement(solution, tree.root.best_move)
        best, kept, evaluations = best + is_best, kept + is_kept, evaluations + count_evaluations(tree)
        if on_progress is not None:
            on_progress(text, done, len(positions))
    return PlayerAgreement(text, len(positions), best, kept, evaluations, seconds)


def _choose(player: SearchPlayer, game: Any, solution: Solution) -> SearchTree:
    choice = choose_search_move(player, Question(game, solution.state), solution.state)
    if choice is None or choice.tree is None:  # only a callback stops a search, and there is none
        raise KeyboardInterrupt
    return choice.tree


def count_evaluations(tree: SearchTree) -> int:
    """Return the leaves that a search evaluated, or its iterations."""
    return tree.iterations if tree.has_iterations else tree.statistics(with_repetition=False).evaluations
