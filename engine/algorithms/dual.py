"""DUAL* (Marsland, Reinefeld and Schaeffer 1987), SSS* with the sides swapped, as MTD from minus infinity. See mtdf.py."""

from engine.algorithms.mtdf import COLUMNS, LAWS, OPTIONS, WORDS, code, mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

DUAL = Algorithm(
    name="dual",
    title="DUAL*",
    line="raise a lower bound of the value, from minus infinity up to it",
    run=lambda game, record, state, plies, options: mtd(game, record, state, plies, options, -INFINITY),
    code=code("dual", "−∞"),
    words=WORDS,
    columns=COLUMNS,
    options=OPTIONS,
    laws=LAWS,
    kernel=LADDER,
)
