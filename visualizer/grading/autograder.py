"""Autograders to upload: a zip file for Gradescope, a question folder for PrairieLearn."""

import io
import json
import uuid
import zipfile
from importlib.resources import files
from pathlib import PurePosixPath

from engine.core.errors import PlyscopeError
from visualizer.grading.rubric import parse_rubric

TEMPLATES = files(__package__) / "templates"
EXECUTABLE_FILES = ("setup.sh", "run_autograder", "tests/run.sh")
PLAIN_IMAGE = "python:3.12-slim"
INSTALL_SECONDS = 240  # for an image without Plyscope
MAX_TIMEOUT_SECONDS = 600  # of PrairieLearn


class BadAutograder(PlyscopeError):
    """Settings of an autograder that cannot be used."""


def build_gradescope_files(rubric: bytes, wheel: tuple[str, bytes]) -> dict[str, bytes]:
    """Return the files of the zip that Gradescope takes."""
    parse_rubric(rubric, "rubric.toml")
    name, content = wheel
    return {
        "setup.sh": _read_template("setup.sh"),
        "run_autograder": _read_template("run_autograder"),
        "rubric.toml": rubric,
        name: content,
    }


def build_prairielearn_files(
    rubric: bytes, wheel: tuple[str, bytes], file_name: str, title: str, image: str | None
) -> dict[str, bytes]:
    """Return the files of a question folder. Without an image Plyscope is installed for every submission."""
    settings = parse_rubric(rubric, "rubric.toml")
    if PurePosixPath(file_name).name != file_name or not file_name.endswith(".py") or not file_name[:-3].isidentifier():
        raise BadAutograder(f"{file_name!r} is not the name of a program: use a name like search.py")
    seconds = 60 + len(settings.runs) * settings.seconds + (0 if image else INSTALL_SECONDS)
    info = {
        "uuid": str(uuid.uuid4()),
        "title": title,
        "topic": "Game trees",
        "tags": ["code"],
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": image or PLAIN_IMAGE,
            "entrypoint": "/grade/tests/run.sh",
            "timeout": int(min(seconds, MAX_TIMEOUT_SECONDS)),
            "enableNetworking": image is None,
        },
    }
    name, content = wheel
    return {
        "info.json": (json.dumps(info, indent=2, ensure_ascii=False) + "\n").encode(),
        "question.html": _read_template("question.html").replace(b"{file}", file_name.encode()),
        "tests/run.sh": _read_template("run.sh"),
        "tests/Dockerfile": _read_template("Dockerfile"),
        "tests/rubric.toml": rubric,
        f"tests/{name}": content,
    }


def pack_zip(content: dict[str, bytes]) -> bytes:
    """Return the files as a zip. Scripts can be executed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in content.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, find_mode(name) << 16
            packed.writestr(entry, data)
    return buffer.getvalue()


def find_mode(name: str) -> int:
    """Return the permissions of a file."""
    return 0o755 if name in EXECUTABLE_FILES else 0o644


def _read_template(name: str) -> bytes:
    return (TEMPLATES / name).read_bytes()
