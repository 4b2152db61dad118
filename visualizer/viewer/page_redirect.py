"""Redirects from one page of the app to another, with URL parameters."""

from collections.abc import Mapping
from uuid import uuid4

from visualizer.viewer.bundle import create_component


def redirect_to_step(parameters: Mapping[str, str]) -> None:
    """Show the page Step with these parameters. Back returns to the page before."""
    redirect_to_page("", parameters)


def redirect_to_page(page: str, parameters: Mapping[str, str]) -> None:
    """Show the page with this path and these parameters."""
    create_component("page_redirect")(key="leap", data={"page": page, "parameters": dict(parameters), "token": uuid4().hex})
