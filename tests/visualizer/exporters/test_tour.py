"""The notebook in sample_trees/ runs. `python -m tests.visualizer.exporters.test_tour` runs it and saves its outputs anew."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from visualizer.samples import SAMPLE_FOLDER, TOUR
from visualizer.viewer.notebook_widget import WIDGET_MEDIA_TYPE

MAX_CELL_SECONDS = 600  # many times what a cell needs on a loaded machine: a hang ends here


def read_tour():
    return nbformat.read(SAMPLE_FOLDER / TOUR, as_version=4)


def run_tour(folder):
    """Run all cells in a folder. The state of widgets is not saved: without it, readers without a kernel see the pictures."""
    notebook = read_tour()
    client = NotebookClient(
        notebook,
        timeout=MAX_CELL_SECONDS,
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times
    return notebook


def media_types(notebook):
    """Return the kinds of outputs of each cell with code."""
    return [
        [output.output_type if "data" not in output else sorted(output.data) for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tour")
    notebook = run_tour(folder)
    assert list(folder.iterdir()) == []
    return notebook


def list_pictures(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output.data["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]


def test_the_tour_runs_and_shows_what_is_saved(executed):
    saved = read_tour()
    assert media_types(executed) == media_types(saved)
    assert list_pictures(executed) == list_pictures(saved)
    assert "widgets" not in saved.metadata


def test_the_tour_shows_trees_a_comparison_and_a_checked_program(executed):
    shown = [kind for kinds in media_types(executed) for kind in kinds]
    assert shown.count(sorted([WIDGET_MEDIA_TYPE, "image/svg+xml", "text/plain"])) == 3
    assert shown.count(["text/html", "text/plain"]) == 2
    texts = "".join(output.text for cell in executed.cells for output in cell.get("outputs", []) if "text" in output)
    assert "something looks wrong" in texts
    assert "window-not-updated" in texts


def test_the_guides_name_the_tour():
    for guide in (SAMPLE_FOLDER / "README.md", SAMPLE_FOLDER.parent / "visualizer" / "README.md"):
        assert TOUR in Path(guide).read_text("utf-8")


if __name__ == "__main__":
    nbformat.write(run_tour(SAMPLE_FOLDER), SAMPLE_FOLDER / TOUR)
