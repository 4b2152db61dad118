"""The viewer as a Streamlit component: one mount, everything in it runs in the browser."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import streamlit as st

from engine import SearchTree
from visualizer.explain import templates_json
from visualizer.viewer.payload import payload

ASSETS = Path(__file__).with_name("assets")
LOADER = "loader"


@st.cache_resource(show_spinner=False)
def _component() -> Any:
    html, css = ((ASSETS / name).read_text() for name in ("viewer.html", "viewer.css"))
    return st.components.v2.component("plyscope_tree_viewer", html=html, css=css, js=bundle())


def bundle() -> str:
    """The loader with all modules in it as text."""
    sources = {path.stem: path.read_text() for path in sorted(ASSETS.glob("*.js"))}
    loader = sources.pop(LOADER)
    text = json.dumps(sources)
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    return loader.replace('"__SOURCES__"', text).replace("__VERSION__", version)


def viewer(tree: SearchTree, step: int | None, key: str) -> None:
    """Show a tree; `step` is where to open it (None: play to the first cutoff)."""
    settings = {"step": step, "words": templates_json()}
    text = json.dumps(settings).encode()
    _component()(key=f"viewer {key}", data=_packed(tree) + text + struct.pack("<I", len(text)))


@st.cache_resource(max_entries=20, show_spinner=False, hash_funcs={SearchTree: id})
def _packed(tree: SearchTree) -> bytes:
    """The payload, made once for each tree."""
    return payload(tree)
