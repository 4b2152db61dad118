"""SSS* (Stockman 1979) as MTD from infinity: the same leaves in the same order, without lists of states. See mtdf.py."""

from engine.algorithms.mtdf import MTD_ADDITIONS, MTD_COLUMNS, MTD_LAWS, MTD_OPTIONS, MTD_RULES, make_pseudocode, run_mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

SSS = Algorithm(
    name="sss",
    title="SSS*",
    line="lower an upper bound from infinity until it is the value",
    run_passes=lambda runner, game, state, plies, options: run_mtd(runner, game, state, plies, INFINITY),
    additions=MTD_ADDITIONS,
    code=make_pseudocode("sss", "∞"),
    words=MTD_RULES,
    columns=MTD_COLUMNS,
    options=MTD_OPTIONS,
    laws=MTD_LAWS,
    kernel=LADDER,
)
