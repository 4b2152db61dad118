"""Every figure that the five reports publish, with the figure that our searches measure."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.analysis.statistics import count_doubled_links
from engine.games.capabilities import game_preset
from engine.games.presets import PRESETS, preset
from engine.matches.tournament import CellResult, Tournament, explain_repeated_games
from engine.matches.tournament_grid import Grid
from engine.searcher import search_uninterrupted as search

GAMES_PER_CELL = 3

# K, position, nodes of minimax, nodes of alpha-beta, value, move (None: misprinted, see the notes)
K_TABLE = (
    (3, "3", 400, 234, -3, 3),
    (3, "334", 400, 239, -5, None),
    (3, "33443", 400, 220, -5, 3),
    (5, "3", 19608, 4290, 0, 2),
    (5, "324", 19608, 4595, -4, 2),
    (5, "32425", 19607, 6000, -11, 3),
    (6, "3", 137256, 15415, 14, 1),
    (6, "314", 137254, 27906, 15, 5),
    (6, "31455", 137216, 12246, 12, 3),
)
SAMPLE_GAME, SAMPLE_SCORE = "335505221440012231334444626166515153626000", (2, 8)

LONG_STATE_POSITION, LONG_STATE_LINKS = "1010012133334346464663", 17_678_113

# winner (0: draw) by depth of AI #1 (row) and AI #2 (column), and draws counted
HEAT_MAPS = {
    3: (("2222", "0022", "0022", "2222"), 12),
    4: (("0000", "0022", "1000", "0000"), 39),
    5: (("0220", "1100", "0000", "0000"), 36),
    6: (("2222", "0120", "0000", "1220"), 21),
}


class PublishedFigure(NamedTuple):
    preset: str
    figure: str
    published: Any
    measured: Any

    @property
    def equal(self) -> bool:
        return self.published == self.measured


class PublishedSearch(NamedTuple):
    """The published result of one search."""

    expanded: int
    value: float
    best_move: int | None  # None: misprinted


def published_searches(game: Any, root: Any) -> dict[tuple[int, str], PublishedSearch]:
    """Return the published results for searches of this game and position, by depth and algorithm."""
    if game_preset(game) != "k-tables" or game != preset("k-tables"):
        return {}
    return {
        (K, algorithm): PublishedSearch(nodes, value, move)
        for K, position, minimax_nodes, alphabeta_nodes, value, move in K_TABLE
        if game.state(position) == root
        for algorithm, nodes in (("minimax", minimax_nodes), ("alphabeta", alphabeta_nodes))
    }


def reproduce_figures(
    name: str | None = None, on_figure: Callable[[PublishedFigure], object] | None = None
) -> list[PublishedFigure]:
    """Measure every published figure, of one preset or of all. `on_figure` gets each one as it is measured."""
    if name is not None:
        preset(name)  # refuses unknown names
    figures = []
    for preset_name in PRESETS if name is None else (name,):
        for figure in FIGURE_MEASURES.get(preset_name, _no_figures)():
            figures.append(figure)
            if on_figure is not None:
                on_figure(figure)
    return figures


def _no_figures() -> Iterator[PublishedFigure]:
    return iter(())


def _measure_k_tables() -> Iterator[PublishedFigure]:
    game = preset("k-tables")
    for K, position, minimax_nodes, alphabeta_nodes, value, move in K_TABLE:
        where = f"K={K}, position {position}"
        plain = search(game, position, K, "minimax", as_published=True)
        pruned = search(game, position, K, "alphabeta", as_published=True)
        yield PublishedFigure("k-tables", f"{where}: nodes of minimax", minimax_nodes, plain.expanded)
        yield PublishedFigure("k-tables", f"{where}: nodes of alpha-beta", alphabeta_nodes, pruned.expanded)
        yield PublishedFigure("k-tables", f"{where}: value", value, int(pruned.root.value))
        if move is not None:
            yield PublishedFigure("k-tables", f"{where}: move", move, pruned.root.best_move)
    moves = ""
    for human in SAMPLE_GAME[::2]:
        moves += human
        moves += str(search(game, moves, 3, as_published=True).root.best_move)
    yield PublishedFigure("k-tables", "sample game, K=3", SAMPLE_GAME, moves)
    final = game.state(SAMPLE_GAME)
    yield PublishedFigure("k-tables", "sample game: score of the human", SAMPLE_SCORE[0], game.score(final.max_discs))
    yield PublishedFigure("k-tables", "sample game: score of the computer", SAMPLE_SCORE[1], game.score(final.min_discs))


def _measure_long_state() -> Iterator[PublishedFigure]:
    tree = search(preset("long-state"), LONG_STATE_POSITION, 8, "minimax", first="max")
    yield PublishedFigure("long-state", "expanded nodes of minimax, depth 8", LONG_STATE_LINKS, count_doubled_links(tree))


def _measure_connect_m() -> Iterator[PublishedFigure]:
    for size, (rows, draws) in HEAT_MAPS.items():
        grid = Grid("connect-m", sizes=(size,), depths=tuple(range(1, len(rows) + 1)), games=GAMES_PER_CELL)
        drawn = 0
        for cell in Tournament(grid).run().cells():
            won = cell_winner(cell)
            drawn += cell.draws
            where = f"{size}x{size}, AI #1 depth {cell.depth1}, AI #2 depth {cell.depth2}: winner"
            yield PublishedFigure("connect-m", where, published_winner(cell), won)
        yield PublishedFigure("connect-m", f"{size}x{size}: draws", draws, drawn)


def cell_winner(cell: CellResult) -> int | None:
    """Return the player who has won all games of a cell; 0 if all were drawn, None if results differ."""
    ends = {1: cell.wins1, 2: cell.wins2, 0: cell.draws}
    return next((who for who, times in ends.items() if times == sum(ends.values())), None)


def published_winner(cell: CellResult) -> int | None:
    """Return the winner in the report's heat map; None if this cell is not in it."""
    rows = HEAT_MAPS.get(cell.size or 0, ((), 0))[0]
    as_there = cell.game == f"connect-m:size={cell.size}" and cell.starts == "max" and not cell.evaluation1 + cell.evaluation2
    if not as_there or any(game.fixture.opening for game in cell.games) or cell.depth1 is None or cell.depth2 is None:
        return None
    if max(cell.depth1, cell.depth2) > len(rows):
        return None
    return int(rows[cell.depth1 - 1][cell.depth2 - 1])


