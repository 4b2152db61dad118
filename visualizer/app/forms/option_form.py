"""Widgets for the options that algorithms declare."""

from collections.abc import Callable, Collection, Iterable, Mapping
from math import isfinite
from typing import Any

import streamlit as st

from engine.algorithms import find_algorithm
from engine.algorithms.spec import AS_PUBLISHED, CUT_ON_EQUAL, ORDER, QUIESCENCE, REPLACE, SLOTS, TABLE_OPTIONS, Option
from engine.games import quirks
from engine.games.capabilities import can_list_noisy_moves, game_preset, game_quirk
from visualizer.app.state.notices import show_lost_notice

GAME_REQUIREMENTS: dict[
    str, tuple[Callable[[Any], Any], str]
] = {  # options that only some games have: a test for them, and a notice for the others
    AS_PUBLISHED.name: (game_preset, "Only the student programs (presets) run as published. This search has no quirks."),
    QUIESCENCE.name: (
        can_list_noisy_moves,
        "This game does not declare noisy moves. The search runs without quiescence.",
    ),
}
ORDER_NAMES = {
    "game": "as listed",
    "centre": "nearest to the middle",
    "static": "best static value",
    "killer": "killer moves",
    "history": "history heuristic",
    "killer-history": "killer moves, history",
    "best": "best move (oracle)",
}


def ask_for_options(
    algorithms: Iterable[str],
    chosen: dict[str, Any],
    played: Any,
    salt: str,
    shared: bool = True,
    compared: bool = False,
    asked: Collection[str] = (),
) -> dict[str, Any]:
    """Ask for the options of these algorithms, each once. Return their values.

    `chosen` are the values so far, and is updated; options that are not asked for now stay in it. `shared`: also ask for the
    options that all algorithms must have in common. `compared`: the answers are for other algorithms too, so that an option
    without effect on these is offered. `asked`: names of options that were asked for elsewhere and are in `chosen`.
    """
    algorithms = list(algorithms)
    declared = {
        option.name: option for name in algorithms for option in find_algorithm(name).options if shared or not option.shared
    }
    missing = [name for name, (fits, _) in GAME_REQUIREMENTS.items() if not fits(played)]
    available = {name: option for name, option in declared.items() if name not in missing}
    for name in missing:
        if name in declared and chosen.get(name):
            show_lost_notice(GAME_REQUIREMENTS[name][1])
    answers: dict[str, Any] = {name: chosen[name] for name in asked}
    halves: list[Any] = []  # two fields stand side by side, and a switch has its own line
    for name, option in available.items():
        if name in asked or not (compared or any(has_effect(option, algorithm, played, answers) for algorithm in algorithms)):
            continue
        halves = [] if option.is_switch else halves or list(st.columns(2))
        with st.container() if option.is_switch else halves.pop(0):
            answers[name] = _ask_for_option(option, chosen.get(name, option.default), played, salt)
    chosen.update(answers)
    return {name: answers.get(name, option.default) for name, option in declared.items()}


def has_effect(option: Option, algorithm: str, played: Any, others: Mapping[str, Any]) -> bool:
    """Return True if an option can change a search, given the answers to the options before it."""
    windows = find_algorithm(algorithm).windows
    if option.name == CUT_ON_EQUAL.name:
        return windows
    if option.name == AS_PUBLISHED.name:
        return game_quirk(played) != "" and (windows or game_quirk(played) != quirks.FRESH_ROOT_WINDOWS)
    if option.name == REPLACE.name and others.get(SLOTS.name) == 0:  # every entry has a slot of its own
        return False
    return option.name not in (one.name for one in TABLE_OPTIONS) or others.get("table", True)


def _ask_for_option(option: Option, value: Any, played: Any, salt: str) -> Any:
    key = f"{option.key} {salt}"
    if option.is_switch:
        help = quirks.QUIRK_DESCRIPTIONS[game_quirk(played)] if option == AS_PUBLISHED else option.line
        return st.toggle(option.label, value != option.default, key=key, help=help) != option.default
    if option.choices:
        names = ORDER_NAMES if option.name == ORDER.name else dict(zip(option.choices, option.choices, strict=True))
        place = option.choices.index(value)
        return st.selectbox(option.label, option.choices, place, key=key, help=option.line, format_func=names.__getitem__)
    kind = float if option.optional else type(option.default)
    minimum, maximum = (kind(limit) if isfinite(limit) else None for limit in (option.minimum, option.maximum))
    return st.number_input(option.label, minimum, maximum, value, key=key, help=option.line)
