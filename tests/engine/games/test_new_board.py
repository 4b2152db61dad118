"""Any game can declare a board: a new game is drawn and clicked on everywhere."""

import json
from dataclasses import dataclass
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest

from engine import connect, nim, search, tictactoe
from engine.core.errors import BadGame
from engine.games.boards import (
    EMPTY,
    LOOKS,
    Board,
    Piece,
    changed_cells,
    find_board,
    find_click_targets,
    format_board,
    last_move_cells,
)
from engine.games.capabilities import kernel_board
from engine.games.protocol import MovesByCode
from engine.matches.match import Match
from tests.support import toy_algorithms
from tests.support.flips import PASS, PIECES, Flips
from tests.support.games import ALL_GAMES, Countdown
from tests.visualizer.viewer.test_viewer_logic import JS, ask_browser, ask_node, cells_at, check_answer, needs_node, run_node
from visualizer import to_svg
from visualizer.cli.output import terminal_board
from visualizer.drawing.view import View, select_items
from visualizer.viewer.board_data import find_board_changes
from visualizer.viewer.board_picker import displayed_board, selectable_moves
from visualizer.viewer.breakdown_data import build_breakdown
from visualizer.viewer.payload import build_payload
from visualizer.viewer.viewport import find_visible_part

ASSETS = (JS.parent.parent / "visualizer/viewer/assets").as_uri()
GAMES = {name: game for name, game in ALL_GAMES.items() if hasattr(game[0], "board")}
EVERY = 10**9


class Upside:
    """A Connect board that the kernel searches, drawn upside down: discs rise."""

    def __init__(self, game):
        self.game = game

    def __getattr__(self, name):
        return getattr(self.game, name)

    def board(self, state):
        board = self.game.board(state)
        return board._replace(cells=board.cells[::-1], falls=False, shape="squares", labels=())


GAMES["upside"] = (Upside(connect(rows=4, cols=5)), 4)


@pytest.fixture(scope="module")
def flips_tree():
    return search(Flips(), depth=6)


def states_of(tree):
    return [tree[row].state for row in range(len(tree))]


# ---- in the viewer


@pytest.mark.slow
@needs_node
def test_the_browser_steps_through_it(flips_tree, tmp_path):
    """Names, cells, boards, sentences: at every row as the engine has them."""
    ((steps, rows, answer),) = ask_browser([flips_tree], tmp_path, EVERY)
    assert len(rows) == len(flips_tree)
    check_answer(flips_tree, steps, rows, answer)


@needs_node
@pytest.mark.parametrize("name", GAMES)
def test_the_boards_in_the_browser_are_those_of_the_game_at_every_row(name, tmp_path):
    game, depth = GAMES[name]
    tree = search(game, depth=depth)
    assert tree.compiled == (kernel_board(game) is not None and name != "connect big")
    check_boards(tree, tmp_path)


@needs_node
@pytest.mark.parametrize("algorithm", ["toy-pvs", "toy-deepening"])
@pytest.mark.parametrize("name", ["connect4", "nim", "flips"])
def test_repeated_positions_have_their_boards(name, algorithm, tmp_path, monkeypatch):
    toy_algorithms.register_toys(monkeypatch)
    check_boards(search(GAMES[name][0], depth=3, algorithm=algorithm), tmp_path)


