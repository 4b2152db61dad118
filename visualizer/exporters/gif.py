"""GIF: an animation for slides and pages. Each frame holds only what differs from the frame before."""

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters.animation import DEFAULT_SIZE, DEFAULT_THEME, Frame, OnFrame, draw_frames, find_changes, frame_colours

EXTENSION = ".gif"
DESCRIPTION = "animation for slides, up to 400 steps"
MEDIA_TYPE = "image/gif"
ANIMATED = True
UNCHANGED = 255  # the transparent colour: the pixel of the frame before stays
TABLE_BITS = 8  # of the colour table: 256 entries
KEEP_FRAME = 1  # disposal method: the next frame is drawn over this one
LOOP_FOREVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
END = b";"


def chunks(
    tree: SearchTree,
    view: View | None = None,
    steps: Any = None,
    size: Any = DEFAULT_SIZE,
    theme: str = DEFAULT_THEME,
    on_frame: OnFrame | None = None,
) -> Iterator[bytes]:
    """Return the file, a piece for each frame.

    `steps` are the first and the last step, `size` is width and height in pixels, `theme` is light or dark. `on_frame` is called
    after each frame with the number of frames drawn and of all frames.
    """
    return _write_frames(draw_frames(tree, view, steps, size, theme, on_frame))


def _write_frames(frames: Iterator[Frame]) -> Iterator[bytes]:
    before: np.ndarray | None = None
    for frame in frames:
        if before is None:
            yield _write_header(frame)
        yield _write_frame(frame, before)
        before = frame.pixels
    yield END


def _write_header(frame: Frame) -> bytes:
    height, width = frame.pixels.shape
    table = b"".join(map(bytes, frame_colours(frame.palette))).ljust(3 << TABLE_BITS, b"\0")
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | TABLE_BITS - 1, 0, 0) + table + LOOP_FOREVER


def _write_frame(frame: Frame, before: np.ndarray | None) -> bytes:
    """Return a frame that holds only the pixels that change."""
    from PIL import Image
    from PIL.GifImagePlugin import getdata

    box = find_changes(frame.pixels, before)
    picture = Image.fromarray(np.where(box.changed, box.pixels, np.uint8(UNCHANGED)))
    settings = {"duration": frame.milliseconds, "transparency": UNCHANGED, "disposal": KEEP_FRAME}
    return b"".join(getdata(picture, (box.left, box.top), **settings))
