"""The form that asks for a search, shared by the pages."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from engine import PlyscopeError
from engine.catalogue import OTHER_GAMES, game_text, read_game
from engine.evaluations import EVALUATIONS
from engine.games.connect import LONG, RULES, Connect
from engine.games.positions import read_moves, write_moves
from engine.presets import PRESETS, SCORINGS
from engine.searcher import ALGORITHMS, read_position
from visualizer.app_pages.searching import DOUBT, SEARCHED_MOST, expected_nodes
from visualizer.app_pages.words import plain
from visualizer.caption import ALGORITHM_NAMES, counted
from visualizer.choices import MOST_REPEATS, Comparing, Setup, read_comparing, read_setup
from visualizer.viewer.picker import picker

QUIRKS = {
    "k-tables": "No full-board test: a full board with plies left is worth −2147483648.",
    "threats": "Every move at the root is searched with a fresh window: nothing is pruned between them.",
    "full-depth": "The pseudo-code as typed: MIN starts at 0, a finished game with plies left is worth 0.",
    "long-state": "The search is the same; only the counting differs.",
    "connect-m": "This program has no quirk.",
}
KINDS = {
    **{name: f"{name} (preset)" for name in PRESETS},
    "connect": "Connect, any board",
    "tictactoe": "Tic-tac-toe",
    "nim": "Nim",
    "tree": "A tree of numbers, MAX first",
    "tree-min": "A tree of numbers, MIN first",
}
FIXED = ("k-tables", "long-state")  # their evaluations are made for 6 rows x 7 columns
LIMITS = {"rows": (1, 12), "cols": (1, 12), "connect": (2, 12), "size": (3, 10)}
LABELS = {"cols": "Columns"}
CHOICES = {"rule": RULES, "scoring": SCORINGS}
KEPT_DRAFTS = 20
KEEP = "the game's own"


def kind_of_text(game: str) -> str:
    """The kind of game that a text names: one of KINDS."""
    kind = game.partition(":")[0]
    return "connect" if kind == "connect4" else kind


@st.fragment
def ask_for_search(setup: Setup, asked: Callable[[Setup], None]) -> None:
    """The widgets; `asked` is called with the setup when the user has one and wants it. Only this part of the page runs again."""
    chosen = _form(
        setup, setup, lambda same, played, salt: _ask_how(setup, same, played, salt), read_setup, "Search", expected_nodes
    )
    if chosen is not None:
        asked(chosen)


@st.fragment
def ask_for_comparison(comparing: Comparing, asked: Callable[[Comparing], None]) -> None:
    """The same for a comparison."""
    chosen = _form(
        comparing,
        comparing.search,
        lambda same, played, salt: _ask_how_deep(comparing, same, played, salt),
        read_comparing,
        "Compare",
        None,
    )
    if chosen is not None:
        asked(chosen)


def _form(
    current: Any,
    setup: Setup,
    how: Callable[[bool, Any, str], dict[str, str]],
    read: Callable[[Mapping[str, str]], tuple[Any, str]],
    label: str,
    expect: Callable[[Any], int] | None,
) -> Any:
    """Game and position on a board, what else changes a search, and what `how` asks for, as parts of an address; `read` turns
    them into what is wanted. That is returned when the button is pressed."""
    salt = str(current)  # new widgets for a new question, or old choices would come back
    with st.container(key="ask"):
        left, right = st.columns([1, 1], gap="medium")
        with left:
            text = ask_for_game(setup.game, salt)
            played = readable(text)
            wanted, rest = setup, None
            if played is not None:
                rest = how(text == setup.game, played, salt)
                wanted = _ask_for_rules(setup, text, played, salt)
                if wrong := read({**wanted.parameters(), **rest, "moves": ""})[1]:
                    st.error(plain(wrong))
                    rest = None
        with right:
            if played is not None:
                wanted = ask_for_position(wanted, played, f"{salt} {text}", setup.moves if text == setup.game else "")
        checked, wrong = (None, "") if rest is None else read({**wanted.parameters(), **rest})
        ready = checked is not None and not wrong  # what is wrong with the moves stands beside the board
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(label, type="primary", disabled=not ready, key=f"{label} {salt}")
            if ready and expect is not None:
                _say_what_to_expect(checked, expect)
    return checked if pressed and ready else None


def ask_for_game(current: str, salt: str) -> str:
    """A kind of game and its parameters, as the text that this very game has everywhere."""
    text = _ask_for_text(current, salt)
    try:
        return game_text(read_game(text))
    except PlyscopeError:  # what is wrong with it is said where it is read
        return text


def _ask_for_text(current: str, salt: str) -> str:
    here = kind_of_text(current)
    kind = st.selectbox("Game", list(KINDS), index=list(KINDS).index(here), format_func=KINDS.__getitem__, key=f"kind {salt}")
    start = current if kind == here else next((text for text in OTHER_GAMES if kind_of_text(text) == kind), kind)
    if kind == "tictactoe":
        return start
    if kind == "nim":
        heaps = st.text_input("Heaps", start.partition(":")[2], key=f"heaps {salt}", help="The size of each heap: 3,4,5")
        return f"nim:{heaps.strip()}"
    if kind.startswith("tree"):
        default = start.partition(":")[2] or "[[3,12,8],[2,4,6],[14,5,2]]"
        return f"{kind}:" + st.text_area("Leaves", default, key=f"tree {salt} {kind}", help="Nested lists of numbers").strip()
    return _ask_for_board(kind, start, salt)


def _ask_for_board(kind: str, start: str, salt: str) -> str:
    """The options of a Connect board that differ from what its kind has."""
    played = read_game(start)
    make = PRESETS.get(kind)
    known = ["rows", "cols", "connect", "rule"] if make is None else list(inspect.signature(make).parameters)
    options: dict[str, Any] = {}
    if kind not in FIXED:
        widths = [3 if name in CHOICES else 2 for name in known]
        for name, column in zip(known, st.columns(widths), strict=True):
            options[name] = _ask_for_option(name, played, column, f"{name} {salt} {kind}")
    names = list(EVALUATIONS)
    left, right = st.columns(2)
    if "scoring" not in known:
        key = f"evaluation {salt} {kind}"
        options["evaluation"] = left.selectbox("Evaluation", names, index=names.index(played.evaluation), key=key)
    listed = [KEEP, "left", "centre"]
    given = dict(piece.partition("=")[::2] for piece in start.partition(":")[2].split(",")).get("order", KEEP)
    order = right.selectbox(
        "Child order",
        listed if given in listed else [*listed, given],
        index=[*listed, given].index(given),
        accept_new_options=True,
        key=f"order {salt} {kind}",
        help="left to right, centre first, or all columns: 3-2-4-1-5-0-6",
    )
    if order not in (None, KEEP):
        options["order"] = order
    usual = {} if make is None else _usual(make())
    parts = [f"{name}={value}" for name, value in options.items() if usual.get(name) != value]
    return f"{kind}:{','.join(parts)}" if parts else kind


def _ask_for_option(name: str, played: Connect, place: Any, key: str) -> Any:
    now, label = _usual(played)[name], LABELS.get(name, name.capitalize())
    if name in CHOICES:
        return place.selectbox(label, CHOICES[name], index=CHOICES[name].index(now), key=key)
    low, high = LIMITS[name]
    return place.number_input(label, low, max(high, now), now, key=key)


def _usual(played: Connect) -> dict[str, Any]:
    """All options of a Connect board."""
    sizes = {"rows": played.rows, "cols": played.cols, "connect": played.connect, "size": played.rows, "rule": played.rule}
    return {**sizes, "evaluation": played.evaluation, "scoring": played.evaluation.partition(":")[2]}


def readable(text: str) -> Any:
    """The game, or None after saying what is wrong with it."""
    try:
        return read_game(text)
    except PlyscopeError as error:
        st.error(plain(str(error)))
        return None


def _ask_how(setup: Setup, same: bool, played: Any, salt: str) -> dict[str, str]:
    """Algorithm and depth."""
    depth = setup.depth if same else played.default_depth
    left, right = st.columns(2)
    algorithm = left.selectbox(
        "Algorithm",
        ALGORITHMS,
        index=ALGORITHMS.index(setup.algorithm),
        format_func=ALGORITHM_NAMES.__getitem__,
        key=f"algorithm {salt}",
    )
    key = f"K {salt} {played.name}"
    plies = right.text_input("K", "end" if depth is None else str(depth), key=key, help="Plies to look ahead, or: end")
    return {"algorithm": algorithm, "depth": plies.strip().lower() or "nothing"}


def _ask_how_deep(comparing: Comparing, same: bool, played: Any, salt: str) -> dict[str, str]:
    """Depths, and how often each search is timed."""
    usual = comparing.depths if same else "end" if played.default_depth is None else Comparing().depths
    left, right = st.columns(2)
    depths = left.text_input("Depths K", usual, key=f"depths {salt} {played.name}", help="1-6, or 2,4,6; literal trees: end")
    repeat = right.number_input("Timed runs", 1, MOST_REPEATS, comparing.repeat, key=f"repeat {salt}", help="The median is shown")
    return {"depths": depths.strip().lower(), "repeat": str(repeat)}


def _ask_for_rules(setup: Setup, text: str, played: Any, salt: str) -> Setup:
    """Who moved first, when to cut, quirks."""
    same = text == setup.game
    first = st.segmented_control(
        "Who moved first", ["default", "max", "min"], default=(setup.first if same else "") or "default", key=f"first {salt}"
    )
    strict = st.toggle("Cut only when strictly better", setup.strict, key=f"strict {salt}")
    published = False
    if name := getattr(played, "preset", ""):
        label = "As published, with its quirks"
        published = st.toggle(label, setup.published and same, key=f"published {salt} {name}", help=QUIRKS[name])
    side = "" if first in (None, "default") else first
    return replace(setup, game=text, moves="", first=side, strict=strict, published=published)


def ask_for_position(setup: Setup, played: Any, salt: str, moves: str) -> Setup:
    """The moves so far: typed, or made on the board. They are kept beside the widget: a closed form forgets its widgets."""
    drafts: dict[str, Draft] = st.session_state.setdefault("drafts", {})
    draft = drafts.setdefault(salt, Draft(moves))
    while len(drafts) > KEPT_DRAFTS:
        del drafts[next(iter(drafts))]
    state = before = None
    listed: list[int] = []
    is_long = draft.moves.startswith(LONG)
    try:
        state = read_position(played, draft.moves or None, setup.first or None)
        if not is_long:
            listed = read_moves(draft.moves, played.single_digits)
            before = (
                read_position(played, write_moves(listed[:-1], played.single_digits), setup.first or None) if listed else None
            )
    except PlyscopeError as error:
        st.error(plain(str(error)))

    def change(moves: list[int]) -> None:
        drafts[salt] = Draft(write_moves(moves, played.single_digits), draft.version + 1)

    def typed() -> None:
        drafts[salt] = Draft(st.session_state[key].strip(), draft.version)

    if state is not None:
        picker(
            played, state, f"board {salt}", lambda move: change([*listed, move]), ply=len(listed), before=before, locked=is_long
        )
    key = f"moves {salt} {draft.version}"  # a new widget when the board has changed the moves
    words = "Click on the board, or type the columns (squares, choices) from the start: 334"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Moves so far", draft.moves, key=key, on_change=typed, help=words)
        st.button("Undo", icon=":material/undo:", on_click=change, args=(listed[:-1],), disabled=not listed, key=f"undo {salt}")
    return replace(setup, moves=draft.moves)


class Draft(NamedTuple):
    """Moves that are being put together."""

    moves: str
    version: int = 0


def _say_what_to_expect(wanted: Any, expect: Callable[[Any], int]) -> None:
    try:
        expected = expect(wanted)
    except PlyscopeError as error:
        st.caption(f":material/error: {plain(str(error))}")
        return
    much = f": more than the {SEARCHED_MOST:,} of this page" if expected > DOUBT * SEARCHED_MOST else ""
    st.caption(f"about {counted(expected, 'node')}{much}")
