"""Sentences as data: rules that choose a text by the facts of a step, and lines of pseudo-code with the steps that highlight
them.

`visualizer/narration/rules.py` runs the rules, and so does the browser. `visualizer/narration/step_facts.py` defines the facts.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

Conditions = dict[str, str | bool]  # facts and their required values


class Rule(NamedTuple):
    """A text that is used where these facts hold. A slot in it, {slot}, is a part with its own rules or is filled by code."""

    name: str  # for tests and errors
    when: Conditions
    words: str


Rules = dict[str, list[Rule]]  # by part of a sentence ("sentence": the whole); the first rule of a part that holds is used


class CodeLine(NamedTuple):
    """A line of pseudo-code."""

    words: str
    when: Conditions | None = None  # the steps that highlight this line; None: none
    numbers: str = ""  # shown beside the highlighted line
    option: tuple[str, Any] | None = None  # the line is there only if the option of this name has this value. `has_chance` is one
    steps: tuple[tuple[Conditions, float | None], ...] = ()  # lines of a program: the facts, and the value, of several steps


Pseudocode = list[CodeLine]  # a step highlights the first line whose facts hold

TERMINAL_LINE = CodeLine("  if game over: return evaluate(state)", {"step": "evaluate", "status": "terminal"}, "returns {value}")
HORIZON_LINE = CodeLine("  if plies = 0: return evaluate(state)", {"step": "evaluate", "status": "horizon"}, "returns {value}")
MAX_VALUE_LINE = CodeLine(
    "      value ← max(value, score)", {"step": "return", "side": "max", "narrows": ""}, "max({before}, {value}) = {best}"
)
MIN_VALUE_LINE = CodeLine(
    "      value ← min(value, score)", {"step": "return", "side": "min", "narrows": ""}, "min({before}, {value}) = {best}"
)
SUM_LINE = CodeLine(
    "      value ← value + p · score", {"step": "return", "side": "chance"}, "{before} + {weight} · {value} = {best}"
)
ALPHA_LINE = CodeLine("      α ← max(α, value)", {"step": "return", "side": "max"}, "max({old}, {value}) = {alpha}")
BETA_LINE = CodeLine("      β ← min(β, value)", {"step": "return", "side": "min"}, "min({old}, {value}) = {beta}")
MAX_CUT_LINE = CodeLine("      if value ≥ β: return value", {"step": "cutoff", "side": "max"}, "{value} ≥ β = {bound}")
MIN_CUT_LINE = CodeLine("      if value ≤ α: return value", {"step": "cutoff", "side": "min"}, "{value} ≤ α = {bound}")
LEAVE_LINE = CodeLine("  return value", {"step": "leave"}, "returns {value}")


def select_lines(code: Pseudocode, settings: Mapping[str, Any]) -> Pseudocode:
    """Return the lines that belong to these options. An option that is not named leaves its lines as they are."""
    fits = (line for line in code if line.option is None or settings.get(line.option[0], line.option[1]) == line.option[1])
    return [line._replace(option=None) if line.option is None or line.option[0] in settings else line for line in fits]


QUIESCE_LINES: Pseudocode = [
    CodeLine(""),
    CodeLine("quiesce(state, plies, α, β)", {"step": "enter"}, "α = {alpha}, β = {beta}"),
    CodeLine("  if game over: return evaluate(state)", {"step": "evaluate", "status": "terminal"}, "returns {value}"),
    CodeLine("  value ← evaluate(state)   (stand pat)"),
    CodeLine("  if plies = 0 or no move is noisy: return value", {"step": "evaluate"}, "returns {value}"),
    CodeLine("  for each noisy move, if MAX is to move:"),
    CodeLine("    if value ≥ β: return value", {"step": "cutoff", "side": "max"}, "{value} ≥ β = {bound}"),
    CodeLine("    α ← max(α, value)"),
    CodeLine("    score ← quiesce(after move, plies − 1, α, β)"),
    CodeLine("    value ← max(value, score)", {"step": "return", "side": "max"}, "max({before}, {value}) = {best}"),
    CodeLine("  for each noisy move, if MIN is to move:"),
    CodeLine("    if value ≤ α: return value", {"step": "cutoff", "side": "min"}, "{value} ≤ α = {bound}"),
    CodeLine("    β ← min(β, value)"),
    CodeLine("    score ← quiesce(after move, plies − 1, α, β)"),
    CodeLine("    value ← min(value, score)", {"step": "return", "side": "min"}, "min({before}, {value}) = {best}"),
    LEAVE_LINE,
]


def add_quiescence(code: Pseudocode, plies: int) -> Pseudocode:
    """Return the code of a search that goes `plies` beyond the horizon, with a separate function for these plies."""
    horizon = CodeLine(f"  if plies = 0: return quiesce(state, {plies}, α, β)")
    before = [horizon if line.words == HORIZON_LINE.words else line for line in code]
    return [*_add_beyond_condition(before, beyond=False), *_add_beyond_condition(QUIESCE_LINES, beyond=True)]


def _add_beyond_condition(code: Pseudocode, beyond: bool) -> Pseudocode:
    return [line if line.when is None else line._replace(when={**line.when, "beyond": beyond}) for line in code]


def merge_rules(*rule_sets: Rules) -> Rules:
    """Return all of these rules. Those of the first argument come first."""
    return {part: [rule for rules in rule_sets for rule in rules.get(part, [])] for rules in rule_sets for part in rules}


def make_strict(code: Pseudocode) -> Pseudocode:
    """Return the code with strict cutoffs: an equal value does not cut."""
    return [line._replace(words=_make_text_strict(line.words), numbers=_make_text_strict(line.numbers)) for line in code]


def _make_text_strict(words: str) -> str:
    return words.replace("≥", ">").replace("≤", "<")
