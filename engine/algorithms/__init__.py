"""The algorithms, in the order of the ladder. A new one is a module here and a line below."""

from engine.algorithms import (
    alphabeta,
    alphabeta_with_table,
    aspiration,
    classic_engine,
    dual,
    expectiminimax,
    iterative,
    minimax,
    mtdf,
    pvs,
    sss,
    star1,
    star2,
)
from engine.algorithms.monte_carlo import mcts, mcts_solver, puct
from engine.algorithms.spec import Algorithm
from engine.core.errors import UnknownName

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        minimax.MINIMAX,
        alphabeta.ALPHABETA,
        iterative.ITERATIVE,
        alphabeta_with_table.TABLE,
        aspiration.ASPIRATION,
        pvs.PVS,
        mtdf.MTDF,
        sss.SSS,
        dual.DUAL,
        classic_engine.ENGINE,
        expectiminimax.EXPECTIMINIMAX,
        star1.STAR1,
        star2.STAR2,
    )
}

ITERATIVE_ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm for algorithm in (mcts.MCTS, puct.PUCT, mcts_solver.MCTS_SOLVER)
}  # searches that run in iterations and have no depth limit


def all_algorithms() -> dict[str, Algorithm]:
    """Return the algorithms of both kinds by name."""
    return {**ALGORITHMS, **ITERATIVE_ALGORITHMS}


def find_algorithm(name: object) -> Algorithm:
    """Return the algorithm of this name, of either kind. Raise UnknownName if there is none."""
    known = all_algorithms()
    if not isinstance(name, str) or name not in known:
        raise UnknownName("algorithm", name, known)
    return known[name]
