"""The control for the order of moves: as the game lists them, or some moves before all others."""

from typing import Any

import streamlit as st

from engine.algorithms.spec import ORDER, Option
from visualizer.app.forms.game_form import MoveListing
from visualizer.app.forms.option_form import ORDER_NAMES
from visualizer.narration.escapes import escape_page_markdown

AS_LISTED = "game"  # the algorithm's order that changes nothing
FIRST = " first"  # ends the key of an entry for moves that are tried before all others
LISTING_NAMES = {"default": "as the game lists them", "left": "left to right", "centre": "centre outwards"}
LISTING_HELP = (
    "The order in which the moves of a position are tried. Good moves first make more cutoffs. Left to right and centre outwards "
    "are the same in every position. Or type all columns: 3-2-4-1-5-0-6."
)
HEURISTIC_HELP = (
    " Static value, killer moves, history and the best move (an oracle that knows it) come before the other moves, which follow "
    "in the order chosen before."
)


def ask_for_order(listing: MoveListing | None, option: Option | None, chosen: dict[str, Any], salt: str) -> str:
    """Ask for the order of moves with one control, and put the algorithm's part of it into `chosen`.

    `listing` is the part of the game, `option` the part of the algorithm; either may be missing. Return why the typed order is
    not possible; empty if it is.
    """
    if listing is None:
        if option is not None:
            _ask_for_heuristic(option, chosen, salt)
        return ""
    heuristic = AS_LISTED if option is None else chosen.get(ORDER.name, option.default)
    entries = [*listing.choices, *([] if listing.chosen in listing.choices else [listing.chosen])]
    if option is not None:
        repeated = {AS_LISTED, *listing.choices} - {heuristic}
        entries += [f"{name}{FIRST}" for name in option.choices if name not in repeated and name != AS_LISTED]
    current = listing.chosen if heuristic == AS_LISTED else f"{heuristic}{FIRST}"
    key = f"order of moves {salt} {entries} {current}"

    def format_entry(entry: str) -> str:
        if not entry.endswith(FIRST):
            return LISTING_NAMES.get(entry, entry)
        base = "" if listing.chosen == listing.field.own else f", then {LISTING_NAMES.get(listing.chosen, listing.chosen)}"
        return f"{ORDER_NAMES[entry.removesuffix(FIRST)]}{base}"

    def set_order() -> None:
        entry = st.session_state[key]
        if entry in entries and entry.endswith(FIRST):
            chosen[ORDER.name] = entry.removesuffix(FIRST)
        elif entry is not None and not listing.explain(entry):
            listing.choose(entry)
            if option is not None:
                chosen[ORDER.name] = AS_LISTED

    entry = st.selectbox(
        ORDER.label,
        entries,
        entries.index(current),
        format_func=format_entry,
        accept_new_options=listing.field.fits is not None,
        key=key,
        on_change=set_order,
        help=LISTING_HELP + (HEURISTIC_HELP if option is not None else ""),
    )
    if option is not None:
        chosen.setdefault(ORDER.name, heuristic)
    wrong = "" if entry is None or entry in entries else listing.explain(entry)
    if wrong:
        st.error(escape_page_markdown(wrong))
    return wrong


def _ask_for_heuristic(option: Option, chosen: dict[str, Any], salt: str) -> None:
    """Ask for the algorithm's part alone: the game lists its moves in one order."""
    place = option.choices.index(chosen.get(option.name, option.default))
    chosen[option.name] = st.selectbox(
        option.label, option.choices, place, key=f"{option.key} {salt}", help=option.line, format_func=ORDER_NAMES.__getitem__
    )
