"""The files of a program as a visitor gives them: pasted text, files, a zip archive or a notebook. All are bounded."""

import io
import zipfile
from collections import Counter
from pathlib import PurePosixPath

import msgspec

from engine.core.errors import PlyscopeError

MAX_FILES = 200
MAX_TOTAL_BYTES = 5_000_000
MAX_TEXT_CHARS = 500_000  # of the file in the editor
PASTED_NAME = "program.py"
MIN_SHARED_LINES = 0.5  # of a text and an edit of it; two other programs share less
CODE_SUFFIXES = (".py", ".ipynb")
BOUNDED_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # zipfile unpacks the others whole: 600 bytes become gigabytes


class BadProgram(PlyscopeError):
    """Files that are not a program."""


class Program(msgspec.Struct, frozen=True):
    """The files of a program by their paths, and the one in the editor."""

    files: dict[str, bytes]
    shown: str

    @property
    def text(self) -> str:
        return self.files[self.shown].decode(errors="replace")

    def replace_text(self, text: str) -> "Program":
        """Return the program with another text of the file in the editor."""
        return Program({**self.files, self.shown: text.encode(errors="replace")}, self.shown)

    def show(self, name: str) -> "Program":
        """Return the program with another file in the editor."""
        if name not in self.files:
            raise BadProgram(f"the program has no file {name[:60]!r}")
        return Program(self.files, name)


def read_program(uploads: list[tuple[str, bytes]]) -> Program:
    """Return the program in uploaded files. Raise BadProgram if there is none, or too much."""
    found: dict[str, bytes] = {}
    for name, data in uploads:
        if name.lower().endswith(".zip"):
            found |= _read_zip(name, data)
        else:
            found[_check_path(name)] = data
    if len(found) > MAX_FILES or sum(map(len, found.values())) > MAX_TOTAL_BYTES:
        raise BadProgram(f"a program may have {MAX_FILES} files and {MAX_TOTAL_BYTES / 1e6:.0f} MB in all")
    code = [name for name in found if name.endswith(CODE_SUFFIXES)]
    if not code:
        raise BadProgram("there is no Python file: give a .py file, a notebook (.ipynb) or a .zip with them")
    files = dict(_convert_notebook(name, data) for name, data in found.items())
    shown = max((name for name in files if name.endswith(".py")), key=lambda name: (rate_file(files[name]), -len(name)))
    if len(files[shown]) > MAX_TEXT_CHARS:
        raise BadProgram(f"{shown!r} has more than {MAX_TEXT_CHARS:,} characters")
    return Program(files, shown)


def is_edit(before: str, after: str) -> bool:
    """Return True if most lines of two texts are the same, in any order: one is an edit of the other.

    >>> is_edit("a = 1; b = 2; c = 3".replace("; ", chr(10)), "a = 1; b = 2; c = 4".replace("; ", chr(10)))
    True
    >>> is_edit("a = 1", "x = 2")
    False
    """
    lines = [Counter(filter(None, map(str.strip, text.splitlines()))) for text in (before, after)]
    return 2 * (lines[0] & lines[1]).total() >= MIN_SHARED_LINES * (lines[0].total() + lines[1].total())


def rate_file(data: bytes) -> int:
    """Return how much a file looks like the one with the search."""
    return sum(
        word in data.lower() for word in (b"minimax", b"alphabeta", b"alpha_beta", b"negamax", b"max_value", b"alpha", b"beta")
    )


def _check_path(name: str) -> str:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or not path.parts or len(name) > 200 or any(ord(sign) < 32 for sign in name):
        raise BadProgram(f"{name[:60]!r} is not the name of a file of a program")
    return path.as_posix()


def _read_zip(name: str, data: bytes) -> dict[str, bytes]:
    """Return the files of an archive. Sizes are counted while they are read: what an archive says of itself is not trusted."""
    found: dict[str, bytes] = {}
    room = MAX_TOTAL_BYTES
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                path = entry.filename
                if entry.is_dir() or _is_left_out(path):
                    continue
                if entry.compress_type not in BOUNDED_METHODS:
                    raise BadProgram(f"{name!r} is packed in an unusual way: pack it again with the usual one (Deflate)")
                with archive.open(entry) as file:
                    content = file.read(room + 1)
                room -= len(content)
                if room < 0 or len(found) >= MAX_FILES:
                    raise BadProgram(f"{name!r} has more than {MAX_FILES} files or {MAX_TOTAL_BYTES / 1e6:.0f} MB")
                found[_check_path(path)] = content
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError) as error:
        if isinstance(error, PlyscopeError):
            raise
        raise BadProgram(f"{name!r} is not a zip file, or it is damaged") from None
    return found


def _is_left_out(path: str) -> bool:
    """Return True for hidden files and folders, and those that systems add."""
    parts = path.split("/")
    return bool({"__MACOSX", "__pycache__"} & set(parts)) or any(
        part.startswith(".") and part not in (".", "..") for part in parts
    )


def _convert_notebook(name: str, data: bytes) -> tuple[str, bytes]:
    """Return a notebook as a Python file with its code cells, and any other file as it is."""
    if not name.endswith(".ipynb"):
        return name, data
    try:
        cells = msgspec.json.decode(data, type=_Notebook).cells
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadProgram(f"{name!r} is not a notebook, or it is damaged") from None
    texts = ["".join(cell.source) for cell in cells if cell.cell_type == "code"]
    lines = "\n\n".join(texts).splitlines()
    kept = [f"# {line}" if line.lstrip().startswith(("%", "!")) else line for line in lines]  # commands of notebooks
    return f"{name.removesuffix('.ipynb')}.py", "\n".join(kept).encode(errors="replace")


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: list[str] | str = ""


class _Notebook(msgspec.Struct):
    cells: list[_Cell] = []
