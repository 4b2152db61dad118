"""The classic engine: iterative deepening with a table, probes, and killer and history ordering.

It is iterative.py with other defaults: `order` is killer-history and `scout` is on.
"""

from dataclasses import replace

from engine.algorithms.iterative import ITERATIVE
from engine.algorithms.move_ordering import KILLER_HISTORY
from engine.algorithms.spec import NO_WIDTH, ORDER, QUIESCENCE, TABLE, TABLE_OPTIONS, WITHOUT_SCOUT

ENGINE = replace(
    ITERATIVE,
    name="engine",
    title="the classic engine",
    line="iterative deepening with a table, probes, killers and history",
    options=(TABLE, WITHOUT_SCOUT, NO_WIDTH, replace(ORDER, default=KILLER_HISTORY), QUIESCENCE, *TABLE_OPTIONS),
)
