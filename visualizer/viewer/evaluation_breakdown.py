"""Sends the parts that make up the value of a leaf.

The viewer asks for them, and a component of its own answers, so that the tree stays.
"""

from uuid import uuid4

from engine import SearchTree
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.bundle import create_component


def send_breakdown(tree: SearchTree, row: int) -> None:
    """Send the parts of a leaf's value to the viewer."""
    create_component("evaluation_breakdown")(key="reasons", data=build_breakdown(tree, row) | {"token": uuid4().hex})
