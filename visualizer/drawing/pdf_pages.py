"""Scenes as the pages of a PDF file, written without a library. The text can be searched and copied.

The fonts are among the fourteen that every PDF reader has (Helvetica, its bold, and Symbol for α, β, ∞, ≤, ≥ and the minus
sign), so none is embedded. A text with letters that they lack is drawn as a raster image, with the text beside it for
searching and
copying. A character that cannot be drawn either (`find_unsupported_characters`) becomes a question mark.
"""

import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from visualizer.drawing.raster_text import PIXELS_PER_EM, can_rasterize, raster_width, rasterize_text
from visualizer.drawing.scene import HOLLOW_LINE_WIDTH, POINTS_PER_PIXEL, Item, Label, Line, Scene, colours_by_name, line_style
from visualizer.drawing.theme import LIGHT
from visualizer.narration.escapes import sanitize_line

REGULAR, BOLD, SYMBOL = "F1", "F2", "F3"
FONTS = {REGULAR: ("Helvetica", "/WinAnsiEncoding"), BOLD: ("Helvetica-Bold", "/WinAnsiEncoding"), SYMBOL: ("Symbol", "")}
SYMBOLS = {"α": (0x61, 631), "β": (0x62, 549), "∞": (0xA5, 713), "≤": (0xA3, 549), "≥": (0xB3, 549), "−": (0x2D, 549)}
DASH_PATTERNS = {"dashed": "[4 3] 0 d", "dotted": "[1 2] 0 d", "": "[] 0 d"}
FIRST_WIDTH_CODE = 32  # the character that the widths begin with
# widths of the characters 32 to 126 in thousandths of the size, from the metrics of these fonts
WIDTH_LISTS = {
    REGULAR: (
        "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 "
        "584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 "
        "278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 "
        "500 500 334 260 334 584"
    ),
    BOLD: (
        "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 "
        "584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 "
        "278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 "
        "500 389 280 389 584"
    ),
}
CHARACTER_WIDTHS = {font: [int(width) for width in text.split()] for font, text in WIDTH_LISTS.items()}
DEFAULT_WIDTH = 600  # of letters with accents, about


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text, in the unit of its size.

    >>> round(text_width("Name", 10), 2)
    26.67
    """
    text = _replace_unsupported(text)
    if _should_rasterize(text):
        return raster_width(text, bold) * size
    return sum(_character_width(character, BOLD if bold else REGULAR) for character in text) * size / 1000


def _character_width(character: str, font: str) -> int:
    if character in SYMBOLS:
        return SYMBOLS[character][1]
    place = ord(character) - FIRST_WIDTH_CODE
    return CHARACTER_WIDTHS[font][place] if 0 <= place < len(CHARACTER_WIDTHS[font]) else DEFAULT_WIDTH


def find_unsupported_characters(text: str) -> str:
    """Return the characters of a text that no page can show."""
    text = unicodedata.normalize("NFC", sanitize_line(text))
    return "".join(dict.fromkeys(letter for letter in text if not _is_in_fonts(letter) and not can_rasterize(letter)))


def _is_in_fonts(character: str) -> bool:
    return character in SYMBOLS or bool(character.encode("cp1252", "ignore"))


def _should_rasterize(text: str) -> bool:
    return not text.isascii() and not all(map(_is_in_fonts, text))


def _replace_unsupported(text: str) -> str:
    """Return the text as it is written: accents combined with their letters, and question marks for unsupported characters."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", sanitize_line(text))
    return (
        "".join("?" if letter in missing else letter for letter in text)
        if (missing := find_unsupported_characters(text))
        else text
    )


