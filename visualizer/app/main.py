"""The main script of the app: navigation and the style of all pages. Started by `plyscope`."""

import streamlit as st

from visualizer.app.pages import all_pages
from visualizer.app.state.frame_mode import FRAME_STYLE, is_framed
from visualizer.app.state.notices import say_misfits, say_unknown_page
from visualizer.app.state.widget_cleanup import clean_up_widgets
from visualizer.viewer.page_link import show_page_link

WIDE_PAGES = ("Step", "Build", "Your search")  # pages with a tree use the full width
PAGE_STYLE = """
<style>
.block-container { padding: 4.1rem 1.5rem 1rem; max-width: 1500px; }
[data-testid="stVerticalBlock"] { gap: 0.5rem; }
[data-testid="stCaptionContainer"] { opacity: 0.75; }
[data-testid="stPopoverBody"]:has(.st-key-ask) { width: min(870px, 96vw); max-width: none; }
[data-testid="stPopoverBody"] { scrollbar-width: auto; scrollbar-color: #8889 transparent; }
.st-key-ask-position { position: sticky; top: 0; }
.st-key-ask-position [data-testid="stAlertContainer"] { padding: 0.3rem 0.6rem; }
.st-key-ask-position [data-testid="stAlertContainer"] p { font-size: 0.875rem; line-height: 1.35; }
.st-key-ask::after {
  content: "▾ more below"; position: sticky; bottom: -1.5rem; align-self: flex-start; width: 50%; margin-top: -2.1rem;
  text-align: center; font-size: 0.8rem; line-height: 2rem; border-top: 1px solid #8886;
  background: oklch(from currentColor clamp(0.2, (0.6 - l) * 100, 1) clamp(0, (l - 0.6) * 100, 0.014) 258); z-index: 1;
  pointer-events: none; opacity: 0; animation: at-the-end linear both; animation-timeline: scroll(nearest);
}
@keyframes at-the-end { from, 90% { opacity: 1; } to { opacity: 0; } }
[data-testid="stBaseButton-primary"]:not(:disabled), [data-tag] {
  color: oklch(from currentColor clamp(0.2, (0.6 - l) * 100, 1) 0 h) !important;
}
[data-tag] > *, .stMarkdownBadge { color: inherit !important; }
[data-testid="stElementContainer"]:has(+ [data-testid="stElementContainer"] [data-testid="stVegaLiteChart"]) {
  padding-right: 7.5rem;
}
[data-testid="stMultiSelectTagsContainer"] { flex-wrap: wrap; height: auto; overflow: visible; }
:has(> [data-testid="stMultiSelectTagsContainer"]) { height: auto; max-height: none; }
[data-testid="stVegaLiteChart"] :is(.role-axis-label, .role-axis-title, .role-legend-label) text {
  fill: currentColor; fill-opacity: 0.8;
}
[data-testid="stCode"] .token:is(.punctuation, .operator, .number) { color: inherit !important; }
[data-testid="stHorizontalBlock"]:has([data-testid="stProgress"]) [data-stale="true"],
:is(.st-key-rows_so_far, .st-key-cells_so_far) [data-stale="true"] {
  opacity: 1 !important; /* it is drawn again twice a second */
}
.st-key-rows_so_far [data-testid="stElementToolbar"] { display: none; }
.st-key-introduction p { line-height: 1.35; }
[data-testid="stExpander"] summary::after { content: "▾"; margin-left: auto; }
[data-testid="stExpander"] details[open] summary::after { content: "▴"; }
.st-key-position { max-width: 270px; margin: 0 auto; }
.st-key-cell_games { scroll-margin-top: 4.2rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-page_link) { position: absolute; }
.st-key-page_link { position: fixed; top: 0.85rem; right: 0.8rem; width: auto; z-index: 999990; }
[data-testid="stExpandSidebarButton"]::after { content: "Menu"; font-size: 1rem; }
[data-testid="stToolbar"]:has([data-testid="stExpandSidebarButton"])::after {
  content: "PAGE_TITLE"; position: absolute; right: 6rem; font-weight: 600;
}
@media (max-width: 760px) {
  .st-key-ask::after { width: 100%; }
  .st-key-position { max-width: none; }
  .block-container { padding: 4.2rem 0.7rem 4rem; }
  [data-testid="stButtonGroup"] > div { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  [data-testid="stButtonGroup"] button { flex-shrink: 0; }
  [data-testid="stPopoverButton"] { padding-inline: 0.5rem; }
  .st-key-overviews_picture { overflow-x: auto; }
  .st-key-overviews_picture img { min-width: 700px; }
  [data-testid="stHorizontalBlock"] { gap: 0.5rem; }
  [data-testid="stHorizontalBlock"]:has(.st-key-game_review) > [data-testid="stColumn"]:first-child {
    position: sticky; top: 3.75rem; z-index: 2; background: light-dark(LIGHT_BACKGROUND, DARK_BACKGROUND); --board-height: 34vh;
  }
}
</style>
"""

WIDE_PAGE_STYLE = PAGE_STYLE.replace("1500px", "2600px")


def page_style(title: str) -> str:
    """Return the style of a page. On a phone the header shows its title beside the menu button, and the board of a reviewed game
    stays in sight.
    """
    style = (WIDE_PAGE_STYLE if title in WIDE_PAGES else PAGE_STYLE).replace("PAGE_TITLE", f"Plyscope · {title}")
    for theme in ("light", "dark"):
        style = style.replace(f"{theme.upper()}_BACKGROUND", str(st.get_option(f"theme.{theme}.backgroundColor")))
    return style


with clean_up_widgets():
    st.set_page_config(page_title="Plyscope", page_icon="🔺", layout="wide")
    framed = is_framed()
    current_page = st.navigation(all_pages(), position="hidden" if framed else "top")
    st.html(FRAME_STYLE if framed else page_style(current_page.title))  # one element: each costs the server time
    if not framed:
        with st.container(key="page_link"):
            show_page_link()
    say_unknown_page()
    current_page.run()
    say_misfits()
