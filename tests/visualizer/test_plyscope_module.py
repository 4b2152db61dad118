"""`import plyscope` offers the public names of both packages, and `python -m plyscope` is the command."""

import sys

import engine
import visualizer
from tests.support.processes import run


def test_plyscope_offers_the_public_names_of_engine_and_visualizer():
    import plyscope

    assert dir(plyscope) == sorted([*engine.__all__, *visualizer.__all__])
    for name in dir(plyscope):
        assert getattr(plyscope, name) is getattr(engine if name in engine.__all__ else visualizer, name)


def test_tab_completion_shows_names_before_they_are_loaded():
    for package in (engine, visualizer):
        assert {*package.__all__} <= {*dir(package)}


def test_python_m_plyscope_runs_the_command_beside_a_file_of_the_same_name_as_ours(tmp_path):
    (tmp_path / "engine.py").write_text("raise SystemExit(7)")
    result = run([sys.executable, "-m", "plyscope", "search", "tree:[[3,12],[2,4]]", "--json"], cwd=tmp_path)
    assert (result.returncode, '"expanded": 6' in result.stdout) == (0, True)
