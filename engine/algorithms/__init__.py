"""The algorithms, in the order of the ladder. A new one is a module here and a line below."""

from engine.algorithms import (
    alphabeta,
    alphabeta_with_table,
    aspiration,
    classic_engine,
    dual,
    iterative,
    minimax,
    mtdf,
    pvs,
    sss,
)
from engine.algorithms.spec import Algorithm

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
    )
}
