"""The options of searches that run in iterations, and the lines of pseudo-code that depend on them."""

from dataclasses import replace

from engine.algorithms.monte_carlo.outcomes import NO_PLAYOUT, RANDOM
from engine.algorithms.spec import Option
from engine.algorithms.templates import CodeLine, Pseudocode

MAX_ITERATIONS = 100_000_000
MAX_SEED = 2**53 - 1  # the largest whole number that JavaScript stores exactly

ITERATIONS = Option(
    name="iterations",
    default=1_000,
    label="Iterations",
    line="Number of iterations. Each selects a path, adds a node, plays a game to the end and backs up its result.",
    summary="{value} iterations",
    minimum=1,
    maximum=MAX_ITERATIONS,
)
C = Option(
    name="c",
    default=1.4,
    label="Exploration c",
    line="Weight of the exploration bonus: the larger it is, the more often moves with few visits are tried.",
    summary="c = {value}",
    minimum=0.0,
    maximum=1e6,
)
SEED = Option(
    name="seed",
    default=0,
    label="Seed",
    line="Start of the random numbers. The same seed gives the same tree everywhere.",
    summary="seed {value}",
    minimum=0,
    maximum=MAX_SEED,
)
PLAYOUT = Option(
    name="playout",
    default=RANDOM,
    label="Playout",
    line="How a new node is judged: by random moves to the end of the game (random), or by its evaluation (none).",
    summary="playout {value}",
    choices=(RANDOM, NO_PLAYOUT),
    readable=(NO_PLAYOUT,),
)
SCALE = Option(
    name="scale",
    default=100.0,
    label="Scale",
    line="Without playouts: the value v counts as 1/2 + v / (2 (|v| + scale)) points, unless the game declares a value_range.",
    summary="scale {value}",
    minimum=1e-9,
    maximum=1e300,
)
PUCT_C = replace(C, line="Weight of the exploration bonus: the larger it is, the more the prior counts.")
OUTCOME_LINES: Pseudocode = [
    CodeLine(f"    outcome ← {words}", {"step": "simulate"}, "{outcome}", option=(PLAYOUT.name, playout))
    for playout, words in ((RANDOM, "result of random moves to the end"), (NO_PLAYOUT, "evaluation of the last node"))
]
