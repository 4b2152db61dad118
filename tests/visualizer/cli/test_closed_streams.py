"""Commands whose output cannot be written: the right exit code, one sentence, no traceback."""

import shlex
import sys

import pytest

from tests.support.processes import run

COMMANDS = {  # and the exit code of each where all can be written
    "--help": 0,
    "list": 0,
    "search k-tables --moves 3 --depth 3": 0,
    "search k-tables --moves 3 --depth 3 --json": 0,
    "search nosuchgame": 2,
    "grade nosuchfile.json": 2,
    "compare k-tables --moves 3 --depths 1-2 --repeat 1": 0,
    "tournament connect-m --sizes 3 --depths 1": 0,
}
STREAMS = {
    ">&-": "Bad file descriptor",
    "2>&-": "",
    ">&- 2>&-": "",
    "<&-": None,
    ">/dev/full": "No space left",
    "| head -1": None,
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("streams", STREAMS)
def test_output_that_cannot_be_written_is_a_sentence_and_an_exit_code(command, streams):
    plyscope = shlex.join([sys.executable, "-m", "visualizer.cli.main", *command.split()])
    result = run(["bash", "-c", f"{plyscope} {streams}; exit ${{PIPESTATUS[0]}}"])
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr
    right, words = COMMANDS[command], STREAMS[streams]
    if streams == "| head -1":
        assert result.returncode in (right, 1)  # whether the reader has gone in time
    else:
        assert result.returncode == (1 if ">" in streams.replace("2>&-", "") and right == 0 else right)
    if words and right == 0:
        assert result.stderr.splitlines()[-1].startswith("plyscope: cannot write the output: ")
        assert words in result.stderr
