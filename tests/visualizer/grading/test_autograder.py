"""Autograders work as they are: in a folder laid out as the grader does it, from the wheel that is in them."""

import json
import os
import stat
import sys
import sysconfig
import zipfile
from io import BytesIO

import pytest
from click.testing import CliRunner

from tests.support import processes
from tests.support.paths import TESTS
from visualizer.cli.main import plyscope
from visualizer.grading.autograder import (
    build_gradescope_files,
    build_prairielearn_files,
    pack_zip,
)
from visualizer.grading.rubric import read_rubric_template
from visualizer.grading.wheel import pack_installed_wheel

PROGRAM = TESTS / "students" / "wrong" / "sides_swapped_2.py"
RUBRIC = read_rubric_template().encode()
FAKE_WHEEL = ("plyscope-1.0-py3-none-any.whl", b"wheel")
ONLY_BASH = pytest.mark.skipif(os.name == "nt", reason="the scripts of graders run under Linux")


def test_the_zip_for_gradescope_has_executable_scripts_at_its_root():
    packed = zipfile.ZipFile(BytesIO(pack_zip(build_gradescope_files(RUBRIC, FAKE_WHEEL))))
    modes = {entry.filename: entry.external_attr >> 16 for entry in packed.infolist()}
    assert modes == {"setup.sh": 0o755, "run_autograder": 0o755, "rubric.toml": 0o644, FAKE_WHEEL[0]: 0o644}


@pytest.mark.parametrize("image", [None, "course/plyscope"])
def test_the_question_for_prairielearn_has_its_documented_fields(image):
    content = build_prairielearn_files(RUBRIC, FAKE_WHEEL, "agent.py", "Search", image)
    info = json.loads(content["info.json"])
    assert set(info) == {"uuid", "title", "topic", "tags", "type", "gradingMethod", "externalGradingOptions"}
    options = info["externalGradingOptions"]
    assert set(options) == {"enabled", "image", "entrypoint", "timeout", "enableNetworking"}
    assert options["enableNetworking"] == (image is None)
    assert 60 < options["timeout"] <= 600
    assert options["entrypoint"] == "/grade/tests/run.sh"
    assert b'file-names="agent.py"' in content["question.html"]


@pytest.mark.parametrize("name", ["../a.py", "a/b.py", "a.txt", '"x.py', "<b>.py"])
def test_a_file_name_that_is_not_a_program_is_refused(name):
    with pytest.raises(ValueError, match="is not the name of a program"):
        build_prairielearn_files(RUBRIC, FAKE_WHEEL, name, "Search", None)


def test_a_file_that_is_not_a_wheel_is_refused(tmp_path):
    (tmp_path / "plyscope-1.whl").write_text("no zip")
    arguments = ["autograder", "gradescope", "-o", str(tmp_path / "a.zip"), "--wheel", str(tmp_path / "plyscope-1.whl")]
    result = CliRunner().invoke(plyscope, arguments)
    assert "is not a wheel of Plyscope" in str(result.exception)
    assert not (tmp_path / "a.zip").exists()


def test_the_packed_wheel_lists_every_file_in_its_record():
    name, content = pack_installed_wheel()
    wheel = zipfile.ZipFile(BytesIO(content))
    record = next(file for file in wheel.namelist() if file.endswith("/RECORD"))
    listed = [line.rsplit(",", 2)[0] for line in wheel.read(record).decode().splitlines()]
    assert sorted(listed) == sorted(wheel.namelist())
    assert {"plyscope.py", "engine/__init__.py", "visualizer/grading/templates/run_autograder"} <= set(listed)
    assert name.startswith("plyscope-")
    assert pack_installed_wheel()[1] == content


@ONLY_BASH
@pytest.mark.slow
def test_both_autograders_grade_a_submission_end_to_end(tmp_path):
    runner = CliRunner()
    assert runner.invoke(plyscope, ["autograder", "gradescope", "-o", str(tmp_path / "a.zip")]).exit_code == 0
    assert runner.invoke(plyscope, ["autograder", "prairielearn", "-o", str(tmp_path / "question")]).exit_code == 0
    root, grade = tmp_path / "autograder", tmp_path / "grade"
    for folder in (root / "source", root / "submission", grade / "student"):
        folder.mkdir(parents=True)
    zipfile.ZipFile(tmp_path / "a.zip").extractall(root / "source")
    (tmp_path / "question" / "tests").rename(grade / "tests")
    for folder in (root / "submission", grade / "student"):
        (folder / "search.py").write_bytes(PROGRAM.read_bytes())

    variables = {"AUTOGRADER_ROOT": str(root), "PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PATH": os.environ["PATH"]}
    run_script(root / "source" / "setup.sh", variables)
    installed = next((root / "plyscope").glob("lib/python*/site-packages"))
    (installed / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")  # instead of downloads
    run_script(root / "source" / "run_autograder", variables)
    results = json.loads((root / "results" / "results.json").read_text())
    assert results["score"] < 10
    assert results["tests"][0]["status"] == "failed"

    bin_folder = f"{root / 'plyscope' / 'bin'}:{os.environ['PATH']}"  # an image that has Plyscope
    assert (grade / "tests" / "run.sh").stat().st_mode & stat.S_IXUSR
    run_script(grade / "tests" / "run.sh", {"GRADE_ROOT": str(grade), "PATH": bin_folder})
    results = json.loads((grade / "results" / "results.json").read_text())
    assert (results["gradable"], results["score"]) == (True, 0.6)


def run_script(path, variables):
    home = {"HOME": str(path.parent), "LANG": "C.UTF-8"}
    python = os.path.dirname(sys.executable)
    variables = {**home, **variables, "PATH": f"{variables['PATH']}:{python}"}
    done = processes.run(["bash", str(path)], env=variables, cwd=path.parent)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
