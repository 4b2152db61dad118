"""Every published figure, and that a broken evaluation would show."""

import pytest

from engine.analysis.published_figures import NOTES, preset_notes, reproduce_figures
from engine.compiled import alphabeta_driver
from engine.games.presets import PRESETS


def test_every_published_figure_is_reproduced():
    figures = reproduce_figures()
    assert [figure for figure in figures if not figure.equal] == []
    by_preset = {name: sum(figure.preset == name for figure in figures) for name in PRESETS}
    assert by_preset == {"k-tables": 9 * 4 - 1 + 3, "long-state": 1, "connect-m": 4 * 16 + 4, "threats": 0, "full-depth": 0}
    assert 17_678_113 in [figure.published for figure in figures]


def test_one_preset_at_a_time():
    seen = []
    assert reproduce_figures("long-state", seen.append) == seen
    assert len(seen) == 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_its_notes(name):
    if name != "full-depth":  # searches 25 million nodes for one of them
        assert all(len(note) > 20 for note in preset_notes(name))
    assert set(NOTES) == set(PRESETS)


@pytest.mark.parametrize(
    ("name", "broken"), [("k-tables", {"masks": 1}), ("connect-m", {"max_weights": 1})], ids=["chains", "segments"]
)
def test_a_broken_evaluation_turns_rows_unequal(monkeypatch, name, broken):
    field = next(iter(broken))
    real = alphabeta_driver.encode_game

    def damaged(game):
        numbers = real(game)
        first, *rest = getattr(numbers.scoring, field)
        return numbers._replace(scoring=numbers.scoring._replace(**{field: (type(first)(first + 7), *rest)}))

    monkeypatch.setattr(alphabeta_driver, "encode_game", damaged)
    assert any(not figure.equal for figure in reproduce_figures(name))
