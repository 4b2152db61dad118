"""Stand-ins for what a student's program imports and need not have here: windows, sounds, packages that are not installed."""

import dis
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any

PROGRAM = "__plyscope_failed__"  # a name that modules of the program have
UNPACK = dis.opmap["UNPACK_SEQUENCE"]
NEVER_OPENED = {
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


class Absorbing:
    """Takes whatever is done with it and gives another one back; a number where a number is needed."""

    def __init__(self, *arguments: Any, **options: Any):
        pass

    def __init_subclass__(cls, **options: Any):
        pass

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (type("Stub", (Absorbing,), {}),)  # a class may inherit from it

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        function = arguments[0] if len(arguments) == 1 and not options else None
        return function if callable(function) and not isinstance(function, Absorbing) else Absorbing()  # as a decorator

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Absorbing()

    def __getitem__(self, key: Any) -> Any:
        return Absorbing()

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter([Absorbing() for _ in range(_parts_wanted(sys._getframe(1)))])

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

    def _same(self, *other: Any) -> Any:
        return self

    def _never(self, other: Any) -> bool:
        return False

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _same
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __or__ = __ror__ = __and__ = __rand__ = _same
    __lt__ = __le__ = __gt__ = __ge__ = _never


def _parts_wanted(frame: FrameType) -> int:
    """How many parts the running instruction takes something into: two in `figure, axes = subplots()`; none in a loop."""
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if code[place] == UNPACK else 0


def _asked_by_the_program() -> bool:
    """Whether what is being imported is imported by a module of the program, or by a stand-in."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (frame.f_globals.get("__name__", "").startswith("importlib") or frame.f_globals is globals()):
        frame = frame.f_back
    return frame is not None and PROGRAM in frame.f_globals


class StubModule(ModuleType):
    """A module that has everything: classes to inherit from, functions, constants."""

    def __init__(self, name: str):
        super().__init__(name)
        self.__path__: list[str] = []
        self.__all__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (Absorbing,), {}) if name[:1].isupper() and not name.isupper() else Absorbing()
        setattr(self, name, made)  # the same one again: what is put into session_state stays there
        return made


class Stubs(MetaPathFinder, Loader):
    """Finds what nobody else finds, and everything that would open a window. `used` are the names that were asked for."""

    def __init__(self) -> None:
        self.used: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in NEVER_OPENED and not self._is_missing(name):
            return None
        self.used.append(name)
        return ModuleSpec(name, self, is_package=True)

    def _is_missing(self, name: str) -> bool:
        """Whether the program asks for it and no other finder knows it. Inside a package that is there, a missing module is an
        error of the program; a package may try what it can do without."""
        if not _asked_by_the_program():
            return False
        if "." in name:
            return isinstance(sys.modules.get(name.rpartition(".")[0]), StubModule)
        others = [finder for finder in sys.meta_path if finder is not self]
        return all(getattr(finder, "find_spec", lambda *_: None)(name, None) is None for finder in others)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StubModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
