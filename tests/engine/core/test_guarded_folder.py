"""The folder of a program that nobody trusts can be counted and removed, whatever the program has made in it."""

import os
import sys
from pathlib import Path

import pytest

from engine.core.guarded_folder import is_folder_too_large, open_guarded_folder

if sys.platform == "win32":
    pytest.skip("folders are not opened by descriptor on Windows", allow_module_level=True)


def nest_folders(name: str, depth: int) -> None:
    """Make folders in each other, and a file in the last one, as a program can: no path of it needs to be short."""
    here = os.open(".", os.O_RDONLY)
    try:
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
        Path("file").write_bytes(bytes(1000))
    finally:
        os.fchdir(here)
        os.close(here)


@pytest.mark.parametrize(("name", "depth"), [("d", 3000), ("d" * 200, 40)])  # too deep to recurse, too long for a path
def test_folders_of_any_depth_are_noticed_and_removed(monkeypatch, name, depth):
    with open_guarded_folder("plyscope-test-") as folder:
        monkeypatch.chdir(folder)
        nest_folders(name, depth)
        assert is_folder_too_large(folder, 10**9, 10**6)
    monkeypatch.undo()
    assert not Path(folder).exists()


def test_files_are_counted_and_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("kept")
    with open_guarded_folder("plyscope-test-") as folder:
        inner = Path(folder, "a", "b")
        inner.mkdir(parents=True)
        (inner / "x").write_bytes(bytes(600))
        Path(folder, "link").symlink_to(outside)
        (inner / "link").symlink_to(outside / "secret.txt")
        size = sum(path.lstat().st_size for path in Path(folder).rglob("*"))
        assert not is_folder_too_large(folder, size, 5)
        assert is_folder_too_large(folder, size - 1, 5)
        assert is_folder_too_large(folder, size, 4)
        inner.chmod(0)
        assert is_folder_too_large(folder, size, 5) == (os.geteuid() != 0)  # root reads every folder
    assert not Path(folder).exists()
    assert (outside / "secret.txt").read_text() == "kept"


def test_a_folder_that_the_program_has_removed_is_empty(tmp_path):
    assert not is_folder_too_large(str(tmp_path / "gone"), 1, 1)
