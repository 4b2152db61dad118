"""Stubs for imports of a student's program that are not needed here: windows, sounds, packages that are not installed."""

import builtins
import dis
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, FrameType, ModuleType
from typing import Any

from engine.checker.sandbox.window_events import EVENTS

PROGRAM_MARK = "__plyscope_failed__"  # a global that marks modules of the program
UNPACK_OPCODE = dis.opmap["UNPACK_SEQUENCE"]
STUBBED_PACKAGES = {
    "pygame",
    "tkinter",
    "Tkinter",
    "tkMessageBox",
    "customtkinter",
    "turtle",
    "curses",
    "matplotlib",
    "pyglet",
    "arcade",
    "kivy",
    "streamlit",
    "PyQt5",
    "PyQt6",
    "PySide2",
    "PySide6",
    "wx",
    "graphics",
    "easygui",
    "pyautogui",
    "playsound",
    "winsound",
    "msvcrt",
}
UNCOMPILED_PACKAGES = {"numba"}  # a compiled function cannot be recorded
REGISTERING_NAMES = {"bind", "bind_all", "tag_bind", "connect", "onclick", "onscreenclick", "onkey", "onkeypress", "onrelease"}
TIMER_NAMES = {"after", "after_idle", "ontimer", "schedule_once", "singleShot"}
MAIN_LOOP_NAMES = {"mainloop", "exec", "exec_", "MainLoop", "exitonclick", "done"}
OPTION_NAMES = {"config", "configure"}


class AbsorbingStub:
    """An object that accepts every operation and returns another stub, or a number where a number is needed."""

    def __init__(self, *arguments: Any, **options: Any):
        _store_options(self, options)

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
        return StubMethod(self, name) if name in SPECIAL_METHODS else AbsorbingStub()

    def __getitem__(self, key: Any) -> Any:
        held = self.__dict__.get(HELD_OPTIONS, {})
        return held[key] if isinstance(key, str) and key in held else AbsorbingStub()

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, str):
            _store_options(self, {key: value})

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


class StubType(type):
    """A class of a stub module. It has every attribute, too: Qt.AlignCenter, QFont.Weight.Bold."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return AbsorbingStub()


class StubMethod(AbsorbingStub):
    """A method of a stand-in for a window or a button that registers a handler, keeps a value, or runs the main loop."""

    def __init__(self, owner: AbsorbingStub, name: str):
        self.__dict__.update(owner=owner, name=name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        name, owner = self.__dict__["name"], self.__dict__["owner"]
        return SPECIAL_METHODS[name](name, owner, arguments, options)


HELD_OPTIONS = "held options"  # key in the __dict__ of a stub that no attribute can have


def _store_options(stub: AbsorbingStub, options: dict[str, Any]) -> None:
    """Keep the options of a widget, such as its text, and register its command."""
    if options:
        stub.__dict__.setdefault(HELD_OPTIONS, {}).update(options)
        if callable(options.get("command")):
            EVENTS.add_callback(options["command"])


def _register_handlers(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    for handler in _own_functions(arguments):
        EVENTS.add_callback(handler)
    return AbsorbingStub()


def _register_timer(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    for handler in _own_functions(arguments)[:1]:
        place = arguments.index(handler)
        EVENTS.add_timer(handler, tuple(arguments[place + 1 :]) if name.startswith("after") else ())
    return AbsorbingStub()


def _run_main_loop(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    EVENTS.pump()
    return 0


def _change_options(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    _store_options(owner, options)
    return AbsorbingStub()


def _set_value(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    if len(arguments) == 1:
        owner.__dict__.setdefault(HELD_OPTIONS, {})["value"] = arguments[0]


def _get_value(name: str, owner: AbsorbingStub, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    return owner["value" if name == "get" or not arguments else arguments[0]]


SPECIAL_METHODS: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(REGISTERING_NAMES, _register_handlers),
    **dict.fromkeys(TIMER_NAMES, _register_timer),
    **dict.fromkeys(MAIN_LOOP_NAMES, _run_main_loop),
    **dict.fromkeys(OPTION_NAMES, _change_options),
    "set": _set_value,
    "get": _get_value,
    "cget": _get_value,
}


def _own_functions(arguments: tuple[Any, ...]) -> list[Callable[..., Any]]:
    return [one for one in arguments if callable(one) and not isinstance(one, AbsorbingStub)]


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

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # `from … import *` binds the names that its module uses
            return list_used_names(sys._getframe(1))
        if name.startswith("__"):
            raise AttributeError(name)
        made: Any
        if name in SPECIAL_METHODS and name not in ("get", "set"):
            made = StubMethod(AbsorbingStub(), name)
        else:
            made = StubType(name, (AbsorbingStub,), {}) if name[:1].isupper() and not name.isupper() else AbsorbingStub()
        setattr(self, name, made)  # the same object next time, so that session_state keeps its values
        return made


def list_used_names(frame: FrameType) -> list[str]:
    """Return the names that a module uses and that nothing has bound yet."""
    used: set[str] = set()
    waiting: list[CodeType] = [frame.f_code]
    while waiting:
        code = waiting.pop()
        used |= {
            str(instruction.argval)
            for instruction in dis.get_instructions(code)
            if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL")
        }
        waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return sorted(name for name in used - set(frame.f_globals) - set(dir(builtins)) if not name.startswith("__"))


class StubFinder(MetaPathFinder, Loader):
    """Finds modules that no other finder finds, and all that would open a window. `used` lists the imported names."""

    def __init__(self, special: dict[str, type[StubModule]] | None = None) -> None:
        self.used: list[str] = []
        self.special = special or {}  # stand-ins that answer questions

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        package = name.partition(".")[0]
        is_stubbed = package in STUBBED_PACKAGES or (package in UNCOMPILED_PACKAGES and _is_imported_by_program())
        if not is_stubbed and not self._is_missing(name):
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
        return self.special.get(spec.name, StubModule)(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass
