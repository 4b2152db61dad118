"""Stubs for imports of a student's program that are not needed here: windows, sounds, packages that are not installed."""

import dis
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any

PROGRAM_MARK = "__plyscope_failed__"  # a name that modules of the program have
UNPACK_OPCODE = dis.opmap["UNPACK_SEQUENCE"]
STUBBED_PACKAGES = {
    "pygame",
    "tkinter",
    "Tkinter",
    "turtle",
    "curses",
    "matplotlib",
    "pyglet",
    "arcade",
    "kivy",
    "streamlit",
    "PyQt5",
    "PyQt6",
    "wx",
}


class AbsorbingStub:
    """An object that accepts every operation and returns another stub, or a number where a number is needed."""

    def __init__(self, *arguments: Any, **options: Any):
        pass

    def __init_subclass__(cls, **options: Any):
        pass

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (type("Stub", (AbsorbingStub,), {}),)  # a class may inherit from it

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        function = arguments[0] if len(arguments) == 1 and not options else None
        return function if callable(function) and not isinstance(function, AbsorbingStub) else AbsorbingStub()  # as a decorator

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return AbsorbingStub()

    def __getitem__(self, key: Any) -> Any:
        return AbsorbingStub()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter([AbsorbingStub() for _ in range(_count_unpacked_parts(sys._getframe(1)))])

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    def __index__(self) -> int:
        return 0

    def __float__(self) -> float:
        return 0.0

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def _return_self(self, *other: Any) -> Any:
        return self

    def _return_false(self, other: Any) -> bool:
        return False

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _return_self
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __or__ = __ror__ = __and__ = __rand__ = _return_self
    __lt__ = __le__ = __gt__ = __ge__ = _return_false


def _count_unpacked_parts(frame: FrameType) -> int:
    """Return the number of parts that the running instruction unpacks: 2 in `figure, axes = subplots()`, 0 in a loop."""
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if code[place] == UNPACK_OPCODE else 0


def _is_imported_by_program() -> bool:
    """Return True if the running import is in a module of the program, or in a stub."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (frame.f_globals.get("__name__", "").startswith("importlib") or frame.f_globals is globals()):
        frame = frame.f_back
    return frame is not None and PROGRAM_MARK in frame.f_globals


class StubModule(ModuleType):
    """A module that has every attribute: classes to inherit from, functions, constants."""

    def __init__(self, name: str):
        super().__init__(name)
        self.__path__: list[str] = []
        self.__all__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (AbsorbingStub,), {}) if name[:1].isupper() and not name.isupper() else AbsorbingStub()
        setattr(self, name, made)  # the same one again: what is put into session_state stays there
        return made


class StubFinder(MetaPathFinder, Loader):
    """Finds modules that no other finder finds, and all that would open a window. `used` lists the imported names."""

    def __init__(self) -> None:
        self.used: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in STUBBED_PACKAGES and not self._is_missing(name):
            return None
        self.used.append(name)
        return ModuleSpec(name, self, is_package=True)

    def _is_missing(self, name: str) -> bool:
        """Return True if the program imports it and no other finder knows it.

        Inside an installed package a missing module is an error of the program. A package itself may try optional imports.
        """
        if not _is_imported_by_program():
            return False
        if "." in name:
            return isinstance(sys.modules.get(name.rpartition(".")[0]), StubModule)
        others = [finder for finder in sys.meta_path if finder is not self]
        return all(getattr(finder, "find_spec", lambda *_: None)(name, None) is None for finder in others)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StubModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
