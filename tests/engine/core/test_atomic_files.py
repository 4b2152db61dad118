"""A target is the old file or the complete new one: after a kill, on a full disk, after an error in the content."""

import os
import subprocess
import sys
import textwrap
import time

import pytest

from engine.core.atomic_files import (
    TEMPORARY_SUFFIX,
    BadTarget,
    WriteFailed,
    _temporary_name,
    check_folder,
    write_chunks,
    write_file,
)
from tests.support.paths import ROOT
from tests.support.processes import MAX_WAIT_SECONDS, run, start_process


def list_temporary_files(folder):
    return [name for name in os.listdir(folder) if name.endswith(TEMPORARY_SUFFIX)]


def test_chunks_become_the_file_and_large_ones_report_progress(tmp_path):
    progress = []
    assert write_chunks(tmp_path / "a.txt", [b"one ", b"two"], progress.append) == 7
    assert (tmp_path / "a.txt").read_bytes() == b"one two"
    assert progress == []
    write_chunks(tmp_path / "a.txt", (b"x" * 700_000 for _ in range(5)), progress.append)
    assert progress == [1_400_000, 2_800_000, 3_500_000]
    assert (tmp_path / "a.txt").stat().st_size == 3_500_000
    assert list_temporary_files(tmp_path) == []


def test_an_existing_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_chunks(tmp_path / "link.txt", [b"new"])
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("path", "message"), [("nowhere/a.txt", "there is no folder"), (".", "it is a folder"), ("/dev/null", "not an ordinary file")]
)
def test_an_impossible_target_is_refused_before_any_work(path, message, tmp_path):
    with pytest.raises(BadTarget, match=message):
        check_folder(tmp_path / path)


class BreaksOff(Exception):
    pass


@pytest.mark.parametrize("error", [BreaksOff(), KeyboardInterrupt()])
def test_content_that_fails_leaves_the_old_file(error, tmp_path):
    def chunks():
        yield b"new"
        raise error

    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(type(error)):
        write_chunks(tmp_path / "a.txt", chunks())
    assert (tmp_path / "a.txt").read_text() == "old"
    assert list_temporary_files(tmp_path) == []


@pytest.mark.parametrize(("old", "left"), [(None, "there is no file"), ("old", "the old file is untouched")])
def test_a_failed_write_says_what_is_left(old, left, tmp_path):
    target = tmp_path / "a.txt"
    if old:
        target.write_text(old)

    def full(file):
        raise OSError(28, "No space left on device")

    with pytest.raises(WriteFailed, match=left) as failure:
        write_file(target, full)
    assert failure.value.errno == 28
    assert target.exists() == (old is not None)
    assert list_temporary_files(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).returncode:
        pytest.skip("mounting a small file system needs root; the failing file object above stands in")
    yield folder
    assert run(["umount", folder]).returncode == 0


def test_a_full_disk_leaves_the_old_file(small_disk):
    (small_disk / "a.txt").write_text("old")
    with pytest.raises(WriteFailed, match=r"No space left on device.*the old file is untouched"):
        write_chunks(small_disk / "a.txt", (b"x" * 100_000 for _ in range(30)))
    assert (small_disk / "a.txt").read_text() == "old"
    assert list_temporary_files(small_disk) == []


def test_a_killed_writer_leaves_the_old_file_and_the_next_one_cleans_up(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    code = """
        import sys, time
        from engine.core.atomic_files import write_chunks

        def chunks():
            yield b"x" * 100_000
            print("writing", flush=True)
            time.sleep(600)

        write_chunks(sys.argv[1], chunks())
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(tmp_path / "a.txt")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with start_process(command, stdout=subprocess.PIPE, env=environment) as writer:
        assert writer.stdout.readline() == b"writing\n"
        write_chunks(tmp_path / "b.txt", [b"b"])
        assert len(list_temporary_files(tmp_path)) == 1, "the temporary file of a running writer was taken away"
        writer.kill()
        writer.wait(MAX_WAIT_SECONDS)
    assert (tmp_path / "a.txt").read_text() == "old"
    assert len(list_temporary_files(tmp_path)) == 1
    write_chunks(tmp_path / "c.txt", [b"c"])
    assert list_temporary_files(tmp_path) == []


def test_a_target_is_whole_whenever_the_writer_is_killed(tmp_path):
    target = tmp_path / "a.bin"
    target.write_bytes(b"\0" * 300_000)
    code = """
        import itertools, sys
        from engine.core.atomic_files import write_chunks
        for number in itertools.count():
            write_chunks(sys.argv[1], [bytes([number % 256]) * 1000] * 300)
            print(number, flush=True)
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for delay in (0.0, 0.003, 0.007, 0.013, 0.021):
        command = [sys.executable, "-c", textwrap.dedent(code), str(target)]
        with start_process(command, stdout=subprocess.PIPE, env=environment) as writer:
            writer.stdout.readline()
            time.sleep(delay)
            writer.kill()
        content = target.read_bytes()
        assert len(content) == 300_000
        assert len(set(content)) == 1


def test_unusual_file_names_have_a_temporary_name(tmp_path):
    for name in ("a" * 250, "ü" * 120, "\udc80x.txt", "new\nline.txt"):
        assert len(os.fsencode(_temporary_name(name))) < 200
        write_chunks(tmp_path / name, [b"x"])
        assert (tmp_path / name).read_bytes() == b"x"
    assert list_temporary_files(tmp_path) == []
