"""The files that a command writes. They are checked before any work is done, and reported when they are written."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.progress import TimeElapsedColumn

from engine import PlyscopeError, SearchTree
from visualizer.cli.output.console import PlainConsole, make_text_column
from visualizer.cli.output.progress import ProgressBar
from visualizer.drawing.size_limits import MAX_BOARDS
from visualizer.drawing.view import BadView, View, select_items
from visualizer.narration.escapes import sanitize_line

SMALLER_TREE_ADVICE = "--to-depth or --subtree shows less of the tree"


def write_files(targets: Iterable[Path], write: Callable[[Path], int], quiet: bool) -> None:
    """Write every file. If one fails, the others are still written, because the work before may have been long."""
    first_error = None
    for target in targets:
        try:
            size = write(target)
        except PlyscopeError as error:
            first_error = first_error or error
            continue
        if not quiet:
            PlainConsole().print(f"wrote {sanitize_line(str(target))} ({format_size(size)})", soft_wrap=True)
    if first_error is not None:
        raise first_error


def format_size(size: int) -> str:
    """Return the size of a file as text."""
    return f"{size:,} bytes" if size < 10_000 else f"{size / 1000:,.0f} kB" if size < 10_000_000 else f"{size / 1e6:,.0f} MB"


class OutputFiles:
    """The files to write a tree to, checked before any work is done."""

    def __init__(
        self,
        outputs: tuple[str, ...],
        picture: str,
        colour: str,
        text_style: str,
        boards: bool,
        states: bool,
        to_depth: int | None,
        subtree: int,
        around: int | None,
        best_line: bool,
        first_nodes: int | None,
        collapse: tuple[int, ...],
        no_stubs: bool,
        min_visits: int | None,
        paper: str,
        steps: str | None,
        size: str,
        interactive: bool,
        title: str,
        theme: str,
    ):
        from visualizer import check_target
        from visualizer.drawing.paper import find_paper
        from visualizer.exporters import find_exporter, needs_whole_tree
        from visualizer.exporters.animation import check_frame_size, check_steps
        from visualizer.exporters.text import check_text_style
        from visualizer.viewer.viewport import check_view_is_part

        check_text_style(text_style, states)
        find_paper(paper)
        self.view = View(subtree, to_depth, best_line, around, first_nodes, collapse, not no_stubs, min_visits)
        animated = {"steps": check_steps(steps), "size": check_frame_size(size), "theme": theme}
        self.targets: dict[Path, dict[str, Any]] = {}
        check_interactive(outputs, interactive, title)
        self.is_overview = picture == "overview"
        if self.is_overview:
            self._check_overview(outputs, colour)
            return
        for output in outputs:
            target = check_target(output)
            if interactive and is_page(target):
                check_view_is_part(self.view)
                self.targets[target] = {"interactive": True, "title": title}
                continue
            if needs_whole_tree(target.suffix.lower()) and not self.view.is_whole:
                raise BadView(f"{target.name} always holds the whole tree: leave out --to-depth, --subtree and similar options")
            accepted = inspect.signature(find_exporter(target).chunks).parameters
            settings = {"style": text_style, "boards": boards, "states": states, "paper": paper} | animated
            self.targets[target] = {name: value for name, value in settings.items() if name in accepted and value}

    def check_search(self, algorithm: str, has_iterations: bool) -> None:
        """Raise an error if the files need visits, but the search does not run in iterations."""
        from visualizer.drawing.view import check_visits

        check_visits(self.view, algorithm, has_iterations)

    def _check_overview(self, outputs: tuple[str, ...], colour: str) -> None:
        """Check the files of an overview, and its options."""
        from visualizer import check_target
        from visualizer.drawing.overview.colourings import find_colouring
        from visualizer.drawing.overview.picture import check_overview
        from visualizer.exporters.overview import OVERVIEW_FORMATS

        if not outputs:
            raise BadView("--view overview draws a picture: name its file, for example -o overview.svg")
        find_colouring(colour)
        check_overview(self.view)
        for output in outputs:
            self.targets[check_target(output, OVERVIEW_FORMATS, "write an overview")] = {"overview": True, "colour": colour}

    def write_tree(self, tree: SearchTree, quiet: bool) -> None:
        """Write all files, with a progress bar for large ones."""
        from visualizer import export
        from visualizer.exporters import is_animation

        def write_target(target: Path) -> int:
            if self.is_overview:
                return export(tree, target, self.view, **self.targets[target])
            with ProgressBar(make_text_column("{task.fields[written]}"), TimeElapsedColumn()) as bar:

                def on_progress(written: int) -> None:
                    bar.show(description=f"writing {target.name}", written=format_size(written))

                def on_frame(drawn: int, frames: int) -> None:
                    bar.show(
                        description=f"drawing {target.name}", completed=drawn, total=frames, written=f"frame {drawn} of {frames}"
                    )

                style = self._drop_states_if_large(tree, target)
                if is_animation(target.suffix.lower()):
                    style = style | {"on_frame": on_frame}
                size = export(tree, target, self.view, on_progress=on_progress, **style)
            if style.get("interactive"):
                return size
            if hint := describe_unprintable(tree, target, self.view, **style) or describe_wide_picture(
                tree, target, self.view, **style
            ):
                click.echo(sanitize_line(f"plyscope: {hint}"), err=True)
            return size

        write_files(self.targets, write_target, quiet)

    def _drop_states_if_large(self, tree: SearchTree, target: Path) -> dict[str, Any]:
        """Return the options of a file, without states if there are too many nodes."""
        style = self.targets[target]
        if not style.get("states") or tree.expanded <= MAX_BOARDS:
            return style
        nodes = len(select_items(tree, replace(self.view, stubs=False)))
        if nodes <= MAX_BOARDS:
            return style
        warning = f"{target.name} has no states: they are written for up to {MAX_BOARDS:,} nodes, and this tree has {nodes:,}"
        click.echo(sanitize_line(f"plyscope: {warning}"), err=True)
        return {name: value for name, value in style.items() if name != "states"}


def check_interactive(outputs: Iterable[str], interactive: bool, title: str) -> None:
    """Check that --interactive has a page to write, and that a title has an interactive page."""
    if interactive and not any(is_page(Path(output)) for output in outputs):
        raise PlyscopeError("--interactive needs a page to write: add, for example, -o tree.html")
    if title and not interactive:
        raise PlyscopeError("--title is the title of an interactive page: add --interactive")


def is_page(target: Path) -> bool:
    """Return True for an .html file."""
    return target.suffix.lower() == ".html"


def describe_unprintable(tree: SearchTree, target: Path, view: View, boards: bool = False, **style: Any) -> str:
    """Return a sentence about a file for paper whose picture is too large to be read in print, or an empty text."""
    from visualizer.drawing.paging import PORTRAIT_PAGE, find_deepest_view, picture_size, split_for_paper

    if target.suffix.lower() not in (".pdf", ".tex"):
        return ""
    whole, in_parts = picture_size(tree, view, boards=boards, frame=False), bool(split_for_paper(tree, view).views)
    if PORTRAIT_PAGE.can_hold(whole) or (in_parts and not boards):
        return ""
    top = find_deepest_view(tree, view, PORTRAIT_PAGE, boards=boards, frame=False)
    advice = ["without --boards it is printed on several pages"] if in_parts else []
    advice += [f"--to-depth {top.max_depth} fits a page"] if top else []
    problem = f"{target.name} is one picture of {whole.width:,.0f} × {whole.height:,.0f} pixels, too large for paper"
    return f"{problem}: {' and '.join(advice) or SMALLER_TREE_ADVICE}"


def describe_wide_picture(tree: SearchTree, target: Path, view: View, **style: Any) -> str:
    """Return a hint for a picture that is too wide to look at, or an empty text."""
    from visualizer.drawing.paging import MAX_SCREEN_SIZE, find_deepest_view, picture_size

    has_own_layout = target.suffix.lower() in (".svg", ".html")  # then the size of a smaller picture is known, too
    width = picture_size(tree, view, **style).width if has_own_layout else _read_png_width(target)
    if width <= MAX_SCREEN_SIZE.width:
        return ""
    top = find_deepest_view(tree, view, MAX_SCREEN_SIZE, **style) if has_own_layout else None
    advice = SMALLER_TREE_ADVICE if top is None else f"--to-depth {top.max_depth} makes it narrow enough for a screen"
    return f"{target.name} is {width:,} pixels wide: {advice}"


def _read_png_width(target: Path) -> int:
    """Read the width of a .png file in pixels; 0 for other files."""
    if target.suffix.lower() != ".png":
        return 0
    with target.open("rb") as picture:
        return int.from_bytes(picture.read(20)[16:], "big")
