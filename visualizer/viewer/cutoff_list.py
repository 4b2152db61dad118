"""The most valuable cutoffs of a comparison as a Streamlit component: one element of the page for all of them."""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number


class CutoffText(NamedTuple):
    """A cutoff in words: what it saved, and why it happened."""

    saved: str
    why: str


def show_cutoff_list(together: str, told: Sequence[CutoffText], key: str) -> int | None:
    """Show what the cutoffs saved together, and each of them. Return the index of the one to open, or None."""
    data = {"cutoffs": {"together": together, "told": told}}
    return read_sent_number(
        create_component("cutoff_list")(key=f"cutoffs {key}", data=data, on_open_change=ignore_trigger), "open", len(told)
    )
