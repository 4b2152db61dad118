"""Widgets for the options that algorithms declare."""

from collections.abc import Iterable
from math import isfinite
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.algorithms.facts import AS_PUBLISHED, Option
from engine.games import quirks
from engine.games.declarations import preset_of, quirk_of
from visualizer.app_pages.words import say_lost


def ask_for_options(
    algorithms: Iterable[str], chosen: dict[str, Any], played: Any, salt: str, shared: bool = True
) -> dict[str, Any]:
    """The options of these algorithms, each once. `chosen` are those so far: what is not asked for now is kept in it. `shared`:
    also those that all must have in common."""
    declared = {option.name: option for name in algorithms for option in ALGORITHMS[name].options if shared or not option.shared}
    is_preset = bool(preset_of(played))
    asked = {name: option for name, option in declared.items() if is_preset or option != AS_PUBLISHED}
    if chosen.get(AS_PUBLISHED.name) and AS_PUBLISHED.name not in asked:
        say_lost("Only presets can run as published: this is the search without quirks.")
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
