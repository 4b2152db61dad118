"""A temporary folder for a program that nobody trusts. Its size can be counted, and it can be removed, whatever is in it."""

import errno
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

MAX_DEPTH = 100  # of folders in folders
GONE = (errno.ENOENT, errno.ENOTDIR)  # the program has removed it in the meantime


@contextmanager
def open_guarded_folder(prefix: str) -> Iterator[str]:
    """Make a folder, and remove it at the end. Files that cannot be removed are ignored."""
    folder = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
    try:
        yield folder.name
    finally:
        with suppress(OSError):
            flatten_folder(folder.name)
        with suppress(RecursionError):
            folder.cleanup()


def is_folder_too_large(folder: str, max_bytes: int, max_files: int) -> bool:
    """Return True if the folder has too many files or bytes, or folders that cannot be counted: too deep, or not readable."""
    size = files = 0
    folders = [(folder, 0)]
    while folders:
        path, depth = folders.pop()
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    files += 1
                    with suppress(FileNotFoundError):
                        size += entry.stat(follow_symlinks=False).st_size
                        folders += [(entry.path, depth + 1)] if entry.is_dir(follow_symlinks=False) else []
                    if size > max_bytes or files > max_files:
                        return True
        except OSError as error:
            if error.errno not in GONE:
                return True
        if depth > MAX_DEPTH:
            return True
    return False


def flatten_folder(folder: str) -> None:
    """Move all inner folders up into `folder` and remove them, with their files.

    This uses two file descriptors for any depth. `shutil.rmtree` uses one for each level, and then recurses too deep.
    """
    if os.scandir not in os.supports_fd:  # Windows, where paths are short
        return
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        unique, waiting = secrets.token_hex(8), [""]
        moved = 0
        while waiting:
            name = waiting.pop()
            inner = os.open(name or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
            try:
                for child in os.listdir(inner):
                    if _remove_file(child, inner):
                        continue
                    moved += 1
                    waiting.append(f"{unique}-{moved}")
                    os.chmod(child, 0o700, dir_fd=inner)
                    os.rename(child, waiting[-1], src_dir_fd=inner, dst_dir_fd=top)
            finally:
                os.close(inner)
            if name:
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)


def _remove_file(name: str, folder: int) -> bool:
    """Remove an entry of an open folder. Return False if it is a folder itself."""
    try:
        os.unlink(name, dir_fd=folder)
    except (IsADirectoryError, PermissionError):  # Linux and macOS
        return False
    return True
