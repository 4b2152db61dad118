"""The most valuable cutoffs of a comparison as a Streamlit component: one element of the page, however many they are."""

from collections.abc import Sequence
from typing import NamedTuple

from visualizer.viewer.bundle import component, heard, nothing


class ToldSaving(NamedTuple):
    """A cutoff in words: what it saved, and why it happened."""

    saved: str
    why: str


def cutoff_list(together: str, told: Sequence[ToldSaving], key: str) -> int | None:
    """Show what they saved together, and each of them; the place of the one that is to be opened, or None."""
    data = {"cutoffs": {"together": together, "told": told}}
    return heard(component("cutoff_list")(key=f"cutoffs {key}", data=data, on_open_change=nothing), "open", len(told))
