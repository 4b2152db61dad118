"""Widgets for the options that algorithms declare."""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import AS_PUBLISHED, QUIESCENCE, Option
from engine.games import quirks
from engine.games.capabilities import preset_of, quirk_of, tells_noisy_moves
from visualizer.app.state.notices import say_lost

FITTING: dict[str, tuple[Callable[[Any], Any], str]] = {  # options that not every game has: which do, and what is said of others
    AS_PUBLISHED.name: (preset_of, "Only presets can run as published: this is the search without quirks."),
    QUIESCENCE.name: (tells_noisy_moves, "This game does not say which moves are noisy: this is the search without quiescence."),
}


def ask_for_options(
    algorithms: Iterable[str], chosen: dict[str, Any], played: Any, salt: str, shared: bool = True
) -> dict[str, Any]:
    """The options of these algorithms, each once. `chosen` are those so far: what is not asked for now is kept in it. `shared`:
    also those that all must have in common."""
    declared = {option.name: option for name in algorithms for option in ALGORITHMS[name].options if shared or not option.shared}
    missing = [name for name, (fits, _) in FITTING.items() if not fits(played)]
    asked = {name: option for name, option in declared.items() if name not in missing}
    for name in missing:
        if name in declared and chosen.get(name):
            say_lost(FITTING[name][1])
    answers = {name: _ask(option, chosen.get(name, option.default), played, salt) for name, option in asked.items()}
    chosen.update(answers)
    return {name: answers.get(name, option.default) for name, option in declared.items()}


def _ask(option: Option, value: Any, played: Any, salt: str) -> Any:
    key = f"{option.key} {salt}"
    if option.is_switch:
        help = quirks.LINES[quirk_of(played)] if option == AS_PUBLISHED else option.line
        return st.toggle(option.label, value != option.default, key=key, help=help) != option.default
    if option.choices:
        return st.selectbox(option.label, option.choices, option.choices.index(value), key=key, help=option.line)
    kind = float if option.optional else type(option.default)
    least, most = (kind(limit) if isfinite(limit) else None for limit in (option.least, option.most))
    return st.number_input(option.label, least, most, value, key=key, help=option.line)
