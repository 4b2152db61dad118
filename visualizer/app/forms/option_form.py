"""Widgets for the options that algorithms declare."""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

import streamlit as st

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import AS_PUBLISHED, QUIESCENCE, Option
from engine.games import quirks
from engine.games.capabilities import can_list_noisy_moves, game_preset, game_quirk
from visualizer.app.state.notices import show_lost_notice

GAME_REQUIREMENTS: dict[
    str, tuple[Callable[[Any], Any], str]
] = {  # options that not every game has: which do, and what is said of others
    AS_PUBLISHED.name: (game_preset, "Only presets can run as published: this is the search without quirks."),
    QUIESCENCE.name: (
        can_list_noisy_moves,
        "This game does not say which moves are noisy: this is the search without quiescence.",
    ),
}


def ask_for_options(
    algorithms: Iterable[str], chosen: dict[str, Any], played: Any, salt: str, shared: bool = True
) -> dict[str, Any]:
    """Ask for the options of these algorithms, each once. Return their values.

    `chosen` are the values so far, and is updated; options that are not asked for now stay in it. `shared`: also ask for the
    options
    that all algorithms must have in common.
    """
    declared = {option.name: option for name in algorithms for option in ALGORITHMS[name].options if shared or not option.shared}
    missing = [name for name, (fits, _) in GAME_REQUIREMENTS.items() if not fits(played)]
    asked = {name: option for name, option in declared.items() if name not in missing}
    for name in missing:
        if name in declared and chosen.get(name):
            show_lost_notice(GAME_REQUIREMENTS[name][1])
    answers = {name: _ask_for_option(option, chosen.get(name, option.default), played, salt) for name, option in asked.items()}
    chosen.update(answers)
    return {name: answers.get(name, option.default) for name, option in declared.items()}


def _ask_for_option(option: Option, value: Any, played: Any, salt: str) -> Any:
    key = f"{option.key} {salt}"
    if option.is_switch:
        help = quirks.QUIRK_DESCRIPTIONS[game_quirk(played)] if option == AS_PUBLISHED else option.line
        return st.toggle(option.label, value != option.default, key=key, help=help) != option.default
    if option.choices:
        return st.selectbox(option.label, option.choices, option.choices.index(value), key=key, help=option.line)
    kind = float if option.optional else type(option.default)
    least, most = (kind(limit) if isfinite(limit) else None for limit in (option.least, option.most))
    return st.number_input(option.label, least, most, value, key=key, help=option.line)
