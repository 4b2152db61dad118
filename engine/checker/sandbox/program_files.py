"""The files of a student's program, read before anything runs: each program gets a copy of its own."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from engine.checker.sandbox.loader import MAX_SOURCE

MAX_FILES = 200
MAX_BYTES = 10_000_000  # of all files together
MAX_ENTRIES = 20_000  # of a folder that are looked at
MAX_DEPTH = 3  # folders below that of the program
WORD = re.compile(r"\w+")


def read_program_files(path: Path) -> dict[str, bytes]:
    """Return the program and the files beside it whose names stand in its text, by their place below its folder.

    Nothing is returned if the program itself is no file, or cannot be read.
    """
    source = _content(path, MAX_SOURCE + 1)
    if source is None:
        return {}
    files = {readable_name(path.name): source}
    texts, room = [source], MAX_BYTES - len(source)
    while texts:
        text = texts.pop().decode(errors="replace")
        for place, file in _named_files(path.parent, text, set(WORD.findall(text))):
            if place not in files and len(files) < MAX_FILES and (content := _content(file, room + 1)) is not None:
                if len(content) > room:
                    continue
                files[place] = content
                room -= len(content)
                texts += [content] if file.suffix == ".py" else []
    return files


def readable_name(name: str) -> str:
    """Return the name as text that can be written anywhere: bytes that are not UTF-8 are replaced."""
    return os.fsencode(name).decode(errors="replace")


def _named_files(folder: Path, text: str, words: set[str], above: str = "", depth: int = 0) -> Iterator[tuple[str, Path]]:
    """Yield the modules and the data files that the text names."""
    try:
        with os.scandir(folder) as entries:
            listed = sorted((entry for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False)), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        stem, suffix = os.path.splitext(entry.name)
        place = above + readable_name(entry.name)
        if (suffix == ".py" and stem in words) or (suffix != ".py" and "." in entry.name and entry.name in text):
            yield place, Path(entry.path)
        elif entry.name in words and depth < MAX_DEPTH and entry.is_dir():
            yield from _named_files(Path(entry.path), text, words, f"{place}/", depth + 1)


def _content(path: Path, most: int) -> bytes | None:
    """Return the beginning of a regular file; a pipe would be waited for."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None
