"""DUAL* (Marsland, Reinefeld and Schaeffer 1987), SSS* with the sides swapped, as MTD from minus infinity. See mtdf.py."""

from engine.algorithms.mtdf import MTD_ADDITIONS, MTD_COLUMNS, MTD_LAWS, MTD_OPTIONS, MTD_RULES, make_pseudocode, run_mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

DUAL = Algorithm(
    name="dual",
    title="DUAL*",
    line="raise a lower bound from minus infinity until it is the value",
    run_passes=lambda runner, game, state, plies, options: run_mtd(runner, game, state, plies, -INFINITY),
    additions=MTD_ADDITIONS,
    code=make_pseudocode("dual", "−∞"),
    words=MTD_RULES,
    columns=MTD_COLUMNS,
    options=MTD_OPTIONS,
    laws=MTD_LAWS,
    kernel=LADDER,
)
