"""What all tests of the pages share."""

from dataclasses import replace

import pytest

from visualizer.pool.pool import current_pool


@pytest.fixture(autouse=True)
def limit_nodes_of_pages(monkeypatch):
    """Set the node limit of pages, which follows from the memory of the machine otherwise."""
    pool = current_pool()
    monkeypatch.setattr(pool, "limits", replace(pool.limits, nodes=5_000_000))
