"""Alpha-beta with a transposition table (Greenblatt, Eastlake and Crocker 1967; Plaat and others 1996, AlphaBetaWithMemory).

A position that occurs again by another order of moves is not searched again if its entry suffices: the entry must have been
searched to the same depth, and its bound must decide. Otherwise its move is tried first. The search is in alphabeta_core.py,
the table in transposition_table.py.
"""

from engine.algorithms.alphabeta_core_pseudocode import make_search_pseudocode
from engine.algorithms.pass_runner import run_single_pass
from engine.algorithms.spec import LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, Algorithm

TABLE = Algorithm(
    name="table",
    title="alpha-beta with a table",
    line="do not search a position again if its stored result is enough",
    run_passes=run_single_pass,
    additions={"table": True},
    code=make_search_pseudocode("alphabeta", table=True, scout=False),
    columns=(*WINDOWS, LINK),
    options=(ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "no more", "once", "within alpha-beta", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
