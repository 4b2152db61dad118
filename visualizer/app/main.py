"""The main script of the app: navigation and the style of all pages. Started by `plyscope`."""

import streamlit as st

from visualizer.app.state.navigation import all_pages
from visualizer.app.state.notices import say_misfits
from visualizer.app.state.widget_cleanup import clean_up_widgets

WIDE_PAGES = ("Step", "Your search")  # pages with a tree, which uses what room there is
PAGE_STYLE = """
<style>
.block-container { padding: 4.1rem 1.5rem 1rem; max-width: 1500px; }
[data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stPopoverBody"]:has(.st-key-ask) { width: min(780px, 96vw); max-width: none; }
.st-key-position { max-width: 270px; margin: 0 auto; }
@media (max-width: 760px) {
  .st-key-position { max-width: none; }
  .block-container { padding: 4.2rem 0.7rem 4rem; }
  [data-testid="stButtonGroup"] > div { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  [data-testid="stButtonGroup"] button { flex-shrink: 0; }
}
</style>
"""

WIDE_PAGE_STYLE = PAGE_STYLE.replace("1500px", "2600px")

with clean_up_widgets():
    st.set_page_config(page_title="Plyscope", page_icon="🔺", layout="wide")
    current_page = st.navigation(all_pages(), position="top")
    st.html(
        WIDE_PAGE_STYLE if current_page.title in WIDE_PAGES else PAGE_STYLE
    )  # one for all of it: every element of a page costs the server time
    current_page.run()
    say_misfits()
