"""The guide of the checker explains every finding, and shows what `plyscope check` prints."""

import re

import pytest

from engine.checker.diagnosis.mistakes import MISTAKES, VARIANTS
from tests.support.paths import ROOT
from tests.support.processes import run_command

GUIDE = (ROOT / "engine" / "checker" / "README.md").read_text(encoding="utf-8")
OUTPUTS = re.findall(r"```text\n\$ plyscope (check .*)\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("name", MISTAKES)
def test_every_finding_is_explained_with_an_example(name):
    section = GUIDE.partition(f"\n#### {name}\n")[2].partition("\n#")[0]
    words = " ".join(section.split())
    assert words.startswith(MISTAKES[name].general_problem)
    assert MISTAKES[name].fix in words
    example = re.search(r"```diff\n(.*?)```", section, re.DOTALL)[1].splitlines()
    assert any(line.startswith("+") for line in example)
    assert 2 <= len(example) <= 6


def test_the_guide_has_the_findings_and_the_variants_that_there_are():
    assert set(re.findall(r"^#### (.+)$", GUIDE, re.MULTILINE)) == set(MISTAKES)
    assert all(f"| `{name}` | {words} |" in GUIDE for name, words in VARIANTS.items())


@pytest.mark.parametrize(("command", "output"), OUTPUTS)
def test_the_output_in_the_guide_is_what_is_printed(command, output):
    printed = run_command(*command.split(), cwd=ROOT).stdout
    assert [line.rstrip() for line in printed.splitlines()] == output.splitlines()


def test_the_guide_shows_an_output():
    assert OUTPUTS
