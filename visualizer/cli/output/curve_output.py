"""The files of a search over its iterations, which --curves writes."""

from rich.progress import TimeElapsedColumn

from engine.analysis.search_curves import find_exact_values, trace_search
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.tree.tree import SearchTree
from visualizer.cli.output.output_files import write_files
from visualizer.cli.output.progress import BAR_DELAY_SECONDS, ProgressBar
from visualizer.exporters import check_target
from visualizer.report.curve_files import FILE_RENDERERS


class CurveFiles:
    """The files for the curves of a search, checked before any work is done."""

    def __init__(self, outputs: tuple[str, ...]):
        self.targets = [check_target(output, FILE_RENDERERS, "write curves") for output in outputs]

    def check_search(self, algorithm: str, iterates: bool) -> None:
        """Raise an error if there are files to write, but the search does not run in iterations."""
        if self.targets and not iterates:
            raise PlyscopeError(f"--curves needs a search in iterations, and {algorithm} is none: add --algorithm mcts")

    def write(self, tree: SearchTree, quiet: bool) -> None:
        """Find the exact values of the moves, and write all files."""
        if not self.targets:
            return
        with ProgressBar(TimeElapsedColumn(), after=BAR_DELAY_SECONDS) as bar:
            exact = find_exact_values(tree.question, on_progress=lambda nodes: bar.show(description="solving the position"))
        curves = trace_search(tree, exact)
        write_files(
            self.targets,
            lambda target: write_chunks(target, [FILE_RENDERERS[target.suffix.lower()](tree, curves)]),
            quiet,
        )
