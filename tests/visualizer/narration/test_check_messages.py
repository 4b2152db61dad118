"""Texts about a checked program."""

from engine.checker.diagnosis.mistakes import MISTAKES
from visualizer.narration.check_messages import FINDING_TITLES

MAX_TITLE_CHARS = 40  # on a button


def test_every_finding_has_a_plain_title():
    assert set(FINDING_TITLES) == set(MISTAKES)
    assert len(set(FINDING_TITLES.values())) == len(FINDING_TITLES)
    assert all(title[0].isupper() and "-" not in title and len(title) <= MAX_TITLE_CHARS for title in FINDING_TITLES.values())
