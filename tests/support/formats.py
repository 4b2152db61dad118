"""Options with which every export format is quick."""

from visualizer.exporters import is_animation


def quick_style(extension):
    """Return the options of a short animation; other formats need none."""
    return {"steps": (0, 2), "size": (320, 240)} if is_animation(extension) else {}
