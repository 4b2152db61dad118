"""Rich display in notebooks.

The engine draws nothing. A package that can draw a result registers renderers in the entry-point group `plyscope.display`, under
the name that the result's class declares. A renderer `NAME` takes the result and returns texts by media type. A renderer
`NAME_widget` returns what a notebook with a kernel shows: data by media type, and metadata. `tree_view` makes the widget of
`SearchTree.view`.
"""

from collections.abc import Callable, Collection, Iterator
from importlib.metadata import entry_points
from typing import Any, ClassVar

from engine.core.errors import PlyscopeError

ENTRY_POINT_GROUP = "plyscope.display"


def load_renderers(name: str) -> Iterator[Callable[..., Any]]:
    """Yield the functions that other packages registered under this name."""
    for renderer in entry_points(group=ENTRY_POINT_GROUP, name=name):
        yield renderer.load()


def find_renderer(name: str) -> Callable[..., Any]:
    """Return the function that another package registered under this name."""
    for renderer in load_renderers(name):
        return renderer
    raise NoRenderer(f"no installed package shows this: {name!r} is missing in the entry-point group {ENTRY_POINT_GROUP!r}")


class NoRenderer(PlyscopeError):
    """No package draws what a notebook should show."""


class NotebookDisplay:
    """A result that notebooks show with the registered renderers, or as its `repr` if there are none."""

    display_name: ClassVar[str]

    def _repr_mimebundle_(self, include: Collection[str] | None = None, exclude: Collection[str] | None = None) -> Any:
        """Return data by media type, and also metadata if there are any."""
        bundle, metadata = dict[str, Any](self._render_texts()), {}
        for render in load_renderers(f"{self.display_name}_widget"):
            data, metadata = render(self)
            bundle = data | bundle
        chosen = {
            media_type: data
            for media_type, data in bundle.items()
            if (include is None or media_type in include) and (exclude is None or media_type not in exclude)
        }
        return (chosen, metadata) if metadata else chosen

    def _repr_html_(self) -> str | None:
        return self._render_texts().get("text/html")

    def _repr_svg_(self) -> str | None:
        return self._render_texts().get("image/svg+xml")

    def _render_texts(self) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        for render in load_renderers(self.display_name):
            bundle.update(render(self))
        return bundle
