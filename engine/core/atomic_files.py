"""Atomic files: a target is either the old file or the complete new one.

The bytes go to a temporary file in the same folder, which then takes the target's name. A process that is killed leaves its
temporary file behind. The next write into that folder removes it.
"""

import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from engine.core.errors import PlyscopeError

TEMPORARY_SUFFIX = ".plyscope-tmp"  # end of the names of our temporary files
ABANDONED_SECONDS = 24 * 3600  # used if the system cannot tell whether the writer still runs
REPORT_BYTES = 1 << 20  # between two progress reports


class BadTarget(PlyscopeError):
    """A path that cannot be written to: the folder is missing, or something else has that name."""


class WriteFailed(OSError):
    """A write that failed. The message says what is left on disk."""


def check_folder(path: str | os.PathLike[str]) -> Path:
    """Return the path if a file can be written there. Call it before any work is done."""
    target = Path(path)
    try:
        return _check_target(target)
    except (OSError, ValueError) as error:  # a name too long, or with a zero byte
        if isinstance(error, PlyscopeError):
            raise
        raise BadTarget(f"cannot write {str(target)[:60]!r}: {getattr(error, 'strerror', None) or error}") from None


def _check_target(target: Path) -> Path:
    folder = target.resolve().parent if target.is_symlink() else target.parent
    if not folder.is_dir():
        raise BadTarget(f"cannot write {target.name!r}: there is no folder {str(folder)!r}")
    if not target.name or target.is_dir():
        raise BadTarget(f"cannot write {str(target)!r}: it is a folder; give the name of a file")
    if target.exists() and not target.is_file():
        raise BadTarget(f"cannot write {str(target)!r}: it is not an ordinary file")
    if not os.access(folder, os.W_OK):
        raise BadTarget(f"cannot write {target.name!r}: the folder {str(folder)!r} is read-only")
    return target


def write_chunks(
    path: str | os.PathLike[str], chunks: Iterable[bytes], on_progress: Callable[[int], object] | None = None
) -> int:
    """Write the chunks to `path`, all or nothing, and return the number of bytes. `on_progress` is called after every
    megabyte.
    """
    written = reported = 0

    def pour(file: BinaryIO) -> None:
        nonlocal written, reported
        for chunk in chunks:
            file.write(chunk)
            written += len(chunk)
            if on_progress is not None and written - reported >= REPORT_BYTES:
                on_progress(written)
                reported = written

    write_file(path, pour)
    if on_progress is not None and reported:
        on_progress(written)
    return written


def write_new(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Write the chunks to a file that does not exist yet, all or nothing. An existing file is never touched."""
    write_file(path, lambda file: file.writelines(chunks), new=True)


def write_file(path: str | os.PathLike[str], pour: Callable[[BinaryIO], object], new: bool = False) -> None:
    """Let `pour` fill a file that becomes `path` when it is complete. With `new`, refuse to replace an existing file."""
    target = Path(os.path.realpath(check_folder(path)))
    existed = target.exists()
    remove_abandoned_files(target.parent)
    temporary = target.with_name(_temporary_name(target.name))
    try:
        _fill_temporary(temporary, target, pour)
        (_link_new if new else os.replace)(temporary, target)
    except FileExistsError:
        _remove_quietly(temporary)
        raise BadTarget(f"{str(path)!r} exists already and was not changed: choose another name") from None
    except OSError as error:
        _remove_quietly(temporary)
        left = "the old file is untouched" if existed else "there is no file"
        raise WriteFailed(error.errno, f"writing {str(path)!r} failed ({error.strerror or error}): {left}") from error
    except BaseException:
        _remove_quietly(temporary)
        raise
    _sync_folder(target.parent)


def _link_new(temporary: Path, target: Path) -> None:
    """Rename like os.replace, but refuse if the target exists. A hard link fails then, even if two processes write."""
    os.link(temporary, target)
    os.unlink(temporary)


def _fill_temporary(temporary: Path, target: Path, pour: Callable[[BinaryIO], object]) -> None:
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
    with open(descriptor, "wb") as file:
        pour(file)
        file.flush()
        os.fsync(file.fileno())
        if target.exists() and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
        file.close()  # closed here, so that an error counts as a failed write


def _temporary_name(name: str) -> str:
    short = name.encode("utf-8", "surrogateescape")[:100].decode("utf-8", "ignore")
    return f".{short}.{_host_name()}.{os.getpid()}.{secrets.token_hex(4)}{TEMPORARY_SUFFIX}"


def _host_name() -> str:
    import socket

    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:40]


def remove_abandoned_files(folder: Path) -> None:
    """Remove temporary files left by processes of this machine that no longer run."""
    ours = re.compile(rf"\..*\.{re.escape(_host_name())}\.(\d{{1,10}})\.[0-9a-f]{{8}}{re.escape(TEMPORARY_SUFFIX)}", re.DOTALL)
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            match = ours.fullmatch(name)
            if match and _is_abandoned(folder / name, int(match[1])):
                _remove_quietly(folder / name)


def _is_abandoned(temporary: Path, writer: int) -> bool:
    if writer == os.getpid():
        return False
    if os.name == "nt":  # on Windows signal 0 is Ctrl-C
        with contextlib.suppress(OSError):
            return time.time() - temporary.stat().st_mtime > ABANDONED_SECONDS
        return False
    try:
        os.kill(writer, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False  # it runs as another user
    return False


def _remove_quietly(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
