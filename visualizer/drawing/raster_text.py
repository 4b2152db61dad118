"""Texts with letters that the fonts of every PDF reader lack (Greek, Cyrillic, Czech, Polish …), drawn as pictures of one colour.

The font is the one that comes with Streamlit, which has them; it is only drawn with, and found without importing Streamlit.
"""

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

FONT = "static/static/media/SourceSansVF-Upright*.woff2"  # in the folder of Streamlit
PIXELS = 120  # of the letters' size: 600 dots an inch for letters of 14 points
WEIGHTS = {False: 400, True: 700}
NO_LETTER = "\uffff"
KEPT = 500  # texts, of some kilobytes each


class DrawnText(NamedTuple):
    """A text as dots, row by row from the top, eight to a byte; everything in shares of the letters' size."""

    dots: bytes
    columns: int
    rows: int
    left: float  # of the picture, from where the text begins
    below: float  # of its lower edge, from the line that the letters stand on


def can_be_drawn(character: str) -> bool:
    font = _font(False)
    return font is not None and (character == " " or bytes(font.getmask(character)) != bytes(font.getmask(NO_LETTER)))


def drawn_width(text: str, bold: bool) -> float:
    """How wide a text is, in letters' sizes."""
    return float(_font(bold).getlength(text)) / PIXELS


@lru_cache(KEPT)
def drawn(text: str, bold: bool) -> DrawnText:
    from PIL import Image, ImageDraw

    font = _font(bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    image = Image.new("L", (int(right - left) + 1, int(bottom - top) + 1))
    ImageDraw.Draw(image).text((-left, -top), text, font=font, fill=255, anchor="ls")
    dots = image.point([255 * (grey > 127) for grey in range(256)]).convert("1").tobytes()
    return DrawnText(dots, image.width, image.height, left / PIXELS, (top + image.height) / PIXELS)


@cache
def _font(bold: bool) -> Any:
    """The font; None if it is not there."""
    from PIL import ImageFont

    spec = find_spec("streamlit")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    try:
        font = ImageFont.truetype(str(next(folder.glob(FONT))), PIXELS, layout_engine=ImageFont.Layout.BASIC)
        font.set_variation_by_axes([WEIGHTS[bold]])
    except (OSError, StopIteration):  # another version of Streamlit, or a Pillow that cannot read it
        return None
    return font
