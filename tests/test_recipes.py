"""The recipes of the guides: short programs for your own game, algorithm or format, each run as printed."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.processes import run

ROOT = Path(__file__).parent.parent
GUIDES = [ROOT / name / "README.md" for name in ("engine/games", "engine/algorithms", "visualizer")]
PRINTED = re.compile(r"# prints (.*)$", re.MULTILINE)
RECIPES = {
    f"{guide.parent.relative_to(ROOT)} {number}": program
    for guide in GUIDES
    for number, program in enumerate(
        (
            block
            for block in re.findall(r"^```python\n(.*?)^```", guide.read_text(), re.MULTILINE | re.DOTALL)
            if PRINTED.search(block)
        ),
        start=1,
    )
}
MAX_LINES = 20  # lines that are not empty


def test_there_are_recipes_for_a_game_two_algorithms_and_a_format():
    assert list(RECIPES) == ["engine/games 1", "engine/algorithms 1", "engine/algorithms 2", "visualizer 1"]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_short_and_prints_what_it_says(name, tmp_path):
    program = RECIPES[name]
    assert len([line for line in program.splitlines() if line.strip()]) <= MAX_LINES
    result = run([sys.executable, "-c", program], cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == PRINTED.findall(program)
