"""The guides are true: every `plyscope` command in their `sh` blocks runs, and every link leads somewhere."""

import pytest

from tests.support.command_lines import parse_command_line
from tests.support.guides import (
    broken_links,
    command_blocks,
    expand_patterns,
    guide_files,
    is_run,
    markdown_files,
    relative_links,
    small_arguments,
    write_needed_files,
)
from tests.support.paths import ROOT
from tests.support.processes import run_command

BLOCKS = {place: commands for path in guide_files() for place, commands in command_blocks(path).items()}
MIN_COMMANDS, MIN_LINKS = 20, 20


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def test_the_guides_have_commands_and_links():
    assert {"README.md", ".github/SECURITY.md", "visualizer/pool/README.md"} <= set(map(name_of, guide_files()))
    assert sum(map(len, BLOCKS.values())) >= MIN_COMMANDS
    assert sum(len(relative_links(path)) for path in markdown_files()) >= MIN_LINKS


@pytest.mark.parametrize("place", BLOCKS)
def test_the_commands_of_a_block_run_one_after_the_other(place, tmp_path):
    for command in BLOCKS[place]:
        parse_command_line(command.arguments)
        if not is_run(command.arguments):
            continue
        write_needed_files(command.arguments, tmp_path)
        result = run_command(*small_arguments(expand_patterns(command.arguments, tmp_path)), cwd=tmp_path)
        assert result.returncode == 0, f"{place}: {command.line}\n{result.stdout[-2000:]}{result.stderr[-2000:]}"


@pytest.mark.parametrize("path", markdown_files(), ids=name_of)
def test_every_relative_link_and_anchor_leads_somewhere(path):
    assert broken_links(path) == []


def test_a_broken_link_or_anchor_is_found(tmp_path):
    (tmp_path / "other.md").write_text("# A heading, with `code` (and more)\n# Twice\n# Twice\n")
    guide = tmp_path / "guide.md"
    good = "[a](other.md) [b](other.md#a-heading-with-code-and-more) [c](#here) [d](other.md#twice-1) [e](https://example.org)"
    guide.write_text(
        f'# Here\n{good} `[f](not-a-link.md)`\n[g](gone.md) ![h](other.md#gone) <a href="gone.html">\n\n[i]: gone.txt\n'
    )
    assert broken_links(guide) == ["gone.md", "other.md#gone", "gone.html", "gone.txt"]
