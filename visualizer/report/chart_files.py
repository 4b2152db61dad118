"""The charts of a comparison as files of their own."""

from engine.analysis.comparison_result import Comparison
from engine.core.errors import PlyscopeError
from visualizer.drawing import comparison_chart, ladder_chart, scene
from visualizer.report.content import title


def to_svg(comparison: Comparison) -> str:
    return scene.to_svg(_sketch(comparison))


def to_png(comparison: Comparison) -> bytes:
    return scene.to_picture(_sketch(comparison), "png")


def to_pdf(comparison: Comparison) -> bytes:
    return scene.to_picture(_sketch(comparison), "pdf")


def _sketch(comparison: Comparison) -> scene.Sketch:
    if not comparison_chart.panels(comparison):
        raise PlyscopeError("there is nothing to draw: no search of this comparison came to its end")
    drawn = comparison_chart.sketch(comparison, title(comparison))
    ladder = ladder_chart.sketch(comparison, title(comparison))
    return drawn if ladder is None else scene.below(drawn, ladder)
