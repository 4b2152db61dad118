"""What Plyscope counts, which keys there are, where it comes from."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

import streamlit as st

from engine.games.registry import games_with
from visualizer.app.state.navigation_state import come_back
from visualizer.narration.escapes import page_markdown
from visualizer.narration.glossary import PRESET_LINES, evaluation_lines

NEW_LINE = "\n"
WHAT_YOU_SEE = (
    "Plyscope runs a search, writes down every node it expands, and lets you step through what happened.\n\n"
    "**Expanded** counts every visited node, the root and the leaves included: a full tree of seven moves and depth 3 "
    "has 400. A **cutoff** leaves a node while legal moves are untried; those are *skipped* and not expanded. The value of "
    "such a node is only a bound: **≥** at MAX, **≤** at MIN. All values are from MAX's side.\n\n"
    "▲ is MAX, ▼ is MIN. Outlined: not visited yet. Thick: on the current path. Filled: done. With a bar: left by a cutoff. "
    "A cross is a move that was skipped."
)
KEYS = {
    "← →": "one step back, forward",
    "Space": "play or pause",
    "Home End": "first, last step",
    "N P": "next, previous cutoff",
    "O U": "step over this subtree, out to the parent",
    "L": "next leaf",
    "G": "next change of the root's value",
    "B": "bookmark this step",
}
PAGES = {
    "Step": "one search, step by step, with the reason for every cutoff",
    "Learn": "short lessons on live trees, exercises that are graded at once, with the reason, and exam sheets",
    "Compare": "minimax against alpha-beta for every depth, what each cutoff saved, and a report to hand in",
    "Play": "a game against the search; every computer move opens the search that chose it",
    "Tournament": "search depths against each other, with heat maps",
    "Your search": "the minimax or alpha-beta of your own program, watched by plyscope check, with what is wrong in it",
}


def page() -> None:
    come_back("about")
    st.markdown(_text())


@cache
def _text() -> str:
    """The page as one text: every element of a page costs the server time."""
    return f"""
## What you see
{WHAT_YOU_SEE}

## Pages
{_listed(PAGES)}

## Keys of the viewer
| key | does |
|---|---|
{"".join(f"| {key} | {meaning} |{NEW_LINE}" for key, meaning in KEYS.items())}
## Presets
Five student reports on Connect-4 programs are built in, figure for figure; *as published* brings back their quirks.

{_listed(PRESET_LINES)}

## Evaluations of {games_with(["evaluation"])}
{_listed(evaluation_lines())}

---
:small[Plyscope {version("plyscope")}. Everything runs on your machine, and nothing is sent anywhere.]
"""


def _listed(lines: Mapping[str, str]) -> str:
    return NEW_LINE.join(f"- **{name}**: {page_markdown(line)}" for name, line in lines.items())
