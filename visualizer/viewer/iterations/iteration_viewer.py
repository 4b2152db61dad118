"""The viewer of a search in iterations as a Streamlit component."""

from typing import Any

from engine import SearchTree
from visualizer.viewer.bundle import create_component, ignore_trigger
from visualizer.viewer.delivery import build_message, delivery_store, make_resend_handler
from visualizer.viewer.iterations.iteration_payload import build_iteration_payload, choose_file_iterations
from visualizer.viewer.large_trees.tree_delivery import tree_store
from visualizer.viewer.tree_viewer import LOST_TREE


def show_iterations(tree: SearchTree, key: str, opening: int | None = None, **settings: Any) -> None:
    """Show a search in iterations. `key` names the tree. The browser asks the server for the iterations that it shows.

    It opens with the step `opening`, unless the URL names another one.

    Settings: `search` has the URL parameters of the search, if the URL lacks them; with `inLesson` it needs less room.
    """
    has_server = delivery_store().has_server
    if has_server:
        settings["whole"] = {"address": tree_store().offer_tree(key, tree)}
    name = f"iterations {key}"
    data = build_message(
        name,
        {"name": key, **settings},
        lambda: build_iteration_payload(tree, () if has_server else choose_file_iterations(tree), opening),
    )
    create_component("iteration_viewer")(
        key=f"viewer {key}",
        data=data,
        on_whole_change=make_resend_handler(name),
        **{f"on_{LOST_TREE}_change": ignore_trigger},
    )
