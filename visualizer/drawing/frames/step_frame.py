"""One frame of an animation: the path view of a step, its board, its line of pseudo-code and its sentence."""

from collections.abc import Iterator

from engine.games.boards import Board, find_board, last_move_cells
from engine.tree.node import Node
from engine.tree.trace import ENTER, Step, Trace
from visualizer.drawing.frames.board_scene import draw_board
from visualizer.drawing.frames.path_scene import Area, PathView
from visualizer.drawing.pdf_pages import text_width, wrap_to_width
from visualizer.drawing.scene import Item, Label, Scene, Shape, place_item
from visualizer.narration.captions import search_title
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.numbers import distinct_formatter
from visualizer.narration.pseudocode import NO_LINE, find_code_line, format_code_line, tree_pseudocode
from visualizer.narration.sentences import sentence

BASE_WIDTH, BASE_HEIGHT = 1280, 720  # the sizes below are pixels of a frame of this size
MARGIN = 28
TITLE_FONT, TITLE_HEIGHT = 23, 58
SENTENCE_FONT, MIN_SENTENCE_FONT, SENTENCE_LINES = 31, 20, 3
LINE_SPACING = 1.24
CODE_FONT, CODE_HEIGHT = 25, 46
BOARD_WIDTH, BOARD_HEIGHT = 250, 250
MIN_TREE_WIDTH = 560  # a narrower frame has no board


class StepFrames:
    """The frames of a search, in the proportions of one size."""

    def __init__(self, trace: Trace, max_depth: int, size: tuple[int, int], stubs: bool = True):
        self._trace = trace
        scale = min(size[0] / BASE_WIDTH, size[1] / BASE_HEIGHT)
        self._width, self._height = round(size[0] / scale), round(size[1] / scale)
        self._path_view = PathView(trace, max_depth, stubs)
        self._title = sanitize_line(search_title(trace.tree))

    def draw_step(self, number: int) -> Scene:
        """Return the frame of a step."""
        step = self._trace[number]
        sentence_top = self._height - MARGIN / 2 - SENTENCE_LINES * SENTENCE_FONT * LINE_SPACING
        code_top = sentence_top - CODE_HEIGHT - 14
        board = find_board(self._trace.tree.game, step.node.state)
        board_width = BOARD_WIDTH + MARGIN if board is not None and self._width >= MIN_TREE_WIDTH + BOARD_WIDTH else 0
        tree_area = Area(MARGIN, TITLE_HEIGHT, self._width - 2 * MARGIN - board_width, code_top - TITLE_HEIGHT - 8)
        items: list[Item] = [*self._draw_title(step)]
        items += self._path_view.draw_step(step, tree_area)
        if board is not None and board_width:
            items += self._draw_board(board, step.node, tree_area.right + MARGIN, tree_area.top)
        items += self._draw_code(step, code_top)
        items += self._draw_sentence(step, sentence_top)
        return Scene(self._title, self._width, self._height, tuple(items))

    def _draw_title(self, step: Step) -> Iterator[Item]:
        tree = self._trace.tree
        place = f"step {step.number:,} of {len(self._trace) - 1:,}"
        if tree.notes:
            place = f"pass {tree.pass_number(step.node) + 1} of {len(tree.passes)}, {place}"
        right, base = self._width - MARGIN, MARGIN / 2 + TITLE_FONT
        yield Label(right, base, place, "muted", TITLE_FONT, "end")
        room = right - MARGIN - text_width(place, TITLE_FONT) - 30
        title = self._title
        while len(title) > 2 and text_width(title, TITLE_FONT, True) > room:
            title = title[:-2] + "…"
        yield Label(MARGIN, base, title, "text", TITLE_FONT, bold=True)

    def _draw_board(self, board: Board, node: Node, x: float, y: float) -> Iterator[Item]:
        before = find_board(self._trace.tree.game, node.parent.state) if node.depth else None
        last = () if before is None else last_move_cells(before, board)
        drawn = draw_board(board, last, BOARD_WIDTH, BOARD_HEIGHT)
        return (place_item(item, x + BOARD_WIDTH - drawn.width, y, 1) for item in drawn.items)

    def _draw_code(self, step: Step, top: float) -> Iterator[Item]:
        """Yield the line of pseudo-code, its numbers, and the variables at the right if there is room."""
        bottom, right = top + CODE_HEIGHT, self._width - MARGIN / 2
        yield Shape(((MARGIN / 2, top), (right, top), (right, bottom), (MARGIN / 2, bottom)), "even")
        yield Shape(((MARGIN / 2, top), (MARGIN / 2 + 6, top), (MARGIN / 2 + 6, bottom), (MARGIN / 2, bottom)), "text")
        base, x = top + CODE_HEIGHT / 2 + CODE_FONT * 0.36, float(MARGIN)
        place = find_code_line(step)
        words = "" if place == NO_LINE else tree_pseudocode(self._trace.tree)[place].words.strip()
        max_width = right - MARGIN - x
        for text, bold in ((words, False), (format_code_line(step), True)):
            size = min(CODE_FONT, CODE_FONT * max_width / max(text_width(text, CODE_FONT, bold), 1))
            if text:
                yield Label(x, base, text, "text", size, bold=bold)
                used = text_width(text, size, bold) + 36
                x, max_width = x + used, max(max_width - used, 1)
        variables = self._describe_variables(step)
        if text_width(variables, CODE_FONT) <= max_width:
            yield Label(right - 14, base, variables, "muted", CODE_FONT, "end")

    def _describe_variables(self, step: Step) -> str:
        """Return alpha, beta and the value of the current node."""
        written = distinct_formatter(step.alpha, step.beta, step.best)
        window = [f"α = {written(step.alpha)}", f"β = {written(step.beta)}"] if self._trace.tree.windows else []
        value = [] if step.best is None or step.kind == ENTER else [f"value = {written(step.best)}"]
        return "    ".join([*window, *value])

    def _draw_sentence(self, step: Step, top: float) -> Iterator[Item]:
        """Yield the sentence, in smaller letters if it is long."""
        words, width, size = sanitize_line(sentence(step)), self._width - 2 * MARGIN, float(SENTENCE_FONT)
        room = SENTENCE_LINES * SENTENCE_FONT * LINE_SPACING
        lines = wrap_to_width(words, size, width)
        while size > MIN_SENTENCE_FONT and len(lines) * size * LINE_SPACING > room:
            size -= 1
            lines = wrap_to_width(words, size, width)
        for number, line in enumerate(lines[: int(room / (size * LINE_SPACING))]):
            yield Label(MARGIN, top + size * (0.9 + number * LINE_SPACING), line, "text", size)
