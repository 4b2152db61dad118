"""Sketches as the pages of a PDF file, written by ourselves: text that can be read and searched, nothing but what is drawn.

The fonts are among the fourteen that every reader of PDF has (Helvetica, its bold, and Symbol for α, β, ∞, ≤, ≥ and the minus
sign), so none is embedded. A text with letters that they lack is a picture, with the text beside it for those who search or copy;
what cannot be drawn either (`lacking`) is a question mark.
"""

import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from visualizer.drawing.raster_text import PIXELS, can_be_drawn, drawn, drawn_width
from visualizer.drawing.scene import HOLLOW, POINT, Item, Label, Line, Sketch, colours, line_style
from visualizer.drawing.theme import LIGHT
from visualizer.narration.escapes import plain

REGULAR, BOLD, SYMBOL = "F1", "F2", "F3"
FONTS = {REGULAR: ("Helvetica", "/WinAnsiEncoding"), BOLD: ("Helvetica-Bold", "/WinAnsiEncoding"), SYMBOL: ("Symbol", "")}
SYMBOLS = {"α": (0x61, 631), "β": (0x62, 549), "∞": (0xA5, 713), "≤": (0xA3, 549), "≥": (0xB3, 549), "−": (0x2D, 549)}
BROKEN = {"dashed": "[4 3] 0 d", "dotted": "[1 2] 0 d", "": "[] 0 d"}
FIRST_WIDTH = 32  # the character that the widths begin with
# widths of the characters 32 to 126 in thousandths of the size, from the metrics of these fonts
WIDTHS = {
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
WIDTH_OF = {font: [int(width) for width in text.split()] for font, text in WIDTHS.items()}
OTHER_WIDTH = 600  # of letters with accents, about


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is, in the unit of its size.

    >>> round(text_width("Name", 10), 2)
    26.67
    """
    text = _drawable(text)
    if _is_drawn(text):
        return drawn_width(text, bold) * size
    return sum(_width(character, BOLD if bold else REGULAR) for character in text) * size / 1000


def _width(character: str, font: str) -> int:
    if character in SYMBOLS:
        return SYMBOLS[character][1]
    place = ord(character) - FIRST_WIDTH
    return WIDTH_OF[font][place] if 0 <= place < len(WIDTH_OF[font]) else OTHER_WIDTH


def lacking(text: str) -> str:
    """The characters of a text that no page can show."""
    text = unicodedata.normalize("NFC", plain(text))
    return "".join(dict.fromkeys(letter for letter in text if not _is_in_fonts(letter) and not can_be_drawn(letter)))


def _is_in_fonts(character: str) -> bool:
    return character in SYMBOLS or bool(character.encode("cp1252", "ignore"))


def _is_drawn(text: str) -> bool:
    return not text.isascii() and not all(map(_is_in_fonts, text))


def _drawable(text: str) -> str:
    """The text as it is written: letters with their accents, and question marks for what no page can show."""
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFC", plain(text))
    return "".join("?" if letter in missing else letter for letter in text) if (missing := lacking(text)) else text


def wrapped(text: str, size: float, most: float, bold: bool = False) -> list[str]:
    """A text in lines no wider than `most`; a word that is wider has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold) > most:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def to_pdf(pages: Sequence[Sketch], width: float, height: float, title: str) -> bytes:
    """A file with these pages, each `width` by `height` points."""
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
        packed = zlib.compress("\n".join(_operations(page, height)).encode("latin-1"), 9)
        objects.append(b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(packed), packed))
    objects.append(b"<< /Title %s /Producer (Plyscope) >>" % _title(title))
    return _file(objects)


def _file(objects: list[bytes]) -> bytes:
    """The objects one after the other, where each begins, and which come first."""
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


def _title(text: str) -> bytes:
    return b"<%s>" % (b"\xfe\xff" + plain(text).encode("utf-16-be", "replace")).hex().encode()


# ---- what is drawn


def _operations(page: Sketch, height: float) -> Iterator[str]:
    palette = colours(LIGHT)
    for item in page.items:
        red, green, blue = (int(palette[item.colour][at : at + 2], 16) / 255 for at in (1, 3, 5))
        if isinstance(item, Label):
            yield f"{red:.3f} {green:.3f} {blue:.3f} rg"
            yield from _text(item, height)
        else:
            yield from _path(item, height, f"{red:.3f} {green:.3f} {blue:.3f}")


def _path(item: Item, height: float, colour: str) -> Iterator[str]:
    assert not isinstance(item, Label)  # noqa: S101
    dashes = BROKEN[line_style(item)]
    hollow = isinstance(item, Line) or not item.filled
    width = item.width if isinstance(item, Line) else HOLLOW if hollow else 1
    yield f"{colour} {'RG' if hollow else 'rg'} {width * POINT:.2f} w {dashes}"
    points = [f"{x * POINT:.2f} {height - y * POINT:.2f}" for x, y in item.points]
    path = f"{points[0]} m " + " ".join(f"{point} l" for point in points[1:])
    yield f"{path} S" if isinstance(item, Line) else f"{path} h {'S' if hollow else 'f'}"


def _text(label: Label, height: float) -> Iterator[str]:
    """One text, which changes the font where a sign is not in it."""
    text, size = _drawable(label.text), label.size * POINT
    x = label.x * POINT - text_width(text, size, label.bold) * {"start": 0, "middle": 0.5, "end": 1}[label.anchor]
    if _is_drawn(text):
        yield from _picture(text, x, height - label.y * POINT, size, label.bold)
        return
    yield f"BT {x:.2f} {height - label.y * POINT:.2f} Td"
    for font, characters in groupby(text, lambda character: SYMBOL if character in SYMBOLS else BOLD if label.bold else REGULAR):
        yield f"/{font} {size:.2f} Tf ({_quoted(characters, font)}) Tj"
    yield "ET"


def _picture(text: str, x: float, y: float, size: float, bold: bool) -> Iterator[str]:
    """A text whose letters are in no font, painted through its dots."""
    picture = drawn(text, bold)
    wide, high = (dots * size / PIXELS for dots in (picture.columns, picture.rows))
    yield f"/Span << /ActualText {_title(text).decode()} >> BDC"
    yield f"BT 3 Tr /{REGULAR} {size:.2f} Tf {x:.2f} {y:.2f} Td (.) Tj 0 Tr ET q"  # not seen: readers find the text at a letter
    yield f"{wide:.3f} 0 0 {high:.3f} {x + picture.left * size:.2f} {y - picture.below * size:.2f} cm"
    yield f"BI /W {picture.columns} /H {picture.rows} /IM true /D [1 0] /F [/AHx /Fl]"
    yield f"ID {zlib.compress(picture.dots, 9).hex()}>\nEI Q EMC"


def _quoted(characters: Iterable[str], font: str) -> str:
    """Bytes of the font's encoding, those that mean something escaped; as text of one character a byte."""
    if font == SYMBOL:
        coded = bytes(SYMBOLS[character][0] for character in characters)
    else:
        coded = "".join(characters).encode("cp1252", "replace")
    return "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or chr(byte) in "()\\" else chr(byte) for byte in coded)
