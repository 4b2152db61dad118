"""Players of matches and measurements in words, the same in the terminal, in files and on the pages."""

from typing import Any

from engine.algorithms import find_algorithm
from engine.algorithms.monte_carlo.options import ITERATIONS, C
from engine.algorithms.spec import Option
from engine.core.parsing import depth_text
from engine.matches.players import HumanPlayer, PerfectPlayer, Player, PolicyPlayer, RandomPlayer, SearchPlayer
from visualizer.narration.numbers import format_count


def player_title(player: Player, with_size: bool = True) -> str:
    """Return a player in words; `with_size` names its depth or its number of iterations.

    >>> from engine.matches.players import read_player
    >>> [player_title(read_player(text)) for text in ("search:depth=4", "mcts:c=0.5", "policy:hold=5", "random:seed=3")]
    ['alpha-beta, K = 4', 'MCTS, 1,000 iterations, c = 0.5', 'hold at 5', 'random moves, seed 3']
    >>> player_title(read_player("mcts:seed=2"), with_size=False), player_title(read_player("perfect"))
    ('MCTS, c = 1.4, seed 2', 'solver')
    """
    if isinstance(player, HumanPlayer):
        return "person"
    if isinstance(player, RandomPlayer):
        return "random moves" + (f", seed {player.seed}" if player.seed else "")
    if isinstance(player, PerfectPlayer):
        return "solver"
    if isinstance(player, PolicyPlayer):
        return f"{player.policy} at {player.number}"
    parts = [find_algorithm(player.algorithm).title]
    parts += [player_size(player)] * with_size
    parts += [f"{name} {value}" for name in ("evaluation", "order") if (value := getattr(player, name))]
    chosen = ((option, player.options[option.name]) for option in find_algorithm(player.algorithm).options)
    parts += [words for option, value in chosen if option.name != ITERATIONS.name and (words := describe_option(option, value))]
    parts += ["prefers the faster win"] * player.prefer_faster_win
    return ", ".join(parts)


def describe_option(option: Option, value: Any) -> str:
    """Describe an option that does not have its default. The exploration constant is always named."""
    return option.summary.format(value=f"{value:g}") if option.name == C.name else option.words(value)


def player_size(player: SearchPlayer) -> str:
    """Return the depth of a player, or its number of iterations."""
    if player.iterates:
        return format_count(player.options[ITERATIONS.name], "iteration")
    return "to the end" if player.depth is None else f"K = {depth_text(player.depth)}"
