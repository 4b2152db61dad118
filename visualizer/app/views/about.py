"""The page "About": what Plyscope counts, the keys of the viewer, the presets and evaluations."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

import streamlit as st

from engine.games.registry import list_games_with_options
from visualizer.app.state.navigation_state import restore_page
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.glossary import PRESET_LINES, evaluation_lines

NEW_LINE = "\n"
INTRODUCTION = (
    "Plyscope runs a search, writes down every node it expands, and lets you step through what happened.\n\n"
    "**Expanded** counts every visited node, the root and the leaves included: a full tree of seven moves and depth 3 "
    "has 400. A **cutoff** leaves a node while legal moves are untried; those are *skipped* and not expanded. The value of "
    "such a node is only a bound: **≥** at MAX, **≤** at MIN. All values are from MAX's side.\n\n"
    "▲ is MAX, ▼ is MIN. Outlined: not visited yet. Thick: on the current path. Filled: done. With a bar: left by a cutoff. "
    "A cross is a move that was skipped."
)
VIEWER_KEYS = {
    "← →": "one step back, forward",
    "Space": "play or pause",
    "Home End": "first, last step",
    "N P": "next, previous cutoff",
    "O U": "step over this subtree, out to the parent",
    "L": "next leaf",
    "G": "next change of the root's value",
    "B": "bookmark this step",
}
PAGE_DESCRIPTIONS = {
    "Step": "one search, step by step, with the reason for every cutoff",
    "Learn": "short lessons on live trees, exercises that are graded at once, with the reason, and exam sheets",
    "Compare": "minimax against alpha-beta for every depth, what each cutoff saved, and a report to hand in",
    "Play": "a game against the search; every computer move opens the search that chose it",
    "Tournament": "search depths against each other, with heat maps",
    "Your search": "the minimax or alpha-beta of your own program, watched by plyscope check, with what is wrong in it",
}


def page() -> None:
    restore_page("about")
    st.markdown(_page_text())


@cache
def _page_text() -> str:
    """Return the page as one text: every element of a page costs the server time."""
    return f"""
## What you see
{INTRODUCTION}

## Pages
{_format_list(PAGE_DESCRIPTIONS)}

## Keys of the viewer
| key | does |
|---|---|
{"".join(f"| {key} | {meaning} |{NEW_LINE}" for key, meaning in VIEWER_KEYS.items())}
## Presets
Five student reports on Connect-4 programs are built in, figure for figure; *as published* brings back their quirks.

{_format_list(PRESET_LINES)}

## Evaluations of {list_games_with_options(["evaluation"])}
{_format_list(evaluation_lines())}

---
:small[Plyscope {version("plyscope")}. Everything runs on your machine, and nothing is sent anywhere.]
"""


def _format_list(lines: Mapping[str, str]) -> str:
    return NEW_LINE.join(f"- **{name}**: {escape_page_markdown(line)}" for name, line in lines.items())
