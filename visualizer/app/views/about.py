"""The page "About": the pages, terms and symbols, the keys of the viewer, the presets and evaluations."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

import streamlit as st

from engine.games.registry import list_games_with_options
from visualizer.app.state.navigation_state import restore_page
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.glossary import DEPTH_TERM, PRESET_LINES, evaluation_lines
from visualizer.viewer.keys import keys_table

NEW_LINE = "\n"
TERMS = (
    f"- {DEPTH_TERM}.\n"
    "- **Expanded nodes** are all visited nodes, root and leaves included. A full tree with seven moves and K=3 has 400.\n"
    "- A **cutoff** leaves a node before all its moves are tried. The *skipped moves* are not expanded.\n"
    "- The nodes **saved** are those that minimax visits and this search does not: one skipped move may save many.\n"
    "- The value of such a node is only a **bound**: **≥** at MAX, **≤** at MIN.\n"
    "- All **values** are from MAX's side.\n"
    "- **▲** is MAX, blue; **▼** is MIN, orange. Outlined: not visited yet. Thick: on the current path. Filled: done. "
    "With a bar: left by a cutoff. A cross: a skipped move."
)
PAGE_DESCRIPTIONS = {
    "Step": "one search, step by step, with the reason for every cutoff",
    "Learn": "short lessons on live trees, exercises with instant feedback, and exam sheets",
    "Build": "a tree of your own, built by clicking",
    "Compare": "algorithms against each other at every depth, the savings of each cutoff, and a report to hand in",
    "Play a game": "against the search; every computer move opens the search that chose it",
    "Tournament": "search depths or named players against each other, with heat maps",
    "Your search": "the search of your own program, recorded by plyscope check, with its mistakes",
}


def page() -> None:
    restore_page("about")
    st.markdown(_page_text())


@cache
def _page_text() -> str:
    """Return the page as one text: every element of a page costs the server time."""
    return f"""
Plyscope runs a game-tree search, records every node, and lets you step through it.

### Pages
{_format_list(PAGE_DESCRIPTIONS)}

### Terms and symbols
{TERMS}

### Keys of the viewer
{keys_table()}
### Published student programs
Five student reports on Connect 4 programs are built in, with all their figures. The option *as published* restores their quirks.

{_format_list(PRESET_LINES)}

### Evaluations of {list_games_with_options(["evaluation"])}
{_format_list(evaluation_lines())}

---
:small[Plyscope {version("plyscope")}. Everything runs on your machine, and nothing is sent anywhere.]
"""


def _format_list(lines: Mapping[str, str]) -> str:
    return NEW_LINE.join(f"- **{name}**: {escape_page_markdown(line)}" for name, line in lines.items())
