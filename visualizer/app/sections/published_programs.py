"""The published student programs, as a list behind a button."""

from collections.abc import Callable, Iterable

import streamlit as st

from visualizer.app.state.lazy_sections import lazy_popover
from visualizer.app.state.url_params import PUBLISHED_DESCRIPTIONS, PUBLISHED_TITLES
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.glossary import PRESET_LABELS

BUTTON_LABEL, ICON = "Published student programs", ":material/school:"


def offer_programs(shown: str | None, key: str, open_program: Callable[[str], None]) -> None:
    """Show the button for the programs. `open_program` opens one by its name; `shown` is the one on the page, if any."""
    lazy_popover(BUTTON_LABEL, ICON, f"programs {key}", _ask_for_program, shown, key, open_program)


def _ask_for_program(shown: str | None, key: str, open_program: Callable[[str], None]) -> None:
    chosen = choose_program(PRESET_LABELS, shown, key)
    if chosen is not None:
        open_program(chosen)


def choose_program(names: Iterable[str], shown: str | None, key: str) -> str | None:
    """Show the list of programs. Return the name of one that the user chooses now."""
    names = list(names)
    chosen = st.radio(
        BUTTON_LABEL,
        names,
        index=None if shown is None else names.index(shown),
        format_func=PUBLISHED_TITLES.__getitem__,
        captions=[escape_page_markdown(f"{name}. {PUBLISHED_DESCRIPTIONS[name]}.") for name in names],
        label_visibility="collapsed",
        key=f"program {key}",
    )
    return None if chosen == shown else chosen
