"""Two published experiments with UCT, measured anew.

P-games (Kocsis and Szepesvári 2006): trees with a random number on every edge, from 0 to 127 for a move of MAX and from -127 to 0
for a move of MIN. MAX wins if the sum on the way to the leaf is positive. UCT fails if its move is not a best one.

Shallow traps (Ramanujan, Sabharwal and Selman 2010): a move is a level-k trap if the other side can then force a win within k
plies. The solver finds such moves exactly on Connect 4. UCT falls into a trap if it plays one; alpha-beta that looks k + 1 plies
ahead sees every one of them.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from engine.analysis.agreement import find_solved_positions
from engine.analysis.intervals import wilson_interval
from engine.core.random_numbers import mix_word
from engine.games.capabilities import game_winner
from engine.games.registry import read_game
from engine.question import Question
from engine.searcher import search_uninterrupted
from engine.solver.scores import moves_to_end
from engine.solver.solver import Solution

EDGE_VALUES = 128  # 0 to 127
TRAP_LEVELS = (3, 5, 7)
OnProgress = Callable[[str, int, int], object]  # the activity, the number done, the total


class FailureRate(NamedTuple):
    """The number of wrong moves that a search chose."""

    experiment: str  # "P-games" or "traps"
    setting: str  # what was searched, and how
    failures: int
    trials: int

    @property
    def share(self) -> float:
        return self.failures / self.trials if self.trials else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share (Wilson).

        >>> FailureRate("traps", "", 5, 50).interval
        (0.0435, 0.2136)
        """
        return wilson_interval(self.failures, self.trials)


class PGame:
    """A tree with a random number on every edge. A state is (plies, number of the node, sum so far)."""

    def __init__(self, branching: int, depth: int, seed: int):
        self.branching, self.depth, self.seed = branching, depth, mix_word(seed)
        self.name = f"P-game of {branching} moves and {depth} plies, seed {seed}"

    def start(self) -> tuple[int, int, int]:
        return 0, 0, 0

    def moves(self, state: tuple[int, int, int]) -> range:
        return range(0 if self.is_over(state) else self.branching)

    def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        plies, node, total = state
        child = node * self.branching + move + 1
        number = mix_word(self.seed ^ mix_word(child)) % EDGE_VALUES
        return plies + 1, child, total + (number if plies % 2 == 0 else -number)

    def is_over(self, state: tuple[int, int, int]) -> bool:
        return state[0] == self.depth

    def maximizing(self, state: tuple[int, int, int]) -> bool:
        return state[0] % 2 == 0

    def evaluate(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def result(self, state: tuple[int, int, int]) -> int:
        """Return the result with best play: 1 if MAX wins, 0 for a draw, -1 if MIN wins."""
        if self.is_over(state):
            return {"max": 1, "": 0, "min": -1}[game_winner(self, state)]
        results = (self.result(self.play(state, move)) for move in self.moves(state))
        return max(results) if self.maximizing(state) else min(results)


def measure_p_games(
    trees: int = 200,
    branching: int = 2,
    depth: int = 10,
    checkpoints: Sequence[int] = (4, 16, 64, 256, 1024),
    c: float = 1.4,
    on_progress: OnProgress | None = None,
) -> Iterator[FailureRate]:
    """Yield how often UCT chooses a move that is not best, by iterations. One search of each tree gives all of them."""
    failures = dict.fromkeys(checkpoints, 0)
    for seed in range(trees):
        game = PGame(branching, depth, seed)
        results = {move: game.result(game.play(game.start(), move)) for move in game.moves(game.start())}
        tree = search_uninterrupted(game, algorithm="mcts", iterations=max(checkpoints), c=c, seed=seed)
        for iterations in checkpoints:
            failures[iterations] += results[tree.at(iterations).best_move] < max(results.values())
        if on_progress is not None:
            on_progress("searching P-games", seed + 1, trees)
    for iterations, count in failures.items():
        setting = f"{branching} moves, {depth} plies, c = {c:g}, {iterations:,} iterations"
        yield FailureRate("P-games", setting, count, trees)


def find_traps(solution: Solution, level: int) -> set[int]:
    """Return the columns of a solved position after which the other side can force a win within exactly `level` plies."""
    lost = {column: score for column, score in solution.columns.items() if score < 0}
    return {column for column, score in lost.items() if 2 * moves_to_end(score, solution.disc_count) - 1 == level}


def measure_traps(
    positions: int = 500,
    seed: int = 0,
    iterations: Sequence[int] = (100, 1_000, 10_000),
    levels: Sequence[int] = TRAP_LEVELS,
    c: float = 1.4,
    on_progress: OnProgress | None = None,
) -> Iterator[FailureRate]:
    """Yield how often UCT and alpha-beta play into traps, on positions of Connect 4 where another move keeps the outcome."""
    game = read_game("connect4:evaluation=none")
    solved = find_solved_positions(game, positions, seed, on_progress)
    for level in levels:
        risky = [(solution, traps) for solution in solved if (traps := find_traps(solution, level))]
        for count in iterations:
            chosen = [_choose_move(game, solution, algorithm="mcts", iterations=count, c=c) for solution, _ in risky]
            setting = f"level {level}, UCT, c = {c:g}, {count:,} iterations"
            yield FailureRate("traps", setting, _count_falls(chosen, risky), len(risky))
        chosen = [_choose_move(game, solution, depth=level + 1) for solution, _ in risky]
        yield FailureRate("traps", f"level {level}, alpha-beta, K = {level + 1}", _count_falls(chosen, risky), len(risky))


def _choose_move(game: Any, solution: Solution, **search: Any) -> int:
    return search_uninterrupted(Question(game, solution.state, **search)).root.best_move


def _count_falls(chosen: list[int], risky: list[tuple[Solution, set[int]]]) -> int:
    return sum(move in traps for move, (_, traps) in zip(chosen, risky, strict=True))


NOTES = (
    "P-games (Kocsis & Szepesvári 2006): trees of random numbers on the edges. Their sum along the path says who wins. A search "
    "failed if the most visited move of the root is worse than another one with perfect play. The published curves average many "
    "runs of larger trees. Here every tree is searched once, so the intervals are those of the number of trees. Draws count as "
    "results of their own.",
    "Traps (Ramanujan et al. 2010): a move is a trap of level k if the other side can then force a win in k plies. A search "
    "failed if it chooses one although another move keeps the outcome. Alpha-beta looks one ply further than the trap is deep, "
    "so it sees every one. The published rates are for chess. Here the positions are random ones of Connect 4 with two fifths to "
    "two thirds of the cells filled, solved exactly. A position may have traps of several levels.",
    "Intervals are 95 % (Wilson). The bonus is c · √(ln N / n) for results from 0 to 1.",
)
