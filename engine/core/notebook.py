"""Rich display in notebooks.

The engine draws nothing. A package that can draw a result registers a renderer in the entry-point group `plyscope.display`,
under the name that the result's class declares. A renderer takes the result and returns texts by media type.
"""

from importlib.metadata import entry_points
from typing import Any, ClassVar

ENTRY_POINT_GROUP = "plyscope.display"


class NotebookDisplay:
    """A result that notebooks show with the registered renderer, or as its `repr` if there is none."""

    display_name: ClassVar[str]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        for renderer in entry_points(group=ENTRY_POINT_GROUP, name=self.display_name):
            bundle.update(renderer.load()(self))
        return {
            media_type: text
            for media_type, text in bundle.items()
            if (include is None or media_type in include) and (exclude is None or media_type not in exclude)
        }

    def _repr_html_(self) -> str | None:
        return self._repr_mimebundle_().get("text/html")

    def _repr_svg_(self) -> str | None:
        return self._repr_mimebundle_().get("image/svg+xml")
