"""The stand-in for pygame: programs ask it for events, the pointer and the time. Everything else is a stub."""

import sys
from typing import Any

from engine.checker.sandbox.import_stubs import AbsorbingStub, StubModule, list_used_names
from engine.checker.sandbox.window_events import EVENTS


class PygameEvent:
    """An event of pygame."""

    def __init__(self, kind: Any, **attributes: Any):
        self.type = kind
        self.__dict__.update(attributes)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return AbsorbingStub()


class PygameRect:
    """A rectangle: programs ask whether a click is inside."""

    x: int
    y: int
    width: int
    height: int

    def __init__(self, *place: Any):
        parts: Any = place[0] if len(place) == 1 else place  # a rectangle, (x, y, w, h), ((x, y), (w, h))
        if isinstance(parts, PygameRect):
            parts = (parts.x, parts.y, parts.width, parts.height)
        parts = parts if isinstance(parts, (tuple, list)) else ()
        flat = [number for part in parts for number in (part if isinstance(part, (tuple, list)) else (part,))]
        values = [float(part) if isinstance(part, (int, float)) else 0.0 for part in [*flat, 0, 0, 0, 0][:4]]
        self.x, self.y, self.width, self.height = (int(value) for value in values)
        EVENTS.add_area(self.x, self.y, self.width, self.height)

    def __setattr__(self, name: str, value: Any) -> None:
        name = RECT_SYNONYMS.get(name, name)
        if name in RECT_PLACES and isinstance(value, (tuple, list)):
            across, down = RECT_PLACES[name]
            self.x, self.y = int(value[0] - across * self.width), int(value[1] - down * self.height)
            EVENTS.add_area(self.x, self.y, self.width, self.height, self.__dict__.get("text", ""))
        else:
            self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in RECT_SYNONYMS:
            return self.__dict__[RECT_SYNONYMS[name]]
        if name in RECT_PLACES:
            across, down = RECT_PLACES[name]
            return int(self.x + across * self.width), int(self.y + down * self.height)
        others = {
            "right": self.x + self.width,
            "bottom": self.y + self.height,
            "centerx": self.x + self.width // 2,
            "centery": self.y + self.height // 2,
            "size": (self.width, self.height),
        }
        return others.get(name, AbsorbingStub())

    def copy(self) -> "PygameRect":
        return PygameRect(self.x, self.y, self.width, self.height)

    def move(self, across: Any = 0, down: Any = 0) -> "PygameRect":
        return PygameRect(self.x + across, self.y + down, self.width, self.height)

    def inflate(self, across: Any = 0, down: Any = 0) -> "PygameRect":
        return PygameRect(self.x - across / 2, self.y - down / 2, self.width + across, self.height + down)

    def collidepoint(self, *place: Any) -> bool:
        x, y = place if len(place) == 2 else place[0]
        return bool(self.x <= x < self.x + self.width and self.y <= y < self.y + self.height)


RECT_SYNONYMS = {"left": "x", "top": "y", "w": "width", "h": "height"}
RECT_PLACES = {  # shares of width and height
    "topleft": (0.0, 0.0), "topright": (1.0, 0.0), "bottomleft": (0.0, 1.0), "bottomright": (1.0, 1.0), "center": (0.5, 0.5),
    "midtop": (0.5, 0.0), "midleft": (0.0, 0.5), "midbottom": (0.5, 1.0), "midright": (1.0, 0.5),
}  # fmt: skip


class PygameSurface(AbsorbingStub):
    """A picture or a text that is drawn. Its size is that of the window unless it is known."""

    def __init__(self, size: Any = None, *arguments: Any, **options: Any):
        self.__dict__["size"] = _read_size(size)

    def get_rect(self, **place: Any) -> PygameRect:
        found = PygameRect(0, 0, *(self.__dict__["size"] or (40, 40)))
        found.__dict__["text"] = self.__dict__.get("text", "")
        for name, value in place.items():
            setattr(found, name, value)
        return found

    def get_size(self) -> tuple[int, int]:
        return self.__dict__["size"] or EVENTS.size

    def get_width(self) -> int:
        return self.get_size()[0]

    def get_height(self) -> int:
        return self.get_size()[1]

    def convert(self, *arguments: Any) -> "PygameSurface":
        return self

    def subsurface(self, *place: Any) -> "PygameSurface":
        return PygameSurface(PygameRect(*place).size)

    convert_alpha = copy = convert


def _read_size(size: Any) -> tuple[int, int] | None:
    if isinstance(size, (tuple, list)) and len(size) == 2 and all(isinstance(part, (int, float)) for part in size):
        return int(size[0]), int(size[1])
    return None


