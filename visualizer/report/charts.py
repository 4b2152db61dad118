"""The charts of a comparison as files of their own."""

from engine.compared import Comparison
from engine.errors import PlyscopeError
from visualizer import chart, sketch
from visualizer.report.content import title


def to_svg(comparison: Comparison) -> str:
    return sketch.to_svg(_sketch(comparison))


def to_png(comparison: Comparison) -> bytes:
    return sketch.to_picture(_sketch(comparison), "png")


def to_pdf(comparison: Comparison) -> bytes:
    return sketch.to_picture(_sketch(comparison), "pdf")


def _sketch(comparison: Comparison) -> sketch.Sketch:
    if not chart.panels(comparison):
        raise PlyscopeError("there is nothing to draw: no search of this comparison came to its end")
    return chart.sketch(comparison, title(comparison))
