"""The page "Tournament": search depths against each other, on a grid of boards."""

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import streamlit as st

from engine import PlyscopeError
from engine.core.file_names import make_file_name
from engine.games.capabilities import has_single_digit_moves, move_phrase
from engine.games.positions import read_moves, write_moves
from engine.games.registry import read_game
from engine.matches.players import read_player
from engine.matches.tournament import CellGame, CellResult, Tournament, make_match
from visualizer.app.forms.match_forms import ask_for_tournament
from visualizer.app.sections.downloads import download_button
from visualizer.app.sections.published_programs import offer_programs
from visualizer.app.state.background_search import poll_job
from visualizer.app.state.jobs import TournamentJob
from visualizer.app.state.lazy_sections import lazy_expander, lazy_popover
from visualizer.app.state.move_search import offer_move_reason
from visualizer.app.state.navigation_state import remember_params, replace_bad_params, restore_page
from visualizer.app.state.url_params import TournamentParams, read_tournament_params
from visualizer.app.views.play import SIDE_LABELS
from visualizer.drawing import tournament_heatmap
from visualizer.narration.escapes import escape_page_markdown
from visualizer.narration.file_names import game_file_part
from visualizer.narration.glossary import PRESET_LABELS
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import format_count
from visualizer.narration.player_messages import player_title
from visualizer.narration.tournament_notes import describe_unfinished, list_tournament_notes
from visualizer.report import tournament_files
from visualizer.viewer.board_picker import show_board_picker
from visualizer.viewer.heatmap_table import needs_stars, show_heatmaps

LABEL_LEGEND = tournament_heatmap.LABEL_LEGEND.replace(" ▼", "\u00a0▼").replace(" =", "\u00a0=")  # on one line
MAX_TOURNAMENTS = 5  # tournaments of a visitor
DRAWS_CHART = {
    "mark": {"type": "bar", "color": "#8A8F94"},
    "encoding": {
        "x": {
            "field": "draws",
            "type": "quantitative",
            "title": "games drawn",
            "axis": {"tickMinStep": 1, "format": "d"},  # no half games
        },
        "y": {"field": "board", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 300}},
        "tooltip": [
            {"field": "board", "type": "nominal"},
            {"field": "draws", "type": "quantitative"},
            {"field": "games", "type": "quantitative"},
        ],
    },
}


def page() -> None:
    restore_page("tournament")
    competing, wrong = read_tournament_params(st.query_params.to_dict())
    remember_params("tournament")
    replace_bad_params("tournament", wrong, competing.parameters())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escape_page_markdown(competing.describe())}**")
        lazy_popover("Change", ":material/tune:", f"change {competing}", ask_for_tournament, competing, open_tournament)
        downloads = st.empty()
        offer_programs(_find_program(competing), str(competing), lambda name: open_tournament(program_tournament(name)))
    tournament = run_tournament(competing)
    if tournament is None:
        return
    cells = tournament.cells()
    if tournament.remaining_fixtures:
        st.warning(describe_unfinished(tournament))
        st.button("Play the rest", icon=":material/replay:", on_click=_resume_tournament, args=(competing,))
    if cells:
        with downloads:
            lazy_popover("Download", ":material/download:", f"download {competing}", _offer_files, competing, cells)
        _show_results(competing, cells)


def open_tournament(competing: TournamentParams) -> None:
    """Show another tournament, by setting its URL parameters."""
    st.query_params.from_dict(competing.parameters())
    st.rerun()


def program_tournament(name: str) -> TournamentParams:
    """Return the tournament of a published student program: that of its report, or the default one."""
    return read_tournament_params({"game": name})[0]


def _find_program(competing: TournamentParams) -> str | None:
    return next((name for name in PRESET_LABELS if competing == program_tournament(name)), None)


# ---- running


def run_tournament(competing: TournamentParams) -> Tournament | None:
    """Return the tournament; None while it is played, or after a message if it cannot be."""
    tournaments: dict[TournamentParams, Tournament] = st.session_state.setdefault("tournaments", {})
    if competing not in tournaments or st.session_state.get("rest") == competing:
        try:
            job = poll_job(
                competing, lambda: TournamentJob(tournaments.get(competing) or Tournament(competing.grid())), _format_progress
            )
        except PlyscopeError as error:
            st.error(escape_page_markdown(str(error)), icon=":material/error:")
            return None
        if job is None:
            _show_cells_so_far(str(competing))
            return None
        st.session_state.pop("rest", None)
        tournaments[competing] = job.tournament
        while len(tournaments) > MAX_TOURNAMENTS:
            del tournaments[next(iter(tournaments))]
    return tournaments[competing]


@st.fragment(run_every=0.5)
def _show_cells_so_far(key: str) -> None:
    """Show the heat maps of the cells that are finished."""
    running = st.session_state.get("job")
    if running is not None and isinstance(running[1], TournamentJob) and (cells := running[1].tournament.cells()):
        with st.container(key="cells_so_far"):
            show_heatmaps(cells, None, f"so far {key}", locked=True)


