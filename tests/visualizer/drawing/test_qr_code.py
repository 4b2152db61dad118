"""QR codes of links."""

import re

import pytest

from visualizer.drawing.qr_code import BORDER, MAX_LINK_BYTES, qr_code_svg

LINK = "https://lab7.example.org/play?game=connect4&moves="


@pytest.mark.parametrize("length", [len(LINK), 300, MAX_LINK_BYTES])
def test_a_code_is_black_on_white_with_a_white_border(length):
    svg = qr_code_svg(LINK.ljust(length, "3"))
    size = int(re.search(r'viewBox="0 0 (\d+) \1"', svg)[1])
    assert (size - 2 * BORDER - 17) % 4 == 0  # a QR code of version v has 17 + 4v modules
    assert size - 2 * BORDER <= 17 + 4 * 27
    assert 'fill="#fff"' in svg
    assert 'stroke="#000"' in svg


def test_a_link_that_is_too_long_has_no_code():
    assert qr_code_svg("é" * MAX_LINK_BYTES) == ""
