"""The part of a form that asks for a game: its kind, then the options of that kind. What is still possible survives a change."""

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from engine import PlyscopeError
from engine.games.connect import connect, read_order, with_options
from engine.games.connect_evaluations import EVALUATIONS
from engine.games.registry import game_text, read_game
from visualizer.app_pages.carried import carried_game
from visualizer.app_pages.words import say_lost
from visualizer.text.escapes import page_markdown
from visualizer.text.glossary import EVALUATION_LINES, KINDS, RULES, kind_line, kind_of_text

FIXED = ("connect4", "k-tables", "long-state")  # their board is 6 rows x 7 columns
LIMITS = {"rows": (1, 12), "cols": (1, 12), "connect": (2, 12), "size": (3, 10)}
LABELS = {"rows": "Rows", "cols": "Columns", "connect": "In a line", "size": "Size"}
OWN = "the game's own"
OWN_ORDERS = [OWN, "left", "centre"]
ORDER_HELP = (
    "The order in which the search tries the columns. left: from left to right. centre: from the centre outwards; "
    "good moves first make more cutoffs. Or all columns, as 3-2-4-1-5-0-6."
)
KEPT_DRAFTS = 20


@dataclass
class GameDraft:
    """The game that is being put together. It is kept beside the widgets: those that are not shown forget theirs."""

    kind: str
    games: dict[str, str]  # by kind: the last game that could be read
    options: dict[str, dict[str, Any]] = field(default_factory=dict)  # by kind of Connect board: what was chosen last


def draft_of(store: str, salt: str, new: Any) -> Any:
    """What a form has been told; `new` if it is a new form. The forms used last are remembered."""
    drafts = st.session_state.setdefault(store, {})
    draft = drafts.setdefault(salt, new)
    while len(drafts) > KEPT_DRAFTS:
        del drafts[next(iter(drafts))]
    return draft


def ask_for_game(current: str, salt: str) -> str:
    """A kind of game and its parameters, as the text that this very game has everywhere."""
    draft = draft_of("game drafts", salt, GameDraft(kind_of_text(current), {kind_of_text(current): current}))
    text = _ask_for_text(draft, salt)
    try:
        text = game_text(read_game(text))
        draft.games[draft.kind] = text
    except PlyscopeError:  # what is wrong with it is said where it is read
        pass
    return text


def readable(text: str) -> Any:
    """The game, or None after saying what is wrong with it."""
    try:
        return read_game(text)
    except PlyscopeError as error:
        st.error(page_markdown(str(error)))
        return None


def _ask_for_text(draft: GameDraft, salt: str) -> str:
    kinds = list(KINDS)
    kind = st.selectbox("Game", kinds, index=kinds.index(draft.kind), format_func=KINDS.__getitem__, key=f"kind {salt}")
    if kind not in draft.games:
        draft.games[kind] = carried_game(kind, draft.games[draft.kind])
    draft.kind = kind
    if kind != "connect":
        st.caption(f"{page_markdown(_sentence(kind_line(kind)))}")
    rest = draft.games[kind].partition(":")[2]
    if kind == "tictactoe":
        return kind
    if kind == "nim":
        return f"nim:{st.text_input('Heaps', rest, key=f'heaps {salt}', help='The size of each heap: 3,4,5').strip()}"
    if kind.startswith("tree"):
        return f"{kind}:" + st.text_area("Leaves", rest, key=f"tree {salt} {kind}", help="Nested lists of numbers").strip()
    if kind not in draft.options:
        draft.options[kind] = _options(draft.games[kind])
    return _ask_for_board(kind, draft.options[kind], f"{salt} {kind}")


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


# ---- Connect boards


def _options(text: str) -> dict[str, Any]:
    """All options of a Connect board."""
    game = read_game(text)
    given = dict(piece.partition("=")[::2] for piece in text.partition(":")[2].split(","))
    return {
        "rows": game.rows,
        "cols": game.cols,
        "connect": game.connect,
        "size": game.rows,
        "rule": game.rule,
        "evaluation": game.evaluation,
        "order": given.get("order", OWN),
    }


