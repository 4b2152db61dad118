"""The algorithms, in the order of the ladder: a new one is a module here and a line below."""

from engine.algorithms import alphabeta, aspiration, dual, engine, iterative, minimax, mtdf, pvs, sss, table
from engine.algorithms.facts import Algorithm

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        minimax.MINIMAX,
        alphabeta.ALPHABETA,
        iterative.ITERATIVE,
        table.TABLE,
        aspiration.ASPIRATION,
        pvs.PVS,
        mtdf.MTDF,
        sss.SSS,
        dual.DUAL,
        engine.ENGINE,
    )
}
