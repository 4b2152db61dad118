"""Events for programs with windows: clicks, keys and timers, and at last the window is closed.

The stand-ins of window packages report what a program registers (buttons, handlers, timers) and ask for events here. No
window is opened.
"""

import inspect
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from engine.checker.sandbox.user_choices import CHOICES

MAX_EVENTS = 1_200  # then the window is closed
MAX_CALLBACKS = 300  # of one main loop
MAX_AREAS = 200
GRID_STEPS = (0.5, 0.15, 0.85, 0.35, 0.65, 0.05, 0.95, 0.25, 0.75)  # where a window is clicked, as shares of its size
DEFAULT_SIZE = (640, 640)
EVENT_KINDS = ("MOUSEMOTION", "MOUSEBUTTONDOWN", "MOUSEBUTTONUP", "KEYDOWN")  # the pointer moves with the first
PRESSED_KEYS = ("K_RETURN", "K_SPACE", "K_1", "K_5", "K_RETURN", "K_a", "K_1", "K_2", "K_DOWN", "K_LEFT", "K_RIGHT", "K_n", "K_s",
                "K_x", "K_0", "K_3", "K_RETURN", "K_BACKSPACE", "K_BACKSPACE")  # fmt: skip


class WindowClosed(SystemExit):
    """The user has closed the window."""


class WindowEvents:
    """The events of one run."""

    def __init__(self) -> None:
        self.size: tuple[int, int] = DEFAULT_SIZE
        self.wanted: list[tuple[int, int]] = []  # buttons that are clicked first
        self.areas: dict[tuple[int, int], int] = {}  # the centres of buttons, each with the rank of its text
        self.callbacks: list[Callable[..., Any]] = []
        self.timers: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self.restart()

    def restart(self) -> None:
        """Begin with the first event, before a program is started again. Its handlers stay."""
        self.sent = 0
        self.time = 0
        self.pointer = (0, 0)
        self.kinds = cycle(EVENT_KINDS)
        self.keys = cycle(PRESSED_KEYS)
        self.places = self._iterate_places()
        self.wanted[:] = [place for place, rank in self.areas.items() if rank < CHOICES.rank("")]
        self.is_pumping = False

    def _iterate_places(self) -> Iterator[tuple[int, int]]:
        """Yield places to click: the buttons that are known, then points of a grid, again and again."""
        while True:
            yield from self._list_buttons(16)
            for row in GRID_STEPS:
                yield from self._list_buttons(4)
                yield from ((int(self.size[0] * column), int(self.size[1] * row)) for column in GRID_STEPS[:7])

    def _next_place(self) -> tuple[int, int]:
        """Return where to click next: a new button that names the search or a computer, or the next place."""
        if self.wanted:
            best = min(self.wanted, key=lambda place: self.areas.get(place, 0))
            self.wanted.remove(best)
            return best
        return next(self.places)

    def _list_buttons(self, number: int) -> list[tuple[int, int]]:
        """Return the latest buttons, those whose text names the search or a computer first."""
        return sorted([*self.areas][-number:], key=lambda place: self.areas[place])

    def add_area(self, x: Any, y: Any, width: Any, height: Any, text: object = "") -> None:
        """Remember a rectangle that may be a button. One that is drawn again becomes the latest."""
        place = (int(x + width / 2), int(y + height / 2))
        known = self.areas.pop(place, CHOICES.rank(""))
        self.areas[place] = rank = min(CHOICES.rank(text), known)
        if rank < known:
            self.wanted.append(place)
        if len(self.areas) > MAX_AREAS:
            self.areas.pop(next(iter(self.areas)))

    def add_callback(self, callback: Callable[..., Any]) -> None:
        if len(self.callbacks) < 200:
            self.callbacks.append(callback)

    def add_timer(self, callback: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        if len(self.timers) < 200:
            self.timers.append((callback, arguments))

    # ---- programs that ask for events

    def next_kind(self) -> str:
        """Return the kind of the next event, and move the pointer. After many events the window is closed."""
        self.sent += 1
        if self.sent > MAX_EVENTS + 20:
            raise WindowClosed
        if self.sent > MAX_EVENTS:
            return "QUIT"
        kind = next(self.kinds)
        if kind == EVENT_KINDS[0]:
            self.pointer = self._next_place()
        return kind

    def tick(self) -> int:
        """Return the time in milliseconds. It goes on with every look at the clock."""
        self.time += 50
        if self.time > 50 * 20_000:
            raise WindowClosed
        return self.time

    # ---- programs that hand over to a main loop

    def pump(self) -> None:
        """Call timers and handlers as a main loop would, then return as if the window was closed."""
        if self.is_pumping:
            return
        self.is_pumping = True
        try:
            for number in range(MAX_CALLBACKS):
                if not self.timers and not self.callbacks:
                    return
                for timer in self._take_timers():
                    self._call(*timer)
                if self.callbacks:
                    self._call(self.callbacks[number % len(self.callbacks)])
        finally:
            self.is_pumping = False

    def _take_timers(self) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Return the timers that wait now. A timer may start itself again: that one comes next time."""
        waiting, self.timers[:] = list(self.timers), []
        return waiting

    def _call(self, callback: Callable[..., Any], arguments: tuple[Any, ...] = ()) -> None:
        """Call a handler. Its errors do not end the main loop, as with real windows."""
        try:
            self.pointer = next(self.places)
            callback(*(arguments or self._make_arguments(callback)))
        except Exception:  # noqa: S110 - a main loop prints it and goes on
            pass

    def _make_arguments(self, callback: Callable[..., Any]) -> tuple[Any, ...]:
        try:
            parameters = inspect.signature(callback).parameters.values()
        except (TypeError, ValueError):
            return ()
        needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
        return (PointerEvent(*self.pointer),) if len(needed) == 1 else self.pointer if len(needed) == 2 else ()


class PointerEvent:
    """The argument of a handler: a click or a key."""

    def __init__(self, x: int, y: int):
        self.x = self.x_root = x
        self.y = self.y_root = y
        self.pos = (x, y)
        self.button = self.num = 1
        self.char = self.keysym = "1"
        self.widget = None


EVENTS = WindowEvents()
