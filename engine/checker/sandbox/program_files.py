"""The files of a student's project, read before anything runs. Each check gets its own copy.

A project is the checked file, the modules that it imports, the files that import it, and the data files beside them. The
text of the files is only searched for imports here: no code of the program is run or parsed in this process.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from engine.checker.sandbox.loader import MAX_SOURCE_BYTES, is_installed

MAX_FILES = 400
MAX_TOTAL_BYTES = 10_000_000  # of all files together
MAX_DATA_BYTES = 300_000  # of a data file that no text names
MAX_WHOLE_PROJECT = 80  # Python files of a project that is read as a whole
MAX_FOLDER_ENTRIES = 20_000  # read from one folder
MAX_LISTED_FILES = 3_000  # in all folders
MAX_FOLDER_DEPTH = 4  # below the root
MAX_CLIMBED_FOLDERS = 3  # above the folder of the program
WORD_PATTERN = re.compile(r"\w+")
IMPORT_PATTERN = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>\.*[\w.]*)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]+)|import[ \t]+(?P<modules>[^\n#]+))",
    re.MULTILINE,
)
CALL_PATTERN = re.compile(r"(?<![.\w])(?<!def )(?<!class )(?P<name>\w+)[ \t]*\(")
DEFINITION_PATTERN = re.compile(r"^(?:def|class)[ \t]+(?P<name>\w+)", re.MULTILINE)
DYNAMIC_IMPORT_PATTERN = re.compile(r"(?:import_module|__import__)\(\s*['\"](?P<module>[\w.]+)['\"]")
ROOT_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
SKIPPED_FOLDERS = {"__pycache__", "node_modules", "venv", "env", "site-packages", "build", "dist"}
CODE_SUFFIXES = {".py", ".ipynb"}
SKIPPED_SUFFIXES = {
    ".png",         ".jpg",         ".jpeg",         ".gif",         ".bmp",         ".ico",         ".svg",
    ".webp",         ".wav",         ".mp3",         ".ogg",         ".mp4",         ".avi",         ".mov",         ".ttf",
    ".otf",         ".pdf",         ".docx",         ".pptx",         ".xlsx",         ".zip",         ".gz",
    ".rar",         ".7z",         ".pyc",         ".pyd",         ".so",         ".dll",         ".exe",         ".o",
    ".class",         ".jar",         ".pt",         ".pth",         ".h5",         ".ckpt",         ".psd",         ".sav",
}  # fmt: skip


class ProjectFiles(NamedTuple):
    """The files of a project by their path below its root. The checked file comes first."""

    target: str  # the checked file; "" for a whole folder
    files: dict[str, bytes]


def read_program_files(path: Path) -> dict[str, bytes]:
    """Return the files of the project of a program by their path below its root. Return nothing if it cannot be read."""
    return read_project_files(path).files


def read_project_files(path: Path) -> ProjectFiles:
    """Read a program with the files of its project, or all files of a folder. There are none if it cannot be read."""
    path = Path(os.path.abspath(path))
    if path.is_dir():
        return _read_folder(path)
    source = _read_start(path, MAX_SOURCE_BYTES + 1)
    if source is None:
        return ProjectFiles("", {})
    root = find_root(path, source)
    listing = _FolderListing(root)
    code = listing.read_code(first=path)
    chosen = _select_connected(path, root, code)
    is_project = len(chosen) > 1
    if is_project and len(code) <= MAX_WHOLE_PROJECT:
        chosen = list(code)
    target = _relative_name(path, root)
    files = {target: source, **{_relative_name(file, root): code[file] for file in chosen if file != path}}
    return ProjectFiles(target, listing.add_data(files, everything=is_project))


def to_utf8_name(name: str) -> str:
    """Return the name as valid UTF-8. Other bytes are replaced."""
    return os.fsencode(name).decode(errors="replace")


def _read_folder(root: Path) -> ProjectFiles:
    listing = _FolderListing(root)
    files = {_relative_name(file, root): source for file, source in listing.read_code().items()}
    return ProjectFiles("", listing.add_data(files, everything=True) if files else {})


def _relative_name(file: Path, root: Path) -> str:
    return "/".join(to_utf8_name(part) for part in file.relative_to(root).parts)


# ---- the root


def find_root(path: Path, source: bytes) -> Path:
    """Return the folder that the imports of a program start from.

    It is the folder of the program. It is a folder above if the program lies in a package, if an import is found only there,
    or if a file there imports from this folder.
    """
    root = path.parent
    text = source.decode(errors="replace")
    for _ in range(MAX_CLIMBED_FOLDERS):
        if any((root / mark).exists() for mark in ROOT_MARKS) or root.parent in (root, Path.home(), Path(os.sep)):
            break
        if not (_is_package(root) or _has_missing_import(text, path.parent, root) or _is_imported_from_above(root)):
            break
        root = root.parent
    return root


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def _has_missing_import(text: str, folder: Path, root: Path) -> bool:
    """Return True if an import is not found in the folders up to the root, but in the folder above."""
    for found in find_imports(text):
        if found.level and _step_up(folder, found.level - 1) == root:
            return True  # the folder itself has to be a package
        if found.level or not found.parts:
            continue
        if any(_find_module(place, found.parts[:1]) for place in {folder, root}):
            continue
        if _find_module(root.parent, found.parts[:1]) and not is_installed(found.parts[0]):
            return True
    return False


def _is_imported_from_above(root: Path) -> bool:
    """Return True if a Python file in the folder above imports from this one, or adds it to sys.path."""
    name = re.escape(root.name)
    pattern = re.compile(
        rf"^[ \t]*(?:from|import)[ \t]+{name}\b|^[ \t]*sys\.path\.\w+\(.*[\"'/]{name}[\"'/]".encode(errors="replace"),
        re.MULTILINE,
    )
    files = [entry for entry in _list_entries(root.parent) if entry.name.endswith(".py")]
    sources = (_read_start(Path(entry.path), MAX_SOURCE_BYTES) for entry in files[:MAX_WHOLE_PROJECT])
    return any(source is not None and pattern.search(source) for source in sources)


def _step_up(folder: Path, levels: int) -> Path:
    for _ in range(levels):
        folder = folder.parent
    return folder


# ---- imports


class FoundImport(NamedTuple):
    """A module that a text imports."""

    level: int  # the number of dots in front
    parts: tuple[str, ...]


def find_imports(text: str) -> Iterator[FoundImport]:
    """Yield the modules that a text imports. `from a import b` gives a and a.b, because b may be a module.

    >>> [found.parts for found in find_imports("from game import board\\nimport ai.search as s, rules\\n")]
    [('game',), ('game', 'board'), ('ai', 'search'), ('rules',)]
    """
    for found in IMPORT_PATTERN.finditer(text):
        if found["modules"] is not None:
            for name in found["modules"].split(","):
                if words := name.split():
                    yield FoundImport(0, tuple(words[0].split(".")))
            continue
        base = found["base"].lstrip(".")
        level, parts = len(found["base"]) - len(base), tuple(base.split(".")) if base else ()
        yield FoundImport(level, parts)
        for name in found["names"].strip("()").split(","):
            if words := WORD_PATTERN.findall(name):
                yield FoundImport(level, (*parts, words[0]))
    for found in DYNAMIC_IMPORT_PATTERN.finditer(text):
        yield FoundImport(0, tuple(found["module"].split(".")))


def _find_module(folder: Path, parts: tuple[str, ...]) -> list[Path]:
    """Return the files that are loaded for a module below a folder."""
    if not parts or not all(parts):
        return []
    place = folder.joinpath(*parts)
    if place.with_name(f"{place.name}.py").is_file():
        return [place.with_name(f"{place.name}.py")]
    if (place / "__init__.py").is_file():
        return [place / "__init__.py"]
    return [place] if place.is_dir() and any(entry.name.endswith(".py") for entry in _list_entries(place)) else []


def _select_connected(path: Path, root: Path, code: dict[Path, bytes]) -> list[Path]:
    """Return the files that the program imports, those that import it, and everything that these import."""
    folders = sorted({file.parent for file in code})
    imported: dict[Path, set[Path]] = {file: set() for file in code}
    for file, source in code.items():
        for found in find_imports(source.decode(errors="replace")):
            if found.level:
                places = [_step_up(file.parent, found.level - 1)]
            else:
                elsewhere = [] if not found.parts or is_installed(found.parts[0]) else folders
                places = [file.parent, root, path.parent, *elsewhere]
            targets = next((targets for place in places if (targets := _find_module(place, found.parts))), [])
            if not targets and len(found.parts) == 1 and not found.level:
                name = f"{found.parts[0]}.py".lower()
                targets = [other for other in code if other.name.lower() == name]  # Windows and macOS import it
            imported[file] |= {target for target in targets if target in code}
    for file in _find_definers(path, code) if not imported[path] else ():
        imported[path].add(file)
    importing = _spread([path], {file: {other for other in code if file in imported[other]} for file in code})
    return _spread(importing, imported)


def _find_definers(path: Path, code: dict[Path, bytes]) -> list[Path]:
    """Return the files beside a program that alone define what it calls without an import.

    A name that the program mentions in any other way than a call may be its own.
    """
    text = code[path].decode(errors="replace")
    called = Counter(found["name"] for found in CALL_PATTERN.finditer(text))
    words = Counter(WORD_PATTERN.findall(text))
    missing = {name for name, times in called.items() if times == words[name]}
    definers: dict[str, list[Path]] = {}
    for file, source in code.items():
        if file != path and file.parent == path.parent:
            for name in {found["name"] for found in DEFINITION_PATTERN.finditer(source.decode(errors="replace"))} & missing:
                definers.setdefault(name, []).append(file)
    return sorted({files[0] for files in definers.values() if len(files) == 1})


def _spread(start: list[Path], edges: dict[Path, set[Path]]) -> list[Path]:
    reached = list(start)
    for file in reached:
        reached += sorted(edges.get(file, set()) - set(reached))
    return reached


# ---- reading


@dataclass
class _FolderListing:
    """The files below a folder, those near the root first."""

    root: Path
    listed: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        folders = [(self.root, 0)]
        for folder, depth in folders:
            for entry in _list_entries(folder):
                if len(self.listed) >= MAX_LISTED_FILES:
                    return
                if entry.is_dir(follow_symlinks=False):
                    hidden = entry.name.startswith(".") or entry.name in SKIPPED_FOLDERS
                    folders += [(Path(entry.path), depth + 1)] if not hidden and depth < MAX_FOLDER_DEPTH else []
                else:
                    self.listed.append(Path(entry.path))

    def read_code(self, first: Path | None = None) -> dict[Path, bytes]:
        """Return the sources of the Python files. Notebooks are read only in a whole folder, or if one is checked."""
        suffixes = CODE_SUFFIXES if first is None else {".py", first.suffix}
        found: dict[Path, bytes] = {}
        room = MAX_TOTAL_BYTES
        for file in ([] if first is None else [first]) + [file for file in self.listed if file.suffix in suffixes]:
            content = _read_start(file, MAX_SOURCE_BYTES + 1) if file not in found and len(found) < MAX_FILES else None
            if content is not None and len(content) <= room:
                found[file] = content
                room -= len(content)
        return found

    def add_data(self, files: dict[str, bytes], everything: bool) -> dict[str, bytes]:
        """Return the files with the data files that their texts name, or with all small ones."""
        text = "\n".join(content.decode(errors="replace") for content in files.values())
        words = set(WORD_PATTERN.findall(text))
        room = MAX_TOTAL_BYTES - sum(map(len, files.values()))
        for file in self.listed:
            place = _relative_name(file, self.root)
            if place in files or len(files) >= MAX_FILES or file.suffix == ".py" or file.suffix.lower() in SKIPPED_SUFFIXES:
                continue
            is_named = file.name in text and set(file.relative_to(self.root).parent.parts) <= words
            if not is_named and (not everything or file.name.startswith(".")):
                continue
            content = _read_start(file, (room if is_named else min(room, MAX_DATA_BYTES)) + 1)
            if content is not None and len(content) <= (room if is_named else min(room, MAX_DATA_BYTES)):
                files[place] = content
                room -= len(content)
        return files


def _list_entries(folder: Path) -> list["os.DirEntry[str]"]:
    """Return the entries of a folder by name. There are none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(
                (entry for entry, _ in zip(entries, range(MAX_FOLDER_ENTRIES), strict=False)), key=lambda entry: entry.name
            )
    except OSError:
        return []


def _read_start(path: Path, max_bytes: int) -> bytes | None:
    """Return the first `max_bytes` bytes of a regular file, or None. A pipe is not opened: it would block."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(max_bytes)
    except (OSError, ValueError):
        return None
