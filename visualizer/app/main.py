"""The app: navigation and what all pages share. Started by `plyscope`."""

import streamlit as st

from visualizer.app.state.navigation import all_pages
from visualizer.app.state.notices import say_misfits
from visualizer.app.state.widget_cleanup import forgetting_vanished

WIDE = ("Step", "Your search")  # pages with a tree, which uses what room there is
STYLE = """
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

WIDE_STYLE = STYLE.replace("1500px", "2600px")

with forgetting_vanished():
    st.set_page_config(page_title="Plyscope", page_icon="🔺", layout="wide")
    shown = st.navigation(all_pages(), position="top")
    st.html(WIDE_STYLE if shown.title in WIDE else STYLE)  # one for all of it: every element of a page costs the server time
    shown.run()
    say_misfits()