def wrap_to_width(text: str, size: float, most: float, bold: bool = False) -> list[str]:
    """Return a text as lines no wider than `most`. A word that is wider has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def to_pdf(pages: Sequence[Scene], width: float, height: float, title: str) -> bytes:
    """Return a file with these pages, each `width` by `height` points."""
    first_page = 3 + len(FONTS)
    names = [first_page + 2 * number for number in range(len(pages))]
    fonts = " ".join(f"/{name} {3 + number} 0 R" for number, name in enumerate(FONTS))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{name} 0 R' for name in names)}] /Count {len(pages)} >>".encode(),
    ]
    for font, encoding in FONTS.values():
        coded = f" /Encoding {encoding}" if encoding else ""
        objects.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /{font}{coded} >>".encode())
    for name, page in zip(names, pages, strict=True):
        box = f"[0 0 {width:.2f} {height:.2f}]"
        resources = f"<< /Font << {fonts} >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources {resources} /Contents {name + 1} 0 R >>".encode()
        )
        packed = zlib.compress("\n".join(_page_operators(page, height)).encode("latin-1"), 9)
        objects.append(b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed))
    objects.append(b"<< /Title %s /Producer (Plyscope) >>" % _encode_utf16(title))
    return _assemble_file(objects)


def _assemble_file(objects: list[bytes]) -> bytes:
    """Return the file: the objects one after the other, the table of their offsets, and the trailer."""
    data = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(objects),
        start,
    )
    return bytes(data)


def _encode_utf16(text: str) -> bytes:
    return b"<%s>" % (b"\xfe\xff" + sanitize_line(text).encode("utf-16-be", "replace")).hex().encode()


# ---- what is drawn


def _page_operators(page: Scene, height: float) -> Iterator[str]:
    palette = colours_by_name(LIGHT)
    for item in page.items:
        red, green, blue = (int(palette[item.colour][at : at + 2], 16) / 255 for at in (1, 3, 5))
        if isinstance(item, Label):
            yield f"{red:.3f} {green:.3f} {blue:.3f} rg"
            yield from _text_operators(item, height)
        else:
            yield from _path_operators(item, height, f"{red:.3f} {green:.3f} {blue:.3f}")


def _path_operators(item: Item, height: float, colour: str) -> Iterator[str]:
    assert not isinstance(item, Label)  # noqa: S101
    dashes = DASH_PATTERNS[line_style(item)]
    hollow = isinstance(item, Line) or not item.filled
    width = item.width if isinstance(item, Line) else HOLLOW_LINE_WIDTH if hollow else 1
    yield f"{colour} {'RG' if hollow else 'rg'} {width * POINTS_PER_PIXEL:.2f} w {dashes}"
    points = [f"{x * POINTS_PER_PIXEL:.2f} {height - y * POINTS_PER_PIXEL:.2f}" for x, y in item.points]
    path = f"{points[0]} m " + " ".join(f"{point} l" for point in points[1:])
    yield f"{path} S" if isinstance(item, Line) else f"{path} h {'S' if hollow else 'f'}"


def _text_operators(label: Label, height: float) -> Iterator[str]:
    """Yield the operators of one text. The font changes where it lacks a sign."""
    text, size = _replace_unsupported(label.text), label.size * POINTS_PER_PIXEL
    x = label.x * POINTS_PER_PIXEL - text_width(text, size, label.bold) * {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
    if _should_rasterize(text):
        yield from _raster_operators(text, x, height - label.y * POINTS_PER_PIXEL, size, label.bold)
        return
    yield f"BT {x:.2f} {height - label.y * POINTS_PER_PIXEL:.2f} Td"
    for font, characters in groupby(text, lambda character: SYMBOL if character in SYMBOLS else BOLD if label.bold else REGULAR):
        yield f"/{font} {size:.2f} Tf ({_escape_characters(characters, font)}) Tj"
    yield "ET"


def _raster_operators(text: str, x: float, y: float, size: float, bold: bool) -> Iterator[str]:
    """Yield the operators of a text whose letters are in no font: it is painted through a mask of dots."""
    picture = rasterize_text(text, bold)
    wide, high = (dots * size / PIXELS_PER_EM for dots in (picture.columns, picture.rows))
    yield f"/Span << /ActualText {_encode_utf16(text).decode()} >> BDC"
    yield f"BT 3 Tr /{REGULAR} {size:.2f} Tf {x:.2f} {y:.2f} Td (.) Tj 0 Tr ET q"  # not seen: readers find the text at a letter
    yield f"{wide:.3f} 0 0 {high:.3f} {x + picture.left * size:.2f} {y - picture.below * size:.2f} cm"
    yield f"BI /W {picture.columns} /H {picture.rows} /IM true /D [1 0] /F [/AHx /Fl]"
    yield f"ID {zlib.compress(picture.dots, 9).hex()}>\nEI Q EMC"


def _escape_characters(characters: Iterable[str], font: str) -> str:
    """Return the bytes of the font's encoding as text of one character a byte, with special bytes escaped."""
    if font == SYMBOL:
        coded = bytes(SYMBOLS[character][0] for character in characters)
    else:
        coded = "".join(characters).encode("cp1252", "replace")
    return "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or chr(byte) in "()\\" else chr(byte) for byte in coded)
