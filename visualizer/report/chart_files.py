"""The charts of a comparison as files."""

from engine.analysis.comparison_result import Comparison
from engine.core.errors import PlyscopeError
from visualizer.drawing import comparison_chart, ladder_chart, scene
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.report.content import report_title


def to_svg(comparison: Comparison) -> str:
    return scene.to_svg(_draw_charts(comparison))


def to_png(comparison: Comparison) -> bytes:
    return scene.to_png(_draw_charts(comparison))


def to_pdf(comparison: Comparison) -> bytes:
    return scene_to_pdf(_draw_charts(comparison))


def _draw_charts(comparison: Comparison) -> scene.Scene:
    if not comparison_chart.build_plots(comparison):
        raise PlyscopeError("there is nothing to draw: no search of this comparison finished")
    drawn = comparison_chart.draw_chart(comparison, report_title(comparison))
    ladder = ladder_chart.draw_chart(comparison, report_title(comparison))
    return drawn if ladder is None else scene.stack_scenes(drawn, ladder)
