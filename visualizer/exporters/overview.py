"""The overview, a picture of a whole search of any size, as .svg, .png or .pdf."""

import io
from collections.abc import Callable, Iterator

from engine.tree.tree import SearchTree
from visualizer.drawing.overview.colourings import HowLeft
from visualizer.drawing.overview.picture import draw_overview
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.drawing.raster import draw_scene
from visualizer.drawing.scene import Scene, to_svg
from visualizer.drawing.view import View


def _to_png(scene: Scene) -> bytes:
    file = io.BytesIO()
    draw_scene(scene, (scene.width, scene.height)).save(file, "png", optimize=True)
    return file.getvalue()


OVERVIEW_FORMATS: dict[str, Callable[[Scene], bytes]] = {
    ".svg": lambda scene: to_svg(scene).encode(),
    ".png": _to_png,
    ".pdf": scene_to_pdf,
}


def overview_chunks(tree: SearchTree, extension: str, view: View | None = None, colour: str = HowLeft.name) -> Iterator[bytes]:
    """Return the picture in one piece. `colour` is the name of a colouring: how-left, value, saved or node-type."""
    return iter([OVERVIEW_FORMATS[extension](draw_overview(tree, view, colour))])
