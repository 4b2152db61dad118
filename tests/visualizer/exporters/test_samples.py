"""sample_trees/ is what the program writes today."""

from pathlib import Path

from visualizer.samples import SAMPLE_FOLDER, TOUR, write_samples


def test_the_samples_are_fresh(tmp_path):
    """`python -m visualizer.samples` writes them anew; look at the difference before committing it."""
    written = write_samples(tmp_path)
    assert {TOUR, *(path.name for path in written)} == {path.name for path in SAMPLE_FOLDER.iterdir()}
    for path in written:
        assert path.read_bytes() == (SAMPLE_FOLDER / path.name).read_bytes(), path.name


def test_the_files_of_the_report_are_there():
    for name, nodes in (("K = 3", 400), ("k = 3 alpha", 234), ("K = 5", 19_608), ("k = 5 alpha", 4290)):
        lines = (SAMPLE_FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
        assert len(lines) == nodes
        assert f"`{name}.txt`" in (SAMPLE_FOLDER / "README.md").read_text("utf-8")


def test_every_picture_is_on_the_page():
    page = (SAMPLE_FOLDER / "README.md").read_text("utf-8")
    for path in SAMPLE_FOLDER.glob("*.svg"):
        assert f"]({path.name})" in page
    assert sum(path.stat().st_size for path in Path(SAMPLE_FOLDER).iterdir()) < 3_000_000
