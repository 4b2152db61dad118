"""Which screens of lessons were solved: remembered and shown by the browser alone."""

from collections.abc import Sequence
from typing import Any

from visualizer.viewer.bundle import component


def lesson_marks(lessons: Sequence[tuple[str, str, int]], here: tuple[str, int] | None = None, solved: bool = False) -> None:
    """What was solved of these lessons (name, title and number of screens of each). `here`: the lesson and the screen that is
    shown, and whether it is solved now."""
    listed = [{"name": name, "title": title, "screens": screens} for name, title, screens in lessons]
    data: dict[str, Any] = {"lessons": listed, "here": here, "solved": solved}
    component("lesson_checkmarks")(key=f"marks {here}", data=data)
