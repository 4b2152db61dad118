"""What a report says, block by block."""

import shlex
from collections.abc import Iterator
from importlib.metadata import version

from engine.algorithms.variants import title_of
from engine.analysis.alignment import PRUNED, Saving
from engine.analysis.comparison import COMPARED, MOST_WRITTEN, WARM_UP
from engine.analysis.comparison_result import Comparison, Level
from engine.analysis.rung_savings import Climb, ladder, longest
from engine.core.parsing import depths_text, plies
from engine.games.boards import show_state
from engine.games.capabilities import evaluation_name
from engine.games.registry import game_text
from engine.searcher import MAX_NODES
from engine.tree.trace import Trace
from visualizer.drawing import comparison_chart, ladder_chart
from visualizer.narration.captions import COUNTING, ROUNDED, place, where
from visualizer.narration.ladder_messages import capital, climb_words, titles
from visualizer.narration.move_reasons import LONGEST_COMMAND, options_typed
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import counted, telling_apart
from visualizer.narration.sentences import sentence
from visualizer.narration.text_width import short
from visualizer.report import FIGURE_NODES, tables
from visualizer.report.blocks import Block, Chart, Command, Figure, Heading, Paragraph, Table, Verbatim

CUTOFFS_SHOWN = 5
CUTOFFS = {True: "when the value reaches the bound", False: "only when the value is beyond the bound"}  # by cut_on_equal
LONGEST_BOARD = 40  # lines
AS_TEXT = "As text: a picture of it would be wider than a page."
POSSIBLE = (
    "Minimal tree: the fewest nodes of this very tree that prove its value, and the fewest leaves. No search that is sure of the "
    "value needs fewer, unless a table knows positions that come again. Where all nodes have b children and the sides "
    "take turns, K plies take b^ceil(K/2) + b^floor(K/2) − 1 leaves (Knuth and Moore). Best child first: what alpha-beta would "
    "expand if at every node the child with the best minimax value (the first of equals) were tried first and the others after "
    "it. On uneven trees that can be more than the minimal tree."
)
CALLS = (
    "Expanded counts calls: the same path of moves may be called again, after a probe with a narrow window, in another pass, or "
    "to ask the table. Distinct counts every path once. Evaluations are the static values that were asked for."
)
LADDER = (
    "A full box is what the rung before it needs; what is missing of it is saved, and what stands out beyond it costs more. A "
    "rung can cost more in one position and save in another."
)
NODE_TYPES = (
    "A PV node has a value inside its window. At a CUT node the value reached the other side's bound, so one good move was "
    "enough; at an ALL node it stayed below what the side to move is sure of elsewhere, so every move had to be looked at."
)


def title(comparison: Comparison) -> str:
    names = capital(" against ".join(map(title_of, comparison.algorithms)))
    if len(comparison.algorithms) > 2:
        names = f"{capital(titles(comparison.algorithms))} compared"
    return f"{names}: {', '.join(where(comparison.game, comparison.position, comparison.first))}"


def report(comparison: Comparison) -> Iterator[Block]:
    """The whole report."""
    yield Heading(title(comparison), 1)
    yield from findings(comparison)
    if note := may_differ(comparison):
        yield Paragraph(note)
    yield Heading("Set-up")
    yield from _setup(comparison)
    yield Heading("What is counted")
    yield Paragraph(
        f"{COUNTING} Leaves are the nodes where the game is over (terminals) or the depth limit K is reached. A cutoff leaves "
        "a node while legal moves are untried; those are the skipped moves. Values are seen from MAX's side."
    )
    if any(row.rounded for row in comparison.rows):
        yield Paragraph(ROUNDED)
    yield Heading("Results")
    yield tables.results(comparison)
    if (calls := tables.calls(comparison)).rows:
        yield calls
        yield Paragraph(CALLS)
    yield from _published(comparison)
    yield from _charts(comparison)
    yield from _ladder(comparison)
    yield from _possible(comparison)
    if any(row.recorded for row in comparison.rows):
        yield Heading("Times")
        yield tables.times(comparison)
        yield Paragraph(protocol(comparison))
    yield from _cutoffs(comparison)
    yield from _trees(comparison)
    yield Heading("How to reproduce")
    yield from _reproduce(comparison)


BEYOND = (
    "With quiescence a search goes beyond K, and its value is no longer that of minimax to K: "
    "only searches that go equally far beyond have to agree."
)


