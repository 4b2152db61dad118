"""An overlay of minimax and alpha-beta, as a Streamlit component."""

from engine.analysis.alignment import Alignment
from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number
from visualizer.viewer.delivery import build_message, make_resend_handler
from visualizer.viewer.overlay_data import encode_alignment


def overlay_component(alignment: Alignment, key: str) -> int | None:
    """Show both trees. `key` names them. Return the step of a cutoff that the user wants to see on the page Step, or None."""
    name = f"minimax overlay {key}"
    data = build_message(name, {"name": key}, lambda: encode_alignment(alignment))
    answer = create_component("minimax_overlay")(
        key=name, data=data, on_open_change=ignore_trigger, on_whole_change=make_resend_handler(name)
    )
    return read_sent_number(answer, "open", len(alignment.alphabeta.timeline))
