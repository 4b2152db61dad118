"""What Plyscope counts, which keys there are, where it comes from."""

from importlib.metadata import version

import streamlit as st

from engine.games.registry import games_with
from visualizer.app_pages.address_memory import come_back
from visualizer.text.escapes import page_markdown
from visualizer.text.glossary import PRESET_LINES, evaluation_lines

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
    "Compare": "minimax against alpha-beta for every depth, what each cutoff saved, and a report to hand in",
    "Play": "a game against the search; every computer move opens the search that chose it",
    "Tournament": "search depths against each other, with heat maps",
    "Your search": "the minimax or alpha-beta of your own program, watched by plyscope check, with what is wrong in it",
}


def page() -> None:
    come_back("about")
    st.header("What you see")
    st.markdown(
        "Plyscope runs a search, writes down every node it expands, and lets you step through what happened.\n\n"
        "**Expanded** counts every visited node, the root and the leaves included: a full tree of seven moves and depth 3 "
        "has 400. A **cutoff** leaves a node while legal moves are untried; those are *skipped* and not expanded. The value of "
        "such a node is only a bound: **≥** at MAX, **≤** at MIN. All values are from MAX's side.\n\n"
        "▲ is MAX, ▼ is MIN. Outlined: not visited yet. Thick: on the current path. Filled: done. With a bar: left by a cutoff. "
        "A cross is a move that was skipped."
    )
    st.header("Pages")
    st.markdown("\n".join(f"- **{name}**: {what}" for name, what in PAGES.items()))
    st.header("Keys of the viewer")
    st.table([{"key": key, "does": meaning} for key, meaning in KEYS.items()])
    st.header("Presets")
    st.markdown(
        "Five student reports on Connect-4 programs are built in, figure for figure; *as published* brings back their quirks.\n\n"
        + "\n".join(f"- **{name}**: {page_markdown(line)}" for name, line in PRESET_LINES.items())
    )
    st.header(f"Evaluations of {games_with(['evaluation'])}")
    st.markdown("\n".join(f"- **{name}**: {page_markdown(line)}" for name, line in evaluation_lines().items()))
    st.caption(f"Plyscope {version('plyscope')}. Everything runs on your machine, and nothing is sent anywhere.")
