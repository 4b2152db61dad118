"""The keys of the viewer, read from the list that the browser uses: assets/input/keys.js."""

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

KEYS_MODULE = Path(__file__).with_name("assets") / "input" / "keys.js"
_ROWS = re.compile(r"KEY_ROWS = (\[.*?\n\]);", re.DOTALL)
_TABLE = re.compile(r"(<!-- keys -->\n).*?(<!-- /keys -->)", re.DOTALL)


class KeyRow(NamedTuple):
    """Keys that belong together, as they are labelled, and what they do."""

    labels: tuple[str, ...]
    does: str


@cache
def viewer_keys() -> tuple[KeyRow, ...]:
    """Return the keys of the viewer in the order of its help."""
    found = _ROWS.search(KEYS_MODULE.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{KEYS_MODULE.name} has no list KEY_ROWS")
    return tuple(KeyRow(tuple(label for label, _, _ in row["keys"]), row["does"]) for row in json.loads(found[1]))


def keys_table() -> str:
    """Return the keys as a Markdown table.

    >>> print("\\n".join(keys_table().splitlines()[:3]))
    | Key | Action |
    |---|---|
    | ← → | one step back or forward |
    """
    rows = "".join(f"| {' '.join(row.labels)} | {row.does} |\n" for row in viewer_keys())
    return f"| Key | Action |\n|---|---|\n{rows}"


def fill_keys_table(text: str) -> str:
    """Return a Markdown text with the table of keys between its markers `<!-- keys -->` and `<!-- /keys -->`."""
    return _TABLE.sub(lambda markers: f"{markers[1]}{keys_table()}{markers[2]}", text)
