"""`plyscope --help` groups the commands by purpose. The help of each command explains every option and gives examples."""

import re
import shlex
import sys

import click
import pytest

from tests.support.command_lines import parse_command_line
from tests.support.paths import ROOT
from tests.support.processes import run, run_command
from visualizer.cli.command_line import COMMANDS, MODULE_NAMES, SECTIONS, load_command

MAX_HELP_SECONDS = 0.4  # of a processor, with the start of Python; usually 0.1
MEASURE_HELP = """
import resource, sys
from visualizer.cli.main import main
main(["--help"])
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, "rich" in sys.modules, "numpy" in sys.modules)
"""


def test_help_groups_the_commands_by_purpose():
    output = run_command("--help").stdout
    place = 0
    for title, commands in SECTIONS.items():
        place = output.index(f"\n{title}:\n", place)
        for name, summary in commands.items():
            assert re.search(rf"^  {name} +{re.escape(summary)}$", output[place:], re.MULTILINE)


def test_every_module_of_commands_is_a_command():
    modules = {path.stem for path in (ROOT / "visualizer/cli/commands").glob("*.py")} - {"__init__"}
    assert modules == {MODULE_NAMES.get(name, name.replace("-", "_")) for name in COMMANDS}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_a_command_and_all_its_options(name):
    command = load_command(name)
    assert command.name == name
    assert command.help.split("\n\n")[0] == COMMANDS[name]
    assert all(option.help for option in command.params if isinstance(option, click.Option))
    output = run_command(name, "--help").stdout
    assert output.startswith(f"Usage: plyscope {name} ")
    assert re.search(rf"^  Examples?:\n    plyscope {name}", output, re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_help_can_be_typed(name):
    examples = re.findall(r"^  plyscope (.*)$", load_command(name).epilog, re.MULTILINE)
    assert examples
    for example in examples:
        assert parse_command_line(shlex.split(example)) == name


def test_help_is_fast():
    seconds, *loaded = run([sys.executable, "-c", MEASURE_HELP]).stdout.splitlines()[-1].split()
    assert float(seconds) < MAX_HELP_SECONDS
    assert loaded == ["False", "False"]
