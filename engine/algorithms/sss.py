"""SSS* (Stockman 1979) as MTD from infinity: the same leaves in the same order, without lists of states. See mtdf.py."""

from engine.algorithms.mtdf import COLUMNS, LAWS, OPTIONS, WORDS, code, mtd
from engine.algorithms.spec import LADDER, Algorithm
from engine.record.columns import INFINITY

SSS = Algorithm(
    name="sss",
    title="SSS*",
    line="lower an upper bound of the value, from infinity down to it",
    run=lambda game, record, state, plies, options: mtd(game, record, state, plies, options, INFINITY),
    code=code("sss", "∞"),
    words=WORDS,
    columns=COLUMNS,
    options=OPTIONS,
    laws=LAWS,
    kernel=LADDER,
)