def _ask_for_board(kind: str, wanted: dict[str, Any], salt: str) -> str:
    """The board, its rule, evaluation and child order. `wanted` is what was chosen last, and learns what is chosen now."""
    chosen = {} if kind in FIXED else _ask_for_size(kind, wanted, salt)
    if kind == "connect":
        rules = list(RULES)
        wanted["rule"] = st.selectbox("Rule", rules, rules.index(wanted["rule"]), format_func=_rule_name, key=f"rule {salt}")
        chosen["rule"] = wanted["rule"]
    left, right = st.columns(2)
    with left:
        chosen["evaluation"] = _ask_for_evaluation(wanted, salt)
    with right:
        chosen["order"] = _ask_for_order(wanted, salt)
    st.caption(page_markdown(_sentence(EVALUATION_LINES[chosen["evaluation"]])))
    return _board_text(kind, chosen)


def _rule_name(rule: str) -> str:
    return f"{rule}: {RULES[rule]}"


def _ask_for_size(kind: str, wanted: dict[str, Any], salt: str) -> dict[str, Any]:
    """The numbers that make the board; never more in a line than fit on it."""
    sides = ("size",) if kind == "connect-m" else ("rows", "cols")
    *places, last = st.columns(len(sides) + 1)
    board = {
        name: _ask_for_number(name, wanted[name], LIMITS[name][1], place, salt) for name, place in zip(sides, places, strict=True)
    }
    if kind == "connect-m" and wanted["connect"] == wanted["size"]:
        wanted["connect"] = board["size"]  # M is N until it is chosen
    wanted |= {"rows": board["size"], "cols": board["size"], **board} if kind == "connect-m" else board
    longest = max(2, wanted["rows"], wanted["cols"])
    fitting = min(wanted["connect"], longest)
    in_a_line = _ask_for_number("connect", fitting, longest, last, f"{salt} {longest}")
    if in_a_line == fitting < wanted["connect"]:
        say_lost(f"No more than {longest} in a line fit on this board.")
    else:
        wanted["connect"] = in_a_line
    return {**board, "connect": in_a_line}


def _ask_for_number(name: str, now: int, most: int, place: Any, salt: str) -> int:
    number: int = place.number_input(LABELS[name], LIMITS[name][0], max(most, now), now, key=f"{name} {salt}")
    return number


def _ask_for_evaluation(wanted: dict[str, Any], salt: str) -> str:
    """One of those that are defined on the board."""
    rows, cols = wanted["rows"], wanted["cols"]
    names = [name for name in EVALUATIONS if _is_defined(name, rows, cols)]
    usual = wanted["evaluation"] if wanted["evaluation"] in names else connect().evaluation
    chosen: str = st.selectbox(
        "Evaluation",
        names,
        names.index(usual),
        key=f"evaluation {salt} {len(names)}",
        help="What a position at depth K is worth, when the game is not over.",
    )
    if chosen == usual != wanted["evaluation"]:
        say_lost(f"{wanted['evaluation']} is made for 6 rows × 7 columns.")
    else:
        wanted["evaluation"] = chosen
    return chosen


def _is_defined(evaluation: str, rows: int, cols: int) -> bool:
    try:
        connect(rows, cols, min(4, max(rows, cols)), evaluation=evaluation)
    except PlyscopeError:
        return False
    return True


def _ask_for_order(wanted: dict[str, Any], salt: str) -> str:
    """A child order by name, or all columns; one for another number of columns means nothing here."""
    cols, given = wanted["cols"], wanted["order"]
    usual = given if given == OWN or _fits(given, cols) else OWN
    listed = OWN_ORDERS if usual in OWN_ORDERS else [*OWN_ORDERS, usual]
    chosen = st.selectbox(
        "Child order", listed, listed.index(usual), accept_new_options=True, key=f"order {salt} {cols}", help=ORDER_HELP
    )
    chosen = OWN if chosen is None else str(chosen)
    if chosen == usual != given:
        say_lost(f"The child order {given} is for another number of columns.")
    elif chosen == OWN or _fits(chosen, cols):
        wanted["order"] = chosen
    return chosen


def _fits(order: str, cols: int) -> bool:
    try:
        read_order(order, cols)
    except PlyscopeError:
        return False
    return True


def _board_text(kind: str, chosen: dict[str, Any]) -> str:
    """The game as text, with the options that differ from what its kind has."""
    usual = {"order": OWN} if kind == "connect" else _options(kind)
    if kind == "connect-m":
        usual["connect"] = chosen["size"]
    parts = {name: str(value) for name, value in chosen.items() if usual.get(name) != value}
    if kind == "connect-m" and parts.get("evaluation") == "segments:power":
        parts["scoring"] = parts.pop("evaluation").partition(":")[2]
    return with_options(kind, parts)
