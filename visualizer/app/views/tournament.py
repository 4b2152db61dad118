"""The page "Tournament": search depths against each other, on a grid of boards."""

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import streamlit as st

from engine import PlyscopeError
from engine.games.capabilities import single_digits, spoken_move
from engine.games.positions import read_moves, write_moves
from engine.games.registry import read_game
from engine.matches.tournament import Cell, CellGame, Tournament, match_of
from visualizer.app.forms.match_forms import ask_for_tournament
from visualizer.app.sections.downloads import download
from visualizer.app.state.background_search import awaited
from visualizer.app.state.jobs import TournamentJob
from visualizer.app.state.lazy_sections import behind, below
from visualizer.app.state.move_search import see_why
from visualizer.app.state.navigation_state import come_back, fall_back, keep_address
from visualizer.app.state.url_params import Competing, read_competing
from visualizer.app.views.play import SIDES
from visualizer.drawing import tournament_heatmap
from visualizer.narration.escapes import page_markdown
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import counted
from visualizer.narration.tournament_notes import notes
from visualizer.report import tournament_files
from visualizer.viewer.board_picker import picker
from visualizer.viewer.heatmap_table import heat

KEPT = 5  # tournaments of a visitor
DRAWS = {
    "mark": {"type": "bar", "color": "#8A8F94"},
    "encoding": {
        "x": {"field": "draws", "type": "quantitative", "title": "games drawn"},
        "y": {"field": "board", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 300}},
        "tooltip": [
            {"field": "board", "type": "nominal"},
            {"field": "draws", "type": "quantitative"},
            {"field": "games", "type": "quantitative"},
        ],
    },
}


def page() -> None:
    come_back("tournament")
    competing, wrong = read_competing(st.query_params.to_dict())
    keep_address("tournament")
    fall_back("tournament", wrong, competing.parameters())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{page_markdown(competing.words())}**")
        behind("Change", ":material/tune:", f"change {competing}", ask_for_tournament, competing, open_tournament)
        downloads = st.empty()
    tournament = played(competing)
    if tournament is None:
        return
    cells = tournament.cells()
    with downloads:
        behind("Download", ":material/download:", f"download {competing}", _offer_files, competing, cells)
    if tournament.left:
        st.warning(f"{len(tournament.left):,} of {len(tournament.fixtures):,} games were not played.")
        st.button("Play the rest", icon=":material/replay:", on_click=_go_on, args=(competing,))
    _show(competing, cells)


def open_tournament(competing: Competing) -> None:
    """Show another tournament: the address says which."""
    st.query_params.from_dict(competing.parameters())
    st.rerun()


# ---- running


def played(competing: Competing) -> Tournament | None:
    """The tournament; None while it is played, or after saying why it cannot be."""
    kept: dict[Competing, Tournament] = st.session_state.setdefault("tournaments", {})
    if competing not in kept or st.session_state.get("rest") == competing:
        try:
            job = awaited(competing, lambda: TournamentJob(kept.get(competing) or Tournament(competing.grid())), _told)
        except PlyscopeError as error:
            st.error(page_markdown(str(error)), icon=":material/error:")
            return None
        if job is None:
            _cells_so_far(str(competing))
            return None
        st.session_state.pop("rest", None)
        kept[competing] = job.tournament
        while len(kept) > KEPT:
            del kept[next(iter(kept))]
    return kept[competing]


@st.fragment(run_every=0.5)
def _cells_so_far(key: str) -> None:
    """The heat maps fill as cells are finished."""
    running = st.session_state.get("job")
    if running is not None and isinstance(running[1], TournamentJob) and (cells := running[1].tournament.cells()):
        heat(cells, None, f"so far {key}")


def _told(job: TournamentJob) -> tuple[float, str]:
    done, games = len(job.tournament.played), len(job.tournament.fixtures)
    return done / max(games, 1), f"{done:,} of {games:,} games played"


def _go_on(competing: Competing) -> None:
    st.session_state["rest"] = competing


# ---- what came out


def _show(competing: Competing, cells: list[Cell]) -> None:
    chosen: int | None = st.session_state.get("cell", {}).get(competing)
    clicked = heat(cells, chosen, str(competing))
    if clicked is not None and clicked != chosen:
        st.session_state["cell"] = {competing: clicked}
        st.rerun()
    st.caption(page_markdown(f"Rows: how deep MAX looks; columns: MIN. {tournament_heatmap.LEGEND} A click opens a cell."))
    for note in notes(competing.grid(), cells):
        st.caption(page_markdown(note.replace(" (--openings)", "")))
    if chosen is not None and chosen < len(cells):
        _show_cell(cells[chosen], f"{competing} {chosen}")
    below("Draws", ":material/bar_chart:", f"draws {competing}", _show_draws, cells)


def _show_draws(cells: list[Cell]) -> None:
    bars = [{"board": panel.title, "draws": panel.draws, "games": panel.games} for panel in tournament_heatmap.panels(cells)]
    st.vega_lite_chart(pa.Table.from_pylist(bars), DRAWS, key="draws")


def _show_cell(cell: Cell, key: str) -> None:
    """The games of a cell; each is replayed move by move."""
    st.subheader(f"MAX at depth {cell.depth1} against MIN at depth {cell.depth2}", anchor=False)
    st.caption(f"{page_markdown(tournament_heatmap.cell_words(cell))}.")
    names = [_name(game) for game in cell.games]
    number = 0
    if len(names) > 1:
        number = st.selectbox("Game", range(len(names)), format_func=names.__getitem__, key=f"game of {key}")
    else:
        st.markdown(page_markdown(names[0]))
    _replay(cell.games[number], f"{key} {number}")


def _name(game: CellGame) -> str:
    result = f"{SIDES[game.winner]} wins" if game.winner else "A draw"
    played = read_game(game.fixture.game)
    opening = f", random opening {spoken_moves(played, game.fixture.opening)}" if game.fixture.opening else ""
    times = f", counted {counted(game.times, 'time')}" if game.times > 1 else ""
    return f"{result}{opening}{times}, after {spoken_moves(played, game.moves)}"


def _replay(game: CellGame, key: str) -> None:
    digits = single_digits(read_game(game.fixture.game))
    moves = read_moves(game.moves, digits)
    opening = len(read_moves(game.fixture.opening, digits))
    board, beside = st.columns([2, 1], gap="large")
    with beside:
        plies = st.slider("Move", 0, len(moves), len(moves), key=f"ply of {key}")
        match = match_of(game.fixture, write_moves(moves[:plies], digits))
        if opening < plies:
            before = replace(match, moves=match.moves[:-1])
            made = spoken_move(match.game, before.name_of(moves[plies - 1]))
            st.markdown(f"{SIDES[before.side]} chose {page_markdown(made)}.")
            see_why((key, plies), before, moves[plies - 1])
        elif plies:
            st.markdown("A move of the random opening.")
    with board:
        last = replace(match, moves=match.moves[:-1]).state if match.moves else None
        end = match.outcome
        picker(
            match.game, match.state, f"replay {key}", lambda move: None, ply=plies, before=last,
            line=sorted(end.line) if end else (), locked=True, falling=True,
        )  # fmt: skip


def _offer_files(competing: Competing, cells: list[Cell]) -> None:
    with st.container(horizontal=True):
        for extension in tournament_files.FILES:
            download("tournament", extension, _made(competing, cells, extension), "", f"tournament {extension}")


def _made(competing: Competing, cells: list[Cell], extension: str) -> Callable[[], bytes]:
    return lambda: tournament_files.FILES[extension](competing.grid(), cells)
