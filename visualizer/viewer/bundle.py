"""Streamlit components from the files in `assets/`.

The JavaScript modules are sent as one text: Streamlit finds asset folders only if a distribution has the name of its package.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from visualizer.viewer.delivery import URL_FOLDER, delivery_store

ASSETS = Path(__file__).with_name("assets")
LOADER = "loader"
SHARED_CSS = {"minimax_overlay": "two_panes", "search_overlay": "two_panes"}  # in draw/, besides board.css


def bundle_modules(entry: str) -> str:
    """Return the loader with all modules as text, or with the address to fetch them from. `entry` shows the component."""
    loader, text = _read_sources()
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    if delivery_store().has_server:
        address = delivery_store().store_script(f"export default {text};").address
        text = f"(await import(FOLDER + '{URL_FOLDER}/{address}')).default"
    return loader.replace('"__SOURCES__"', text).replace("__VERSION__", version).replace("__ENTRY__", entry)


@cache
def _read_sources() -> tuple[str, str]:
    """Return the loader, and the other modules by name."""
    sources = {path.stem: path.read_text() for path in sorted(ASSETS.rglob("*.js"))}
    loader = sources.pop(LOADER)
    return loader, json.dumps(sources)


@cache
def create_component(entry: str) -> Any:
    """Return our component of this name: its module, its HTML and its CSS. Each is created once."""
    folder = ASSETS / "components" / entry
    html = (folder / f"{entry}.html").read_text()
    shared = [ASSETS / "draw" / f"{name}.css" for name in ("board", SHARED_CSS.get(entry, "")) if name]
    css = "".join(path.read_text() for path in [*shared, folder / f"{entry}.css"])
    return st.components.v2.component(f"plyscope_{entry}", html=html, css=css, js=bundle_modules(entry))


def read_sent_number(answer: Any, name: str, count: int) -> int | None:
    """Return the number from 0 below `count` that a component sent by this name, or None.

    Data from a browser is not trusted.
    """
    number = getattr(answer, name, None)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count else None


def ignore_trigger() -> None:
    """Do nothing. Streamlit knows a trigger by its callback, but its answer is read from the component."""
