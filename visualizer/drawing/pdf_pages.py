"""Scenes as the pages of a PDF file, written by fpdf2. The text can be searched and copied.

The font is Liberation Sans, which has the widths of Helvetica and covers Latin, Greek and Cyrillic. The file embeds the letters
that it uses. Other characters (`find_unsupported_characters`) become question marks.
"""

import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from visualizer.drawing.scene import (
    HOLLOW_LINE_WIDTH,
    POINTS_PER_PIXEL,
    Label,
    Line,
    Scene,
    Shape,
    StepArea,
    colours_by_name,
    line_style,
)
from visualizer.drawing.theme import LIGHT
from visualizer.narration.escapes import sanitize_line

if TYPE_CHECKING:  # they take long to import, and only PDF files need them
    from fpdf import FPDF

FONT_FAMILY = "LiberationSans"
FONT_FILES = {
    bold: Path(__file__).parent / "fonts" / f"LiberationSans-{'Bold' if bold else 'Regular'}.ttf" for bold in (False, True)
}
CREATION_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # fixed: the same pages give the same bytes
DASH_LENGTHS = {"dashed": (4.0, 3.0), "dotted": (1.0, 2.0), "": (0.0, 0.0)}  # points of a dash and of the gap after it
ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of the width, left of the anchor
RIGHT_TO_LEFT = ("R", "AL")  # classes of characters that would be drawn in the wrong order


@cache
def _letter_widths(bold: bool) -> dict[str, float]:
    """Return the width of each character that the font can show, in units of the font size."""
    from fontTools.ttLib import TTFont

    with TTFont(FONT_FILES[bold], lazy=True) as font:
        metrics, em = font["hmtx"].metrics, font["head"].unitsPerEm
        letters = {chr(code): metrics[name][0] / em for code, name in font.getBestCmap().items()}
    return {letter: width for letter, width in letters.items() if unicodedata.bidirectional(letter) not in RIGHT_TO_LEFT}


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text, in the unit of its size.

    >>> round(text_width("Name", 10), 2)
    26.67
    """
    widths = _letter_widths(bold)
    return sum(widths[letter] for letter in replace_unsupported(text)) * size


def find_unsupported_characters(text: str) -> str:
    """Return the characters of a text that no page can show."""
    text = unicodedata.normalize("NFC", sanitize_line(text))
    return "".join(dict.fromkeys(letter for letter in text if letter not in _letter_widths(False)))


def replace_unsupported(text: str) -> str:
    """Return the text as it is written: accents combined with their letters, and question marks for unsupported characters."""
    if text.isascii() and text.isprintable():
        return text
    widths = _letter_widths(False)
    return "".join(letter if letter in widths else "?" for letter in unicodedata.normalize("NFC", sanitize_line(text)))


def wrap_to_width(text: str, size: float, max_width: float, bold: bool = False) -> list[str]:
    """Return a text as lines no wider than `max_width`. A word that is wider has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold) > max_width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def scene_to_pdf(scene: Scene) -> bytes:
    """Return a file with one page of the scene's size."""
    return to_pdf([scene], scene.width * POINTS_PER_PIXEL, scene.height * POINTS_PER_PIXEL, scene.title)


def to_pdf(pages: Sequence[Scene], width: float, height: float, title: str) -> bytes:
    """Return a file with these pages, each `width` by `height` points."""
    from fpdf import FPDF

    pdf = FPDF(unit="pt", format=(width, height))
    pdf.set_auto_page_break(False)
    pdf.set_creation_date(CREATION_DATE)
    pdf.set_producer("Plyscope")
    pdf.set_title(sanitize_line(title))
    for bold, path in FONT_FILES.items():
        pdf.add_font(FONT_FAMILY, "B" if bold else "", path)
    colours = {name: _rgb(colour) for name, colour in colours_by_name(LIGHT).items()}
    for page in pages:
        pdf.add_page()
        for item in page.items:
            if isinstance(item, Label):
                _draw_text(pdf, item, colours[item.colour])
            else:
                _draw_path(pdf, item, colours[item.colour])
    return bytes(pdf.output())


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _draw_text(pdf: "FPDF", label: Label, colour: tuple[int, int, int]) -> None:
    text, size = replace_unsupported(label.text), label.size * POINTS_PER_PIXEL
    pdf.set_font(FONT_FAMILY, "B" if label.bold else "", size)
    pdf.set_text_color(*colour)
    left = label.x * POINTS_PER_PIXEL - text_width(text, size, label.bold) * ANCHOR_SHARES[label.anchor]
    pdf.text(left, label.y * POINTS_PER_PIXEL, text)


def _draw_path(pdf: "FPDF", item: Line | Shape | StepArea, colour: tuple[int, int, int]) -> None:
    points = [(x * POINTS_PER_PIXEL, y * POINTS_PER_PIXEL) for x, y in item.points]
    if not isinstance(item, Line) and item.filled:
        pdf.set_fill_color(*colour)
        pdf.polygon(points, style="F")
        return
    dash, gap = DASH_LENGTHS[line_style(item)]
    pdf.set_dash_pattern(dash, gap)
    pdf.set_line_width((item.width if isinstance(item, Line) else HOLLOW_LINE_WIDTH) * POINTS_PER_PIXEL)
    pdf.set_draw_color(*colour)
    pdf.polyline(points, polygon=isinstance(item, Shape))
