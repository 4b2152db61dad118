"""The recipes of the README for those who carry on: short programs, each run as it stands there."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.processes import run

README = (Path(__file__).parent.parent / "README.md").read_text()
RECIPES = dict(re.findall(r"^\*\*(An? \w+(?: with \w+)?)\*\*.*?^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL))
MOST_LINES = 15  # that are not empty
LONGER = {"An algorithm with windows": 20}


def test_there_are_four():
    assert list(RECIPES) == ["A game", "An algorithm", "An algorithm with windows", "A format"]


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_short_and_does_what_it_says(name, tmp_path):
    program = RECIPES[name]
    assert len([line for line in program.splitlines() if line.strip()]) <= LONGER.get(name, MOST_LINES)
    done = run([sys.executable, "-c", program], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == re.findall(r"# prints (.*)$", program, re.MULTILINE)