def check_boards(tree, folder):
    """Check the whole tree, and a section of it."""
    files = []
    for number, part in enumerate((None, find_visible_part(tree, len(tree) // 2, 200))):
        rows = list(range(len(tree))) if part is None else part.rows.tolist()
        file = folder / f"{number}.bin"
        file.write_bytes(build_payload(tree, part))
        files.append((rows, {"payload": str(file), "steps": [], "rows": list(range(len(rows)))}))
    for (rows, _), (_, _, details) in zip(files, ask_node([question for _, question in files]), strict=True):
        assert [row["board"] for row in details["rows"]] == [cells_at(tree[row]) for row in rows]


def test_a_repeated_change_is_sent_once(flips_tree):
    found = find_board_changes(flips_tree, None)
    assert found.of_row.max() + 2 == len(found.start)
    assert len(found.start) < len(flips_tree) / 4
    assert max(found.start[1:] - found.start[:-1]) >= 4  # a disc, and three that it turns
    for row in range(1, len(flips_tree)):
        number = found.of_row[row]
        made = slice(found.start[number], found.start[number + 1])
        before, after = (find_board(flips_tree.game, state) for state in (flips_tree[row].parent.state, flips_tree[row].state))
        assert tuple(zip(found.cell[made], found.content[made], strict=True)) == changed_cells(before, after)


def test_the_game_explains_its_values(flips_tree):
    leaf = next(row for row in range(len(flips_tree)) if flips_tree[row].is_leaf)
    breakdown = build_breakdown(flips_tree, leaf)
    cells = flips_tree[leaf].state[0]
    assert {group["words"]: group["cells"] for group in breakdown["groups"]} == {
        "discs of MAX": [tuple(cell for cell, content in enumerate(cells) if content == 1)],
        "discs of MIN": [tuple(cell for cell, content in enumerate(cells) if content == 2)],
    }
    assert breakdown["sum"] == f"MAX +{cells.count(1)}, MIN −{cells.count(2)}"


# ---- to click on


def evaluate_in_picker(expression, data):
    """Return the result of an expression in the browser's module for clickable boards."""
    code = f"""
        import {{ clickTargets, previewSvg }} from "{ASSETS}/components/board_picker/board_picker.js";
        import {{ boardSvg }} from "{ASSETS}/draw/board.js";
        const data = {json.dumps(data)};
        console.log(JSON.stringify({expression}));"""
    return json.loads(run_node("--input-type=module", text=code))


@needs_node
def test_a_click_on_a_cell_plays_its_move_and_shows_all_changes(flips_tree):
    game = flips_tree.game
    for state in states_of(flips_tree)[:300:23]:
        replies = MovesByCode(game, state)
        data = {**displayed_board(game, state), **selectable_moves(game, state, replies), "toMove": "max"}
        found = evaluate_in_picker(
            "{ targets: clickTargets(data), previews: data.legal.map((move) => previewSvg(data, move)) }", data
        )
        where = {target["move"]: (target["x"] // 60, target["y"] // 60) for target in found["targets"]}
        pointed = {code: game.cell_of(move) for code, move in replies.moves.items() if move != PASS}
        assert where == {code: (cell % 5, cell // 5) for code, cell in pointed.items()}
        turned = [len(game.turned(state, cell)) + 1 for cell in pointed.values()]
        assert [drawn.count("<circle") for drawn in found["previews"]][: len(turned)] == turned


@needs_node
def test_a_board_in_the_browser_shows_every_piece(flips_tree):
    for state in states_of(flips_tree)[:200:41]:
        picture = evaluate_in_picker("boardSvg(data.board)", displayed_board(flips_tree.game, state))
        assert picture.count("<circle") == 20 - state[0].count(0)
        assert [text for text in "abcde" if f">{text}<" in picture] == list("abcde")


def test_a_pass_is_a_button_and_has_no_cells():
    game = Flips()
    state = ((1, 2, 2, 2, 2) + (0,) * 15, 2)
    assert game.moves(state) == [PASS]
    offered = selectable_moves(game, state, MovesByCode(game, state))
    assert (offered["names"], offered["cells"], offered["changes"]) == ({"0": PASS}, {}, {"0": []})


@pytest.mark.parametrize(
    ("game", "moves", "refused"),
    [
        (connect(rows=3, cols=2, connect=3), "000", {"0": "Column 0 is full: try another."}),
        (tictactoe(), "48", {"4": "Square 4 is taken: try another.", "8": "Square 8 is taken: try another."}),
        (nim([2, 1]), "1", {}),
        (Flips(), None, {}),
    ],
)
def test_an_illegal_click_is_refused_with_the_reason_of_the_game(game, moves, refused):
    state = game.start() if moves is None else game.state(moves)
    offered = selectable_moves(game, state, MovesByCode(game, state))
    assert offered["refused"] == refused
    assert set(refused) <= set(offered["cells"])
    assert not set(refused) & set(map(str, offered["legal"]))


def test_a_game_without_a_board_is_shown_by_its_text():
    game = Countdown()
    replies = MovesByCode(game, game.start())
    assert displayed_board(game, game.start()) == {"board": None, "text": "(9, True)", "last": []}
    assert selectable_moves(game, game.start(), replies)["cells"] == {}
    assert find_click_targets(game, game.start(), replies).cells == {}


@pytest.mark.parametrize("name", GAMES)
def test_clicks_name_cells_of_the_board_and_no_cell_twice(name):
    game, depth = GAMES[name]
    for state in states_of(search(game, depth=min(depth, 3)))[:200]:
        if game.is_over(state):
            continue
        replies, board = MovesByCode(game, state), find_board(game, state)
        clicks = find_click_targets(game, state, replies)
        cells = [cell for chosen in (*clicks.cells.values(), *clicks.refused.values()) for cell in chosen]
        assert len(cells) == len(set(cells))
        assert set(cells) <= set(range(board.rows * board.cols))
        assert {code for code, move in replies.moves.items() if move != PASS} == set(clicks.cells)
        assert set(clicks.words) == set(clicks.refused)


# ---- in pictures and at the terminal


def test_its_pictures_have_its_pieces(flips_tree):
    view = View(max_depth=2)
    picture = ElementTree.fromstring(to_svg(flips_tree, view, boards=True))
    items = picture.findall("{*}g[@transform]")
    for item, row in zip(items, select_items(flips_tree, view).row.tolist(), strict=True):
        drawn = {path.get("class"): path.get("d").count("M") for path in item.findall("{*}g[@transform]/{*}path")}
        if row >= 0:
            cells = flips_tree[row].state[0]
            assert (drawn["disc"], drawn["ring"]) == (cells.count(1), cells.count(2))
    assert any("discs: MAX, rings: MIN" in (text.text or "") for text in picture.iter())


ALL_PIECES = (EMPTY, *(Piece(f"<{number}", side, look) for number, (look, side) in enumerate(product(LOOKS, ("max", "min", "")))))


class Zoo(Countdown):
    """Pieces of every look and side."""

    def board(self, state):
        return Board(tuple(range(len(ALL_PIECES))), 1, len(ALL_PIECES), ALL_PIECES)


def test_pieces_of_every_look_have_the_colour_of_their_side():
    text = to_svg(search(Zoo(), depth=0), boards=True)
    picture = ElementTree.fromstring(text)
    drawn = [piece.get("class") for piece in picture.iter() if piece.tag.endswith(("path", "text")) and piece.get("class")]
    pieces = [name for name in drawn if name.split()[0] in ("disc", "cross", "ring", "board")]
    assert len(pieces) == len(ALL_PIECES) - 1
    assert all(f".{name.replace(' ', '.')}{{" in text for name in pieces)
    assert len(set(pieces)) == len(pieces) - 1  # a disc of MIN is a ring, as its rings are


def test_at_the_terminal_the_last_disc_is_underlined_and_those_it_turned_are_not():
    match = Match(Flips(), first=None)
    assert terminal_board.describe_letters(match) == "b is MAX, w is MIN"
    match = match.play(match.legal_moves[0])
    drawn = terminal_board.format_board(match)
    before, after = Match(Flips(), first=None).state, match.state
    assert drawn.plain.split() == [*("·bw"[content] for content in after[0]), *"abcde"]
    underlined = [span for span in drawn.spans if getattr(span.style, "underline", False)]
    assert len(underlined) == 1
    assert len(changed_cells(find_board(match.game, before), find_board(match.game, after))) > 1


# ---- invalid boards


@dataclass
class Wrong(Flips):
    gives: object

    def board(self, state):
        return self.gives


@pytest.mark.parametrize(
    ("gives", "words"),
    [
        ("a board", "return a Board of engine.games.boards"),
        (Board((1.5,) * 20, 4, 5, PIECES), "rows, cols and cells of a board must be whole numbers"),
        (Board((0,) * 20, "4", 5, PIECES), "rows, cols and cells of a board must be whole numbers"),
        (Board((0,), 1, 1, ("X", "O")), "must be Pieces of engine.games.boards"),
        (Board((0,) * 19, 4, 5, PIECES), "the cells of a board must be 20 whole numbers from 0 to 2, not"),
        (Board((3,) * 20, 4, 5, PIECES), "the cells of a board must be 20 whole numbers from 0 to 2, not"),
        (Board((-1,) * 20, 4, 5, PIECES), "the cells of a board must be 20 whole numbers from 0 to 2, not"),
        (Board((), 0, 5, PIECES), "1 to 10,000 cells are possible"),
        (Board((0,) * 20, 4, 5, PIECES, "hexagons"), "choose holes, squares, heaps"),
        (Board((0,) * 20, 4, 5, PIECES, labels=("a",)), "one label for each column or heap"),
        (Board((0,) * 20, 4, 5, PIECES, row_labels=("1",)), "one label for each row or none"),
        (Board((1,), 1, 4, shape="heaps", row_labels=("1",)), "heaps have no row labels"),
        (Board((0,), 1, 1, (Piece(".", ""), Piece("K", "max", "king"))), "one of disc, cross, ring, letter"),
        (Board((0,), 1, 1, (Piece(".", ""), Piece("K", "black"))), "its side is max, min or empty"),
    ],
)
def test_an_invalid_board_is_refused_with_a_correction(gives, words):
    with pytest.raises(BadGame, match=words):
        find_board(Wrong(gives), Flips().start())


@pytest.mark.parametrize("kind", [list, np.array])
def test_cells_may_be_any_sequence_of_numbers(kind):
    state = Flips().start()
    given = Wrong(Flips().board(state)._replace(cells=kind(state[0])))
    assert find_board(given, state) == Flips().board(state)
    json.dumps(displayed_board(given, state, state) | selectable_moves(given, state, MovesByCode(given, state)))


def test_a_board_that_grows_is_refused():
    with pytest.raises(BadGame, match="only the contents of the cells may change"):
        changed_cells(Board((0,), 1, 1), Board((0, 0), 1, 2))


def test_the_last_move_is_where_a_piece_was_placed_or_replaced():
    def board(*cells):
        return Board(cells, 2, 2)

    assert last_move_cells(board(0, 2, 0, 0), board(1, 1, 0, 0)) == (0,)
    assert last_move_cells(board(1, 2, 0, 0), board(0, 1, 0, 0)) == (1,)
    assert format_board(Board((2, 0), 2, 2, shape="heaps")) == "0: ||\n1: -"
