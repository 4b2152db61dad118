"""Python files of the user. They run in this process, as with `python my_game.py`.

Only the command line loads such a file. Nothing else in the project loads code.
"""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from engine.core.errors import BadUserFile, PlyscopeError

PYTHON_SUFFIX = ".py"


def split_argument(text: str) -> tuple[str, str] | None:
    """Return the file and the name in `my_file.py:name`; the name may be missing. None: the text names no Python file.

    >>> split_argument("my_game.py:Game"), split_argument("my_game.py"), split_argument("nim:3,4")
    (('my_game.py', 'Game'), ('my_game.py', ''), None)
    """
    file, colon, name = text.rpartition(":")
    if colon and file.endswith(PYTHON_SUFFIX):
        return file, name
    return (text, "") if text.endswith(PYTHON_SUFFIX) else None


def load_user_module(file: str, hint: str) -> ModuleType:
    """Run the file as a module. It can import modules beside it. The hint says how to name a file."""
    path = Path(file)
    if not path.is_file():
        raise BadUserFile(f"there is no file {file[:100]!r}: {hint}")
    spec = importlib.util.spec_from_file_location(f"own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadUserFile(f"{file[:100]!r} is not a Python file: {hint}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise BadUserFile(f"{Path(error.filename or file).name} has a syntax error on line {error.lineno}: {error.msg}") from None
    except PlyscopeError:
        raise
    except (Exception, SystemExit) as error:
        raise BadUserFile(f"cannot load {file}: {describe_error(error, file)}") from error
    return module


def describe_error(error: BaseException, file: str) -> str:
    """Return the error as text, with the last line of the user's file in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == Path(file).name]
    message = " ".join(str(error).split())[:200]
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"{Path(file).name}, line {lines[-1]}: {text}" if lines else text
