"""Alpha-beta with a transposition table (Greenblatt, Eastlake and Crocker 1967; Plaat and others 1996, AlphaBetaWithMemory).

A position that comes again by another order of moves is not searched again where what is known of it is enough: an entry answers
if it was searched just as deep and its bound suffices. Otherwise its move is tried first. alphabeta_core.py is the text,
transposition_table.py the table.
"""

from engine.algorithms.alphabeta_core import windowed
from engine.algorithms.spec import LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, Algorithm
from engine.algorithms.windowed_pseudocode import inner_code

TABLE = Algorithm(
    name="table",
    title="alpha-beta with a table",
    line="search no position twice where what is known of it is enough",
    run=lambda game, record, state, plies, options: windowed(game, record, options, table=True).run_pass(state, plies),
    code=inner_code("alphabeta", table=True, scout=False),
    columns=(*WINDOWS, LINK),
    options=(ORDER, QUIESCENCE, *TABLE_OPTIONS),
    laws=("value", "no more", "once", "within alpha-beta", "answers", "windows nest", "kernel"),
    kernel=LADDER,
)