FIGURE_MEASURES: dict[str, Callable[[], Iterator[PublishedFigure]]] = {
    "k-tables": _measure_k_tables,
    "long-state": _measure_long_state,
    "connect-m": _measure_connect_m,
}


def preset_notes(name: str) -> list[str]:
    """Return notes for the reader: misprints, ways of counting, figures that are not compared. Our own figures in them are
    measured.
    """
    return list(NOTES[name]())


def _k_tables_notes() -> Iterator[str]:
    played = search(preset("k-tables"), "334", 3, as_published=True).root.best_move
    full = search(preset("k-tables"), "3", 3, "minimax").expanded
    yield (
        f"Position 334 at K=3: the report prints column 3 as the move played, but its program plays column {played}. "
        "This is a misprint, so there is no row for it above."
    )
    yield f"The counts include the root and the leaves: a full tree has (7^(K+1) - 1) / 6 nodes, {full} for K=3."
    yield "The running times of the report depend on its machine and are not compared."


def _long_state_notes() -> Iterator[str]:
    plain, pruned = (
        search(preset("long-state"), LONG_STATE_POSITION, 8, algorithm, first="max") for algorithm in ("minimax", "alphabeta")
    )
    yield (
        f"The real tree has {plain.expanded:,} nodes: the program links every child of a MIN node twice and then counts the "
        "links, so each MIN level doubles everything below it. The row above counts the links in the same way."
    )
    yield (
        f"Alpha-beta to the same depth expands {pruned.expanded:,} nodes ({count_doubled_links(pruned):,} with doubled links): "
        "measured by us, not published."
    )


def _connect_m_notes() -> Iterator[str]:
    yield explain_repeated_games(GAMES_PER_CELL)
    yield explain_equal_depths()
    yield "The report's text says 10 to the power of n for a window of n discs; its program, and so its figures, use 10 times n."


def explain_equal_depths() -> str:
    """Describe the report's conclusion about players of equal depth, and compare it with its heat maps."""
    equal = [(size, depth, row[depth - 1]) for size, (rows, _) in HEAT_MAPS.items() for depth, row in enumerate(rows, start=1)]
    decided: dict[tuple[int, str], list[str]] = {}
    for size, depth, won in equal:
        if won != "0":
            decided.setdefault((size, won), []).append(str(depth))
    drawn = len(equal) - sum(map(len, decided.values()))
    sides = {"1": "MAX (AI #1 there)", "2": "MIN (AI #2 there)"}
    listed = [
        f"On {size}x{size}, {sides[won]} wins at {'depths' if len(at) > 1 else 'depth'} {', '.join(at)}."
        for (size, won), at in decided.items()
    ]
    cells = (
        f"In its own heat maps, {drawn} of the {len(equal)} cells of equal depths are draws, and {len(equal) - drawn} are not."
    )
    return " ".join(["The report concludes that players of equal depth draw.", cells, *listed])


def _threats_notes() -> Iterator[str]:
    game = preset("threats")
    published, corrected = (search(game, "", 5, as_published=quirks).expanded for quirks in (True, False))
    yield (
        "This report publishes no counts. Its search opens a fresh window for every move at the root, so nothing is pruned "
        f"between them: from the empty board it expands {published:,} nodes in 5 plies. Correct alpha-beta expands {corrected:,}."
    )
    yield "Its depth D means D + 1 plies."


def _full_depth_notes() -> Iterator[str]:
    tree = search(preset("full-depth"), depth=20)
    yield "This report publishes only running times, which depend on its machine and are not compared."
    yield (
        f"Searched to the end from the empty board of 4 rows x 5 columns, alpha-beta expands {tree.expanded:,} nodes "
        f"and finds the value {tree.root.value:g}: measured by us."
    )


NOTES: dict[str, Callable[[], Iterator[str]]] = {
    "full-depth": _full_depth_notes,
    "connect-m": _connect_m_notes,
    "long-state": _long_state_notes,
    "threats": _threats_notes,
    "k-tables": _k_tables_notes,
}
