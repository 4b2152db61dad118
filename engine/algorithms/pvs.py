"""Principal variation search (Marsland and Campbell 1982), for which NegaScout (Reinefeld 1983) is another name.

The first move is taken to be the best: every later one is only asked, with a null window, whether it is better. If it is, it is
searched again with the whole window. alphabeta_core.py is the text and says what a null window is.
"""

from typing import Any

from engine.algorithms.alphabeta_core import windowed
from engine.algorithms.spec import CUT_ON_EQUAL, LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, WITH_TABLE, Algorithm
from engine.algorithms.templates import Rule, Rules
from engine.algorithms.windowed_pseudocode import inner_code

WORDS_OF_PROBES: Rules = {
    "sentence": [
        Rule(
            "return.repeated.inside",
            {"step": "return", "repeated": True},
            "{Move} comes back from its probe with {known}. That lies inside the window {alpha} to {beta}, which is wider than "
            "the probe's, so the move is searched again with that window.",
        ),
    ]
}


def pvs(game: Any, record: Any, state: Any, plies: int, options: Any) -> float:
    return windowed(game, record, options, table=options["table"], scout=True).run_pass(state, plies)


PVS = Algorithm(
    name="pvs",
    title="principal variation search",
    line="ask of later moves only whether they are better, and search again those that are",
    run=pvs,
    code=inner_code("pvs", scout=True),
    words=WORDS_OF_PROBES,
    columns=(*WINDOWS, LINK),
    options=(CUT_ON_EQUAL, ORDER, QUIESCENCE, WITH_TABLE, *TABLE_OPTIONS),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
