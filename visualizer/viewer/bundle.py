"""Streamlit components from the files in `assets/`.

The JavaScript modules are sent as one text: Streamlit finds asset folders only if a distribution has the name of its package.
"""

from functools import cache
from typing import Any

import streamlit as st

from visualizer.viewer.component_files import read_css, read_html
from visualizer.viewer.delivery import URL_FOLDER, delivery_store
from visualizer.viewer.module_joiner import ASSETS, join_modules

HOST = "streamlit"  # the module that connects components to Streamlit


def bundle_component(entry: str) -> str:
    """Return the module of a component: its whole text, or a few lines that fetch the text of all components from the server."""
    if not delivery_store().has_server:
        return join_modules(HOST, entry, main=f"export default joined.{HOST}.createMount(joined.{entry});")
    components = sorted(path.name for path in (ASSETS / "components").iterdir())
    address = delivery_store().store_script(join_modules(HOST, *components, main="export default joined;")).address
    main = (
        f"const {{ default: all }} = await import(`${{joined.app_folder.appFolder()}}{URL_FOLDER}/{address}`);\n"
        f"export default all.{HOST}.createMount(all.{entry});"
    )
    return join_modules("app_folder", main=main)


@cache
def create_component(entry: str) -> Any:
    """Return our component of this name: its module, its HTML and its CSS. Each is created once."""
    return st.components.v2.component(f"plyscope_{entry}", html=read_html(entry), css=read_css(entry), js=bundle_component(entry))


def read_sent_number(answer: Any, name: str, count: int) -> int | None:
    """Return the number from 0 below `count` that a component sent by this name, or None.

    Data from a browser is not trusted.
    """
    number = getattr(answer, name, None)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < count else None


def ignore_trigger() -> None:
    """Do nothing. Streamlit knows a trigger by its callback, but its answer is read from the component."""
