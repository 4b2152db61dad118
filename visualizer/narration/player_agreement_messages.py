"""Texts for the agreement of players with the solver: its title and its notes."""

from collections.abc import Iterator

from engine.analysis.agreement import MAX_SOLVER_NODES
from engine.analysis.player_agreement import PlayerAgreements
from visualizer.narration.glossary import game_name
from visualizer.narration.numbers import format_count

RANDOM_TITLE = "a random move"


def player_agreement_title(agreements: PlayerAgreements) -> str:
    """Return the title of the chart."""
    return f"{game_name(agreements.sample.game)}: players and the solver"


def list_player_agreement_notes(agreements: PlayerAgreements) -> Iterator[str]:
    """Yield notes: the sample, the measures, what counts as an evaluation, and the statistical error."""
    sample = agreements.sample
    yield (
        f"Sample: {format_count(sample.number, 'random position')} (seed {sample.seed}). Two fifths to two thirds of the cells "
        "are filled, the side to move cannot win at once, some moves keep the result and others give it away, and the solver "
        f"needs at most {MAX_SOLVER_NODES:,} nodes. All players choose moves in the same positions."
    )
    yield (
        "Kept: the move gives nothing away. A won position stays won, a drawn one stays drawn. "
        "Best: the move also wins as soon as possible, or loses as late as possible."
    )
    yield (
        "An evaluation is a leaf that a search with a depth limit evaluates, or an iteration of MCTS, which ends in one playout. "
        "So players above each other in the first two plots make the same number of evaluations. A playout takes longer than an "
        "evaluation: the last plot compares players at the same CPU time, which depends on the machine."
    )
    yield (
        "Bars are 95 % intervals (Wilson) for the choice of positions. Searches in iterations use the seed of the player, the "
        "same in all positions."
    )
