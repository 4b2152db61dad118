"""The installed Plyscope as a wheel: a copy of exactly this version, also of one that was installed in editable mode."""

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import engine
import visualizer
from engine.core.errors import PlyscopeError

DISTRIBUTION = "plyscope"
METADATA_FILES = ("METADATA", "WHEEL", "entry_points.txt")
MAX_WHEEL_BYTES = 200 << 20
FIXED_DATE = (2020, 1, 1, 0, 0, 0)  # the same files make the same wheel


class BadWheel(PlyscopeError):
    """A file that is not a wheel of Plyscope, or an installation that cannot be packed."""


def read_wheel(path: str | None) -> tuple[str, bytes]:
    """Return the name and the content of a wheel: of a file, or of the installed Plyscope."""
    if path is None:
        return pack_installed_wheel()
    file = Path(path)
    if not (file.name.startswith(f"{DISTRIBUTION}-") and file.suffix == ".whl" and file.is_file() and zipfile.is_zipfile(file)):
        raise BadWheel(f"{str(path)!r} is not a wheel of Plyscope: its name is like plyscope-1.0-py3-none-any.whl")
    if file.stat().st_size > MAX_WHEEL_BYTES:
        raise BadWheel(f"{file.name!r} has more than {MAX_WHEEL_BYTES >> 20} MB")
    return file.name, file.read_bytes()


def pack_installed_wheel() -> tuple[str, bytes]:
    """Pack the installed files into a wheel. Return its name and its content."""
    installed = distribution(DISTRIBUTION)
    folder = f"{DISTRIBUTION}-{installed.version}.dist-info"
    buffer, record = io.BytesIO(), []
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in [*_iterate_package_files(), *_iterate_metadata(folder)]:
            _add_file(wheel, name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        record.append(f"{folder}/RECORD,,\n")
        _add_file(wheel, f"{folder}/RECORD", "".join(record).encode())
    return f"{DISTRIBUTION}-{installed.version}-py3-none-any.whl", buffer.getvalue()


def _add_file(wheel: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, FIXED_DATE)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    wheel.writestr(entry, content)


def _iterate_package_files() -> Iterator[tuple[str, bytes]]:
    for package in (engine, visualizer):
        root = Path(str(package.__file__)).parent
        for file in sorted(root.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".pyc":
                yield f"{root.name}/{file.relative_to(root).as_posix()}", file.read_bytes()
    yield "plyscope.py", (Path(visualizer.__file__).parent / "plyscope_module.py").read_bytes()


def _iterate_metadata(folder: str) -> Iterator[tuple[str, bytes]]:
    installed = distribution(DISTRIBUTION)
    for name in METADATA_FILES:
        text = installed.read_text(name)
        if text is None:
            raise BadWheel(f"the installed Plyscope has no {name}: give a wheel with --wheel")
        yield f"{folder}/{name}", text.encode()
