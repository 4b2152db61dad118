"""Raster images of texts with letters that the standard PDF fonts lack (Greek, Cyrillic, Czech, Polish …), in one colour.

The font comes with Streamlit and has these letters. It is only used for drawing, and is found without importing Streamlit.
"""

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

FONT_GLOB = "static/static/media/SourceSansVF-Upright*.woff2"  # in the folder of Streamlit
PIXELS_PER_EM = 120  # of the letters' size: 600 dots an inch for letters of 14 points
FONT_WEIGHTS = {False: 400, True: 700}
NO_CHARACTER = "\uffff"
MAX_CACHED_TEXTS = 500  # texts, of some kilobytes each


class RasterText(NamedTuple):
    """A text as dots, row by row from the top, eight to a byte. `left` and `below` are in units of the font size."""

    dots: bytes
    columns: int
    rows: int
    left: float  # of the picture, from where the text begins
    below: float  # of its lower edge, from the line that the letters stand on


def can_rasterize(character: str) -> bool:
    """Return True if the font has this character."""
    font = _load_font(False)
    return font is not None and (character == " " or bytes(font.getmask(character)) != bytes(font.getmask(NO_CHARACTER)))


def raster_width(text: str, bold: bool) -> float:
    """Return the width of a text, in units of the font size."""
    return float(_load_font(bold).getlength(text)) / PIXELS_PER_EM


@lru_cache(MAX_CACHED_TEXTS)
def rasterize_text(text: str, bold: bool) -> RasterText:
    """Draw a text as dots."""
    from PIL import Image, ImageDraw

    font = _load_font(bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls")
    image = Image.new("L", (int(right - left) + 1, int(bottom - top) + 1))
    ImageDraw.Draw(image).text((-left, -top), text, font=font, fill=255, anchor="ls")
    dots = image.point([255 * (grey > 127) for grey in range(256)]).convert("1").tobytes()
    return RasterText(dots, image.width, image.height, left / PIXELS_PER_EM, (top + image.height) / PIXELS_PER_EM)


@cache
def _load_font(bold: bool) -> Any:
    """Return the font, or None if it is not there."""
    from PIL import ImageFont

    spec = find_spec("streamlit")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path()
    try:
        font = ImageFont.truetype(str(next(folder.glob(FONT_GLOB))), PIXELS_PER_EM, layout_engine=ImageFont.Layout.BASIC)
        font.set_variation_by_axes([FONT_WEIGHTS[bold]])
    except (OSError, StopIteration):  # another version of Streamlit, or a Pillow that cannot read it
        return None
    return font
