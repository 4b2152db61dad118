"""Principal variation search (Marsland and Campbell 1982), also known as NegaScout (Reinefeld 1983).

The first move is assumed to be the best. Every later move is only probed with a null window: is it better? If so, it is
searched again with the whole window. The search is in alphabeta_core.py, which defines null windows.
"""

from engine.algorithms.alphabeta_core_pseudocode import make_search_pseudocode
from engine.algorithms.pass_runner import run_single_pass
from engine.algorithms.spec import CUT_ON_EQUAL, LADDER, LINK, ORDER, QUIESCENCE, TABLE_OPTIONS, WINDOWS, WITH_TABLE, Algorithm
from engine.algorithms.templates import Rule, Rules

PROBE_RULES: Rules = {
    "sentence": [
        Rule(
            "enter.probe.null",
            {"step": "enter", "call": "probe", "root": False},
            "{mover} probes {move} with the null window {alpha} to {beta}. A result outside it may be only a bound.",
        ),
        Rule(
            "return.repeated.inside",
            {"step": "return", "repeated": True},
            "The probe of {move} returns {known}. That is inside the wider window {alpha} to {beta}, "
            "so the move is searched again with that window.",
        ),
    ]
}


PVS = Algorithm(
    name="pvs",
    title="principal variation search",
    line="probe later moves with a null window, and search the better ones again",
    run_passes=run_single_pass,
    additions={"scout": True},
    code=make_search_pseudocode("pvs", scout=True),
    words=PROBE_RULES,
    columns=(*WINDOWS, LINK),
    options=(CUT_ON_EQUAL, ORDER, QUIESCENCE, WITH_TABLE, *TABLE_OPTIONS),
    laws=("value", "first of equals", "within alpha-beta", "windows nest", "kernel"),
    kernel=LADDER,
)
