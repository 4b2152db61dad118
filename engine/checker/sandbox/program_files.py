"""The files of a student's program, read before anything runs. Each program gets its own copy."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from engine.checker.sandbox.loader import MAX_SOURCE_BYTES

MAX_FILES = 200
MAX_TOTAL_BYTES = 10_000_000  # of all files together
MAX_FOLDER_ENTRIES = 20_000  # of a folder that are looked at
MAX_FOLDER_DEPTH = 3  # folders below that of the program
WORD_PATTERN = re.compile(r"\w+")


def read_program_files(path: Path) -> dict[str, bytes]:
    """Return the program and the files beside it whose names occur in its text, by their path below its folder.

    Return nothing if the program is not a file, or cannot be read.
    """
    source = _read_start(path, MAX_SOURCE_BYTES + 1)
    if source is None:
        return {}
    files = {to_utf8_name(path.name): source}
    texts, room = [source], MAX_TOTAL_BYTES - len(source)
    while texts:
        text = texts.pop().decode(errors="replace")
        for place, file in _find_named_files(path.parent, text, set(WORD_PATTERN.findall(text))):
            if place not in files and len(files) < MAX_FILES and (content := _read_start(file, room + 1)) is not None:
                if len(content) > room:
                    continue
                files[place] = content
                room -= len(content)
                texts += [content] if file.suffix == ".py" else []
    return files


def to_utf8_name(name: str) -> str:
    """Return the name as valid UTF-8. Other bytes are replaced."""
    return os.fsencode(name).decode(errors="replace")


def _find_named_files(folder: Path, text: str, words: set[str], above: str = "", depth: int = 0) -> Iterator[tuple[str, Path]]:
    """Yield the modules and the data files that the text names."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted(
                (entry for entry, _ in zip(entries, range(MAX_FOLDER_ENTRIES), strict=False)), key=lambda entry: entry.name
            )
    except OSError:
        return
    for entry in listed:
        stem, suffix = os.path.splitext(entry.name)
        place = above + to_utf8_name(entry.name)
        if (suffix == ".py" and stem in words) or (suffix != ".py" and "." in entry.name and entry.name in text):
            yield place, Path(entry.path)
        elif entry.name in words and depth < MAX_FOLDER_DEPTH and entry.is_dir():
            yield from _find_named_files(Path(entry.path), text, words, f"{place}/", depth + 1)


def _read_start(path: Path, most: int) -> bytes | None:
    """Return the first `most` bytes of a regular file, or None. A pipe is not opened: it would block."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None
