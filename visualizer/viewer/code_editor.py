"""An editor for a program as a Streamlit component: line numbers, and findings at their lines."""

import base64
import binascii
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from visualizer.viewer.bundle import create_component


class LineMark(NamedTuple):
    """A mark at a line: counted from 1, "certain" or "likely", and its words."""

    line: int
    kind: str
    words: str


def show_code_editor(
    files: dict[str, bytes],
    shown: str,
    version: str,
    marks: list[LineMark],
    key: str,
    on_run: Callable[[str], None],
    on_mark: Callable[[int], None],
    on_choose: Callable[[str, str], None],
    on_drop: Callable[[list[tuple[str, bytes]]], None],
    on_restore: Callable[[list[tuple[str, bytes]], str], None],
    max_chars: int,
    max_bytes: int,
    locked: bool = False,
    scroll_to: int = 0,
) -> None:
    """Show the editor with the file `shown` of a program. `on_run` gets the text when the user runs it, `on_mark` the number of
    a mark that was clicked, `on_drop` the names and contents of dropped files.

    `on_choose` gets the name of another file that the user wants to see, and the text as it is now. `on_restore` gets the files
    that the browser has kept when the page is loaded again, and the name of the one it shows.

    The browser keeps what the user has typed until `version` changes. `locked` takes no changes.
    """
    names = sorted(name for name in files if name.endswith(".py"))
    others = {name: data for name, data in files.items() if name != shown}
    is_blank = not others and not files[shown]

    def read_sent(name: str) -> Any:
        return st.session_state.get(key, {}).get(name)

    def handle_run() -> None:
        sent = read_sent("run")
        if isinstance(sent, str) and not locked:  # what a browser sends is foreign
            on_run(sent[: max_chars + 1])

    def handle_mark() -> None:
        sent = read_sent("mark")
        if isinstance(sent, int) and not isinstance(sent, bool) and 0 <= sent < len(marks):
            on_mark(sent)

    def handle_choice() -> None:
        sent = read_sent("choose")
        name, text = (sent.get("name"), sent.get("text")) if isinstance(sent, dict) else (None, None)
        if name in names and isinstance(text, str) and not locked:
            on_choose(name, text[: max_chars + 1])

    def handle_restore() -> None:
        sent = read_sent("restore")
        kept = _read_kept(sent, max_bytes) if is_blank else []
        if kept and not locked:
            on_restore(kept, sent["shown"])

    def handle_drop() -> None:
        files = _read_dropped(read_sent("drop"), max_bytes)
        if files and not locked:
            on_drop(files)

    data = {
        "text": files[shown].decode(errors="replace"),
        "shown": shown,
        "names": names,
        "others": [(name, base64.b64encode(data).decode()) for name, data in others.items()],
        "isBlank": is_blank,
        "version": version,
        "marks": [mark._asdict() for mark in marks],
        "locked": locked,
        "scrollTo": scroll_to,
        "maxBytes": max_bytes,
    }
    create_component("code_editor")(
        key=key,
        data=data,
        on_run_change=handle_run,
        on_mark_change=handle_mark,
        on_choose_change=handle_choice,
        on_drop_change=handle_drop,
        on_restore_change=handle_restore,
    )


def _read_dropped(sent: Any, max_bytes: int) -> list[tuple[str, bytes]]:
    """Return the names and contents of dropped files, or nothing if a browser has sent anything else."""
    try:
        files = [(name, base64.b64decode(content, validate=True)) for name, content in sent]
    except (TypeError, ValueError, binascii.Error):
        return []
    is_readable = all(isinstance(name, str) for name, _ in files) and sum(len(data) for _, data in files) <= max_bytes
    return files if is_readable else []


def _read_kept(sent: Any, max_bytes: int) -> list[tuple[str, bytes]]:
    """Return the files that a browser has kept, or nothing if it has sent anything else."""
    if not isinstance(sent, dict) or not isinstance(sent.get("shown"), str) or not isinstance(sent.get("text"), str):
        return []
    others = _read_dropped(sent.get("others"), max_bytes)
    if len(others) != len(sent["others"]):
        return []
    return [*others, (sent["shown"], sent["text"].encode(errors="replace"))]