class PygameTransform(AbsorbingStub):
    """The functions that give a picture another size."""

    def scale(self, surface: Any, size: Any = None, *arguments: Any) -> PygameSurface:
        return PygameSurface(size)

    smoothscale = scale

    def rotate(self, surface: Any, *arguments: Any) -> Any:
        return surface

    flip = rotozoom = scale_by = rotate


class PygameDraw(AbsorbingStub):
    """The functions that draw. A rectangle or a circle may be a button or a square of a board."""

    def rect(self, surface: Any, color: Any = None, rect: Any = None, *arguments: Any, **options: Any) -> Any:
        return rect if isinstance(rect, PygameRect) else PygameRect(rect) if isinstance(rect, (tuple, list)) else PygameRect()

    def circle(
        self, surface: Any, color: Any = None, center: Any = None, radius: Any = 0, *arguments: Any, **options: Any
    ) -> Any:
        size = _read_size(center)
        reach = int(radius) if isinstance(radius, (int, float)) else 0
        return PygameRect(size[0] - reach, size[1] - reach, 2 * reach, 2 * reach) if size else PygameRect()


class PygameDisplay(AbsorbingStub):
    def set_mode(self, size: Any = None, *arguments: Any, **options: Any) -> PygameSurface:
        if isinstance(size, (tuple, list)) and len(size) == 2 and all(isinstance(part, (int, float)) for part in size):
            EVENTS.size = (int(size[0]) or EVENTS.size[0], int(size[1]) or EVENTS.size[1])
        return PygameSurface()

    def get_surface(self) -> PygameSurface:
        return PygameSurface()


class PygameEvents(AbsorbingStub):
    def __init__(self, module: StubModule):
        self.__dict__["module"] = module

    def get(self, *kinds: Any, **options: Any) -> list[PygameEvent]:
        return [self.poll()]

    def poll(self) -> PygameEvent:
        module, kind = self.__dict__["module"], EVENTS.next_kind()
        name = next(EVENTS.keys) if kind == "KEYDOWN" else "K_1"
        typed = name[2:] if len(name) == 3 else " " if name == "K_SPACE" else ""
        pressed = {"pos": EVENTS.pointer, "rel": (0, 0), "buttons": (1, 0, 0), "button": 1}
        return PygameEvent(getattr(module, kind), **pressed, key=getattr(module, name), unicode=typed)

    wait = poll


class PygameMouse(AbsorbingStub):
    def get_pos(self) -> tuple[int, int]:
        return EVENTS.pointer

    def get_pressed(self, *arguments: Any, **options: Any) -> tuple[bool, bool, bool]:
        EVENTS.next_kind()
        return (True, False, False)


class PygameClock(AbsorbingStub):
    def tick(self, *arguments: Any) -> int:
        EVENTS.tick()
        return 50

    def get_fps(self) -> float:
        return 20.0


class PygameTime(AbsorbingStub):
    Clock = PygameClock

    def get_ticks(self) -> int:
        return EVENTS.tick()

    def wait(self, *arguments: Any) -> int:
        return EVENTS.tick()

    delay = wait


class PygameFont(AbsorbingStub):
    def render(self, text: Any = "", *arguments: Any, **options: Any) -> PygameSurface:
        drawn = PygameSurface(self.size(text))
        drawn.__dict__["text"] = str(text)
        return drawn

    def size(self, text: Any = "") -> tuple[int, int]:
        return 10 * len(str(text)), 20


class PygameFonts(AbsorbingStub):
    Font = SysFont = PygameFont


class PygameImages(AbsorbingStub):
    def load(self, *arguments: Any) -> PygameSurface:
        return PygameSurface()


class PygameModule(StubModule):
    """The parts of pygame that a program gets answers from. Everything else is a stub."""

    def __init__(self, name: str):
        super().__init__(name)
        if name == "pygame":
            self.event, self.mouse, self.display = PygameEvents(self), PygameMouse(), PygameDisplay()
            self.time, self.font, self.image = PygameTime(), PygameFonts(), PygameImages()
            self.transform, self.draw = PygameTransform(), PygameDraw()
            self.Rect, self.Surface = PygameRect, PygameSurface

    def __getattr__(self, name: str) -> Any:
        package = sys.modules.get("pygame")
        if self.__name__ != "pygame" and isinstance(package, PygameModule) and name != "__all__":
            return getattr(package, name)  # the constants of pygame.locals are those of pygame
        return super().__getattr__(name) if name != "__all__" else list_used_names(sys._getframe(1))


PYGAME_MODULES: dict[str, type[StubModule]] = {"pygame": PygameModule, "pygame.locals": PygameModule}