def may_differ(comparison: Comparison) -> str:
    """Why values may differ and nothing is wrong; empty if they may not."""
    plies_beyond = {question.options.get("quiescence", 0) for question in comparison.questions.values()}
    return BEYOND if len(plies_beyond) > 1 else ""


def findings(comparison: Comparison) -> Iterator[Paragraph]:
    """What has to be said first: values that differ, rows that are missing."""
    for level in comparison.disagreements:
        rows = [row for row in comparison.rows if row.depth == level.depth and row.value is not None]
        written = telling_apart(*(row.value for row in rows))
        said = "; ".join(
            f"{title_of(row.algorithm)} says {written(row.value or 0.0)}, best move {short(row.best_move_name) or 'none'}"
            for row in rows
        )
        yield Paragraph(f"At K={plies(level.depth)} the algorithms do not agree: {said}. {level.note}".strip(), strong=True)
    if comparison.stopped:
        done = ", ".join(plies(level.depth) for level in comparison.levels) or "none"
        yield Paragraph(f"The comparison was stopped ({comparison.stopped}). Depths that are done: {done}.", strong=True)


def held_back(comparison: Comparison) -> str:
    """Why nothing ran compiled although some could; empty if all did, or none could."""
    if not comparison.held_back:
        return ""
    slow, fast = comparison.readable, comparison.held_back
    has, run = "has" if len(slow) == 1 else "have", "runs" if len(fast) == 1 else "run"
    return (
        f"{capital(titles(slow))} {has} no compiled text for this game, so {titles(fast)} {run} by the readable text too: times "
        "of compiled and of readable texts are no comparison."
    )


def protocol(comparison: Comparison) -> str:
    """How the times were taken."""
    rounds = "one run" if comparison.repeat == 1 else f"the median of {comparison.repeat} runs, with the least and the greatest"
    text = (
        f"Each time is {rounds}, on a clock of real time. Before the first one every search was run once, up to "
        f"{WARM_UP:,} nodes, and not measured. In each round the algorithms take turns: the search with recording, "
    )
    if comparison.writes:
        text += f"its tree written as text (values only) to a temporary file (trees of up to {MOST_WRITTEN:,} nodes), "
    text += "then the search alone, with nothing written down."
    text += f" {'Compiled kernel' if comparison.compiled else 'Readable text of the algorithms, not compiled'}."
    return " ".join(filter(None, [text, held_back(comparison)]))


def command(comparison: Comparison) -> str:
    """The command that does all this again; empty for games that the command line does not know."""
    game = game_text(comparison.game)
    if not game or comparison.position is None or len(game) > LONGEST_COMMAND:
        return ""
    words = ["plyscope", "compare", game]
    words += ["--moves", comparison.position] if comparison.position else []
    words += ["--first", comparison.first] if comparison.first else []
    words += ["--depths", depths_text(comparison.depths)]
    words += ["--algorithms", ",".join(comparison.algorithms)] if comparison.algorithms != COMPARED else []
    words += ["--repeat", str(comparison.repeat)]
    words += options_typed(comparison.chosen)
    words += ["--max-nodes", str(comparison.max_nodes)] if comparison.max_nodes != MAX_NODES else []
    return shlex.join(words)


def _setup(comparison: Comparison) -> Iterator[Block]:
    game = comparison.game
    moves = spoken_moves(game, comparison.position or "")
    after = {None: "given as a state", "": "the start"}.get(comparison.position, f"after the moves {moves}")
    facts = [
        ["game", where(game, None, None)[0]],
        ["position", after],
        ["moved first", comparison.first.upper() if comparison.first else ""],
        ["to move", "MAX" if game.maximizing(comparison.root) else "MIN"],
        ["evaluation", evaluation_name(game) or ""],
        ["depths K", depths_text(comparison.depths)],
        ["algorithms", ", ".join(title_of(name) for name in comparison.algorithms)],
        ["cutoffs", CUTOFFS[comparison.options["cut_on_equal"]] if "cut_on_equal" in comparison.options else ""],
        ["as published", "yes, with the quirks of the original program" if comparison.options.get("as_published") else ""],
        *([option.label, str(value)] for option, value in comparison.chosen if not option.is_switch),
        ["at most", f"{comparison.max_nodes:,} nodes a search"],
    ]
    yield Table("", ["", ""], [fact for fact in facts if fact[1]], (0, 1))
    yield Verbatim(_board(show_state(game, comparison.root)))