def _format_progress(job: TournamentJob) -> tuple[float, str]:
    done, games = len(job.tournament.played), len(job.tournament.fixtures)
    return done / max(games, 1), f"{done:,} of {games:,} different games played"


def _resume_tournament(competing: TournamentParams) -> None:
    st.session_state["rest"] = competing


# ---- results


def _show_results(competing: TournamentParams, cells: list[CellResult]) -> None:
    chosen: int | None = st.session_state.get("cell", {}).get(competing)
    clicked = show_heatmaps(cells, chosen, str(competing))
    if clicked is not None and clicked != chosen:
        st.session_state["cell"] = {competing: clicked}
        st.rerun()
    what, K = ("", "") if competing.named_players else ("K of ", " K is how many moves a player looks ahead.")
    st.caption(escape_page_markdown(f"Rows: {what}MAX. Columns: {what}MIN.{K} {LABEL_LEGEND} Click a cell to see its games."))
    for note in list_tournament_notes(competing.grid(), cells):
        words = note if needs_stars(cells) else note.removeprefix("* ")
        st.caption(escape_page_markdown(words.replace(" (--openings)", "")))
    if chosen is not None and chosen < len(cells):
        with st.container(key="cell_games"):  # heatmap_table.js scrolls to it
            _show_cell(cells[chosen], f"{competing} {chosen}")
    lazy_expander("Draws", ":material/bar_chart:", f"draws {competing}", _show_draws, cells)


def _show_draws(cells: list[CellResult]) -> None:
    bars = [
        {"board": panel.title, "draws": panel.draws, "games": panel.games} for panel in tournament_heatmap.build_panels(cells)
    ]
    st.vega_lite_chart(pa.Table.from_pylist(bars), DRAWS_CHART, key="draws")


def _show_cell(cell: CellResult, key: str) -> None:
    """Show the games of a cell. Each can be replayed move by move."""
    st.subheader(escape_page_markdown(_describe_pair(cell)), anchor=False)
    st.caption(f"{escape_page_markdown(tournament_heatmap.describe_result(cell))}.")
    names = [_describe_game(game) for game in cell.games]
    number = 0
    if len(names) > 1:
        number = st.selectbox("Game", range(len(names)), format_func=names.__getitem__, key=f"game of {key}")
    else:
        st.markdown(escape_page_markdown(names[0]))
    _show_replay(cell.games[number], f"{key} {number}")


def _describe_pair(cell: CellResult) -> str:
    if cell.depth1 is not None:
        return f"MAX with K={cell.depth1} against MIN with K={cell.depth2}"
    one, two = (player_title(read_player(text)) for text in (cell.player1, cell.player2))
    return f"MAX: {one}. MIN: {two}"


def _describe_game(game: CellGame) -> str:
    result = f"{SIDE_LABELS[game.winner]} wins" if game.winner else "A draw"
    played = read_game(game.fixture.game)
    opening = f", random opening {describe_moves(played, game.fixture.opening)}" if game.fixture.opening else ""
    times = f", counted {format_count(game.times, 'time')}" if game.times > 1 else ""
    return f"{result}{opening}{times}, after {describe_moves(played, game.moves)}"


def _show_replay(game: CellGame, key: str) -> None:
    digits = has_single_digit_moves(read_game(game.fixture.game))
    moves = read_moves(game.moves, digits)
    opening = len(read_moves(game.fixture.opening, digits))
    board, beside = st.columns([2, 1], gap="large")
    with beside:
        plies = st.slider("Move", 0, len(moves), len(moves), key=f"ply of {key}")
        match = make_match(game.fixture, write_moves(moves[:plies], digits))
        if opening < plies:
            before = replace(match, moves=match.moves[:-1])
            name = before.legal_move_name(moves[plies - 1])
            if before.is_chance:
                st.markdown(f"Chance brought {escape_page_markdown(name)}.")
            else:
                made = move_phrase(match.game, name)
                st.markdown(f"{SIDE_LABELS[before.side]} chose {escape_page_markdown(made)}.")
                offer_move_reason((key, plies), before, moves[plies - 1])
        elif plies:
            st.markdown("A move of the random opening.")
    with board:
        last = replace(match, moves=match.moves[:-1]).state if match.moves else None
        end = match.outcome
        show_board_picker(
            match.game, match.state, f"replay {key}", lambda move: None, ply=plies, before=last,
            line=sorted(end.line) if end else (), locked=True, falling=True, made=moves[:plies],
        )  # fmt: skip


def _offer_files(competing: TournamentParams, cells: list[CellResult]) -> None:
    with st.container(horizontal=True):
        for extension in tournament_files.FILE_RENDERERS:
            file = make_file_name([game_file_part(competing.game), "tournament"], extension)
            download_button(file, _file_maker(competing, cells, extension), "", f"tournament {extension}")


def _file_maker(competing: TournamentParams, cells: list[CellResult], extension: str) -> Callable[[], bytes]:
    return lambda: tournament_files.FILE_RENDERERS[extension](competing.grid(), cells)
