"""Alpha-beta with a transposition table (Greenblatt, Eastlake and Crocker 1967; Plaat and others 1996, AlphaBetaWithMemory).

A position that occurs again by another order of moves is not searched again if its entry suffices: the entry must have been
searched to the same depth, and its bound must decide. Otherwise its move is tried first. The search is in alphabeta_core.py,
the table in transposition_table.py.
"""

from engine.algorithms.alphabeta_core import create_pass_runner
from engine.algorithms.spec import LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, Algorithm
from engine.algorithms.windowed_pseudocode import make_search_pseudocode

TABLE = Algorithm(
    name="table",
    title="alpha-beta with a table",
    line="search no position twice where what is known of it is enough",
    run=lambda game, record, state, plies, options: create_pass_runner(game, record, options, table=True).run_pass(state, plies),
    code=make_search_pseudocode("alphabeta", table=True, scout=False),
    columns=(*WINDOWS, LINK),
    options=(ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "no more", "once", "within alpha-beta", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
