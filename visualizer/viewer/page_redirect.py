"""From one page of the app to another, with its address."""

from collections.abc import Mapping
from uuid import uuid4

from visualizer.viewer.bundle import component


def leap_to_step(parameters: Mapping[str, str]) -> None:
    """Show the page Step with these parameters; Back returns to where one was."""
    leap_to("", parameters)


def leap_to(page: str, parameters: Mapping[str, str]) -> None:
    """Show the page with this address."""
    component("page_redirect")(key="leap", data={"page": page, "parameters": dict(parameters), "token": uuid4().hex})
