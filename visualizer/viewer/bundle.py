"""The browser's modules as one text: Streamlit finds folders of assets only for distributions named like their import package."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from visualizer.viewer.delivery import FOLDER, deliveries

ASSETS = Path(__file__).with_name("assets")
LOADER = "loader"


def bundle(entry: str) -> str:
    """The loader with all modules in it as text, or where to fetch them; `entry` is the one that shows the component."""
    loader, text = _sources()
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    if deliveries().handed_out:
        address = deliveries().script(f"export default {text};").address
        text = f"(await import(FOLDER + '{FOLDER}/{address}')).default"
    return loader.replace('"__SOURCES__"', text).replace("__VERSION__", version).replace("__ENTRY__", entry)


@cache
def _sources() -> tuple[str, str]:
    """The loader, and the other modules by name."""
    sources = {path.stem: path.read_text() for path in sorted(ASSETS.rglob("*.js"))}
    loader = sources.pop(LOADER)
    return loader, json.dumps(sources)


@cache
def component(entry: str) -> Any:
    """A component of ours: the module of this name, with its page and its looks."""
    folder = ASSETS / "components" / entry
    html = (folder / f"{entry}.html").read_text()
    css = (ASSETS / "draw/board.css").read_text() + (folder / f"{entry}.css").read_text()
    return st.components.v2.component(f"plyscope_{entry}", html=html, css=css, js=bundle(entry))


def heard(answer: Any, name: str, count: int) -> int | None:
    """The number from 0 below `count` that a component sent by this name, or None: what a browser sends is foreign."""
    number = getattr(answer, name, None)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count else None


def nothing() -> None:
    """What a trigger calls whose answer is read from the component: Streamlit knows a trigger by its callback."""
