"""WebP: the same animation as .gif in fewer bytes. Each frame holds only what differs from the frame before.

The file is a header and one chunk for each frame, which is a lossless picture that Pillow encodes.
"""

import io
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.drawing.view import View
from visualizer.exporters.animation import DEFAULT_SIZE, DEFAULT_THEME, Frame, OnFrame, draw_frames, find_changes, frame_colours

EXTENSION = ".webp"
DESCRIPTION = "animation for slides, smaller than .gif, up to 400 steps"
MEDIA_TYPE = "image/webp"
ANIMATED = True
ENCODER_SETTINGS = {"lossless": True, "method": 2, "quality": 20}  # more effort takes longer and saves little
HAS_ANIMATION, HAS_ALPHA = 0x02, 0x10  # flags of the header
FILE_HEADER_BYTES = 12  # "RIFF", the size and "WEBP"


def chunks(
    tree: SearchTree,
    view: View | None = None,
    steps: Any = None,
    size: Any = DEFAULT_SIZE,
    theme: str = DEFAULT_THEME,
    on_frame: OnFrame | None = None,
) -> Iterator[bytes]:
    """Return the file in one piece, after an empty piece for each frame, so that the caller can stop. Options as in gif."""
    return _write_frames(draw_frames(tree, view, steps, size, theme, on_frame))


def _write_frames(frames: Iterator[Frame]) -> Iterator[bytes]:
    before: np.ndarray | None = None
    body = b"WEBP"
    for frame in frames:
        if before is None:
            body += _write_header(*frame.pixels.shape)
        body += _write_frame(frame, before)
        before = frame.pixels
        yield b""
    yield _write_chunk(b"RIFF", body)


def _write_chunk(name: bytes, content: bytes) -> bytes:
    """Return a chunk: its name, its size, its content, and a byte that makes it even."""
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def _write_24_bits(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(3, "little") for number in numbers)


def _write_header(height: int, width: int) -> bytes:
    canvas = struct.pack("<I", HAS_ANIMATION | HAS_ALPHA) + _write_24_bits(width - 1, height - 1)
    return _write_chunk(b"VP8X", canvas) + _write_chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))  # white, for ever


def _write_frame(frame: Frame, before: np.ndarray | None) -> bytes:
    """Return a frame that holds only the pixels that change. The others are transparent."""
    from PIL import Image

    box = find_changes(frame.pixels, before)
    colours = np.array([(*colour, 255) for colour in frame_colours(frame.palette)], np.uint8)[box.pixels]
    colours[~box.changed] = 0
    file = io.BytesIO()
    Image.fromarray(colours).save(file, "WEBP", **ENCODER_SETTINGS)
    height, width = box.pixels.shape
    place = _write_24_bits(box.left // 2, box.top // 2, width - 1, height - 1, frame.milliseconds) + b"\0"
    return _write_chunk(b"ANMF", place + file.getvalue()[FILE_HEADER_BYTES:])
