"""SSS* (Stockman 1979) as MTD from infinity: the same leaves in the same order, without lists of states. See mtdf.py."""

from engine.algorithms.mtdf import MTD_COLUMNS, MTD_LAWS, MTD_OPTIONS, MTD_RULES, make_pseudocode, run_mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

SSS = Algorithm(
    name="sss",
    title="SSS*",
    line="lower an upper bound of the value, from infinity down to it",
    run=lambda game, record, state, plies, options: run_mtd(game, record, state, plies, options, INFINITY),
    code=make_pseudocode("sss", "∞"),
    words=MTD_RULES,
    columns=MTD_COLUMNS,
    options=MTD_OPTIONS,
    laws=MTD_LAWS,
    kernel=LADDER,
)