def _board(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(lines[:LONGEST_BOARD] + ["…"] * (len(lines) > LONGEST_BOARD))


def _published(comparison: Comparison) -> Iterator[Block]:
    rows = [row for row in comparison.rows if row.published is not None]
    if rows:
        equal = sum(row.published is not None and row.published.expanded == row.expanded for row in rows)
        yield Paragraph(f"{equal} of {len(rows)} published node counts are reproduced.")


def _charts(comparison: Comparison) -> Iterator[Block]:
    panels = comparison_chart.panels(comparison)
    if panels:
        yield Heading("Charts")
        caption = "Per depth K, on logarithmic scales; the thin bars reach from the least to the greatest time."
        yield Chart(caption, comparison_chart.sketch(comparison, title(comparison)), panels)


def _ladder(comparison: Comparison) -> Iterator[Block]:
    drawn = ladder_chart.sketch(comparison, title(comparison))
    climbed = ladder(comparison)
    if drawn is not None:
        depth = longest(climbed)
        yield Heading("The ladder: what each rung saves over the one before")
        yield Chart(f"{ladder_chart.heading(depth)}. {LADDER}", drawn, [], ladder_chart.as_text(comparison))
        yield Paragraph(" ".join(ladder_sentences(climbed[depth])))
        yield tables.climbs(comparison)


def ladder_sentences(steps: list[Climb]) -> list[str]:
    """The rungs in words."""
    return [capital(climb_words(step)) for step in steps]


def _possible(comparison: Comparison) -> Iterator[Block]:
    if any(level.best_first for level in comparison.levels):
        yield Heading("How good could it be")
        yield tables.possible(comparison)
        yield Paragraph(POSSIBLE)
    if any(row.node_types for row in comparison.rows):
        yield tables.cutoffs(comparison)
        yield Paragraph(NODE_TYPES)


def valuable_level(comparison: Comparison) -> Level | None:
    """The deepest level at which it is known what the cutoffs saved."""
    return next((level for level in reversed(comparison.levels) if level.savings), None)


def _cutoffs(comparison: Comparison) -> Iterator[Block]:
    level = valuable_level(comparison)
    if level is None or level.saved is None:
        return
    yield Heading("The most valuable cutoffs")
    row = comparison.row(level.depth, PRUNED)
    made = counted(row.cutoffs or 0 if row else 0, "cutoff")
    yield Paragraph(
        f"At K={plies(level.depth)} alpha-beta made {made}. All in all that saved exactly "
        f"{counted(level.saved, 'node')}: all that minimax visits and alpha-beta does not. These saved most."
    )
    for rank, saving in enumerate(level.savings[:CUTOFFS_SHOWN], start=1):
        yield Heading(f"{rank}. {saving_text(saving, level.saved)}", 3)
        yield Paragraph(sentence(Trace(saving.node.tree)[saving.step]))
        yield Verbatim(_board(saving.node.board))


def saving_text(saving: Saving, all_saved: int) -> str:
    """What a cutoff saved, and where it is."""
    share = f"{100 * saving.saved / all_saved:.3g}%"
    return (
        f"{counted(saving.saved, 'node')} saved ({share}), {place(saving.node)}: node {int(saving.node):,}, step {saving.step:,}"
    )


def _trees(comparison: Comparison) -> Iterator[Block]:
    """The largest trees that can still be read, of one depth."""
    small = {key: tree for key, tree in comparison.trees.items() if len(tree) <= FIGURE_NODES}
    for level in reversed(comparison.levels):
        trees = {name: small[level.depth, name] for name in comparison.algorithms if (level.depth, name) in small}
        if len(trees) == len(comparison.algorithms):
            yield Heading("Small trees")
            for name, tree in trees.items():
                yield Figure(f"All {len(tree)} nodes of {title_of(name)}, K={plies(level.depth)}.", tree)
            return


def _reproduce(comparison: Comparison) -> Iterator[Block]:
    again = command(comparison)
    yield Paragraph(f"Made with Plyscope {version('plyscope')}.")
    if again:
        yield Command(again)
    else:
        yield Paragraph("This game or position has no short text for the command line; in Python:")
        depths = depths_text(comparison.depths)
        yield Command(
            f'from engine import compare\ncompare(game, position, "{depths}", {comparison.algorithms}, {comparison.repeat})'
        )
