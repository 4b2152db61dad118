"""Checkmarks for the solved screens of lessons. Only the browser stores and shows them."""

from collections.abc import Sequence
from typing import Any

from visualizer.viewer.bundle import create_component


def show_lesson_checkmarks(
    lessons: Sequence[tuple[str, str, int]], here: tuple[str, int] | None = None, solved: bool = False, answer: str = ""
) -> None:
    """Show the solved screens of these lessons (name, title and number of screens of each).

    `here` is the lesson and the screen on the page; `solved` says that it is solved now. The browser scrolls to the reply to a
    new `answer`.
    """
    listed = [{"name": name, "title": title, "screens": screens} for name, title, screens in lessons]
    data: dict[str, Any] = {"lessons": listed, "here": here, "solved": solved, "answer": answer}
    create_component("lesson_checkmarks")(key=f"marks {here}", data=data)


def show_card_checkmark(lesson: tuple[str, str, int]) -> None:
    """Show how much of a lesson is solved, on its card in the list."""
    name, title, screens = lesson
    data = {"lessons": [{"name": name, "title": title, "screens": screens}], "here": None, "solved": False, "card": True}
    create_component("lesson_checkmarks")(key=f"card {name}", data=data)
