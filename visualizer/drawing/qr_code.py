"""QR codes of links, for a lecture."""

MAX_LINK_BYTES = 1_200  # longer links give modules that a phone cannot read from a projector
BORDER = 4  # modules of white around the code, which scanners need


def qr_code_svg(link: str) -> str:
    """Return the QR code of a link as SVG, black on white in every theme. Return an empty text if the link is too long.

    >>> qr_code_svg("https://example.org/play?game=connect4")[:4], qr_code_svg("x" * 2000)
    ('<svg', '')
    """
    if len(link.encode()) > MAX_LINK_BYTES:
        return ""
    import segno  # only those who open a code need it

    code = segno.make_qr(link, error="l", boost_error=True)
    return str(code.svg_inline(border=BORDER, dark="#000", light="#fff", omitsize=True))
