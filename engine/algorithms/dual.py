"""DUAL* (Marsland, Reinefeld and Schaeffer 1987), SSS* with the sides swapped, as MTD from minus infinity. See mtdf.py."""

from engine.algorithms.mtdf import MTD_COLUMNS, MTD_LAWS, MTD_OPTIONS, MTD_RULES, make_pseudocode, run_mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

DUAL = Algorithm(
    name="dual",
    title="DUAL*",
    line="raise a lower bound of the value, from minus infinity up to it",
    run=lambda game, record, state, plies, options: run_mtd(game, record, state, plies, options, -INFINITY),
    code=make_pseudocode("dual", "−∞"),
    words=MTD_RULES,
    columns=MTD_COLUMNS,
    options=MTD_OPTIONS,
    laws=MTD_LAWS,
    kernel=LADDER,
)
