"""The most valuable cutoffs of a comparison as a Streamlit component: one element of the page for all of them."""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number


class CutoffText(NamedTuple):
    """A cutoff in words: what it saved, and why it happened."""

    saved: str
    why: str


def show_cutoff_list(summary: str, cutoffs: Sequence[CutoffText], key: str) -> int | None:
    """Show the cutoffs below a summary. Return the index of the one that the user wants to open, or None."""
    data = {"list": {"summary": summary, "cutoffs": cutoffs}}
    return read_sent_number(
        create_component("cutoff_list")(key=f"cutoffs {key}", data=data, on_open_change=ignore_trigger), "open", len(cutoffs)
    )
