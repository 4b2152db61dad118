"""An overlay of two searches of one position, as a Streamlit component: the calls of both, and the calls of only one."""

from engine.analysis.overlay import Overlay
from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number
from visualizer.viewer.delivery import build_message, make_resend_handler
from visualizer.viewer.overlay_data import encode_overlay


def search_overlay_component(overlay: Overlay, titles: tuple[str, str], key: str, small: bool = False) -> tuple[int, bool] | None:
    """Show both searches, small ones side by side. `key` names them.

    Return the path to open and whether to open it in the left search, or None.
    """
    name = f"search overlay {key}"
    settings = {"name": key, "left": titles[0], "right": titles[1], "small": small}
    data = build_message(name, settings, lambda: encode_overlay(overlay))
    answer = create_component("search_overlay")(
        key=name, data=data, on_open_change=ignore_trigger, on_whole_change=make_resend_handler(name)
    )
    opened = read_sent_number(answer, "open", 2 * len(overlay))
    return None if opened is None else (opened // 2, opened % 2 == 0)
