"""Forms keep all values that still make sense after a change, and name those that do not."""

import json
import re
from dataclasses import replace
from itertools import product

import pytest
from click import testing as runner
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from engine import PlyscopeError, Question, Trace, search
from engine.algorithms import ALGORITHMS
from engine.games.connect.board_options import OWN_ORDER
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.connect.rules import Connect
from engine.games.literal import LiteralTree
from engine.games.positions import read_moves, read_position
from engine.games.presets import PRESETS
from engine.games.registry import GAME_TYPES, game_text, read_game
from engine.learning.exercise import make_exercise
from engine.matches.match import Match
from engine.matches.players import HumanPlayer, PolicyPlayer, read_player
from engine.record.columns import STATUS_NAMES
from tests.support.marks import mostly_slow
from tests.support.processes import MAX_WAIT_SECONDS
from tests.support.questions import make_question
from tests.visualizer.app.test_pages import heat_of, open_page, open_step, search_title, wait_for_job
from visualizer.app.forms.form_migration import migrate_depths, migrate_game, migrate_moves
from visualizer.app.forms.option_form import has_effect
from visualizer.app.state.cross_page import is_same_position, play_page_params, question_from_match
from visualizer.app.state.url_params import (
    EXAMPLE_DESCRIPTIONS,
    EXAMPLES,
    PUBLISHED_DESCRIPTIONS,
    PUBLISHED_EXAMPLES,
    PUBLISHED_TITLES,
    MatchParams,
    read_match_params,
    read_search_params,
    read_tournament_params,
    search_key,
    search_params,
)
from visualizer.cli.command_line import plyscope
from visualizer.narration.captions import STATUS_LABELS
from visualizer.narration.glossary import PRESET_LINES, evaluation_lines, game_type_name
from visualizer.narration.move_reasons import COMMAND_INTRO, explain_choice
from visualizer.narration.move_text import describe_moves
from visualizer.pool import pool as pools
from visualizer.pool.limits import Limits
from visualizer.pool.pool import QueuedPool
from visualizer.viewer import tree_builder
from visualizer.viewer.module_joiner import ASSETS

GAMES = [
    *PRESETS,
    "connect-m:size=5",
    "full-depth:rows=3,cols=4,connect=3",
    "threats:evaluation=lines",
    "k-tables:evaluation=none,order=centre",
    "connect4",
    "connect4:evaluation=threats",
    "connect:rows=4,cols=5",
    "connect:rows=3,cols=12,rule=count",
    "connect:rule=count,order=3-2-4-1-5-0-6",
    "tictactoe",
    "nim:1,2,3",
    "nim:5,4",
    "tree:[[3,12,8],[2,4,6],[14,5,2]]",
    "tree-min:[[1,2],3]",
    "random-tree:branching=2,uneven=40,seed=7",
]


@st.composite
def positions_with_moves(draw, game):
    state, moves = game.start(), []
    for _ in range(draw(st.integers(0, 12))):
        if game.is_over(state):
            break
        moves.append(draw(st.sampled_from(list(game.moves(state)))))
        state = game.play(state, moves[-1])
    return moves


@given(st.data())
def test_every_move_that_is_still_legal_is_kept_between_all_games(data):
    before, after = (read_game(data.draw(st.sampled_from(GAMES))) for _ in range(2))
    moves = data.draw(positions_with_moves(before))
    kept, lost = migrate_moves(",".join(map(str, moves)), before, after)
    read_position(after, kept or None)  # legal there
    listed = read_moves(kept, after.single_digits)
    assert listed == moves[: len(listed)]
    assert bool(lost) == (listed != moves)
    if type(before) is not type(after):
        assert not listed
    elif listed != moves:
        with pytest.raises(PlyscopeError):
            after.state(moves[: len(listed) + 1])


@pytest.mark.parametrize("before", GAMES)
def test_k_survives_a_change_of_game_where_it_makes_sense(before):
    for after, depth in product(GAMES, ("5", "end", "1-4")):
        one, other = read_game(before), read_game(after)
        usual = "end" if other.default_depth is None else str(other.default_depth)
        kept, lost = migrate_depths(depth, one, other, "", usual)
        assert bool(lost) == (kept != depth)
        if lost:
            assert (kept == "end" and isinstance(other, LiteralTree)) or (depth == "end" and type(one) is not type(other))


@pytest.mark.parametrize("before", GAMES)
def test_another_game_type_takes_over_common_options(before):
    here = read_game(before)
    for kind in GAME_TYPES:
        begun = read_game(migrate_game(kind, before))
        if kind == "connect" and isinstance(here, Connect):
            for name in ("rows", "cols", "connect", "rule", "evaluation", "max_order", "min_order"):
                assert getattr(begun, name) == getattr(here, name)
        if isinstance(begun, LiteralTree) and isinstance(here, LiteralTree) and kind != "random-tree":
            assert begun.tree == here.tree
        assert game_type_name(game_text(begun)) in GAME_TYPES


# ---- the form itself


def find_widget(app, label, kinds=("selectbox", "text_input", "number_input", "text_area", "toggle")):
    return next(one for kind in kinds for one in app.get(kind) if one.label == label)


def form_values(app):
    """What the form holds, by label."""
    return {
        label: find_widget(app, label).value
        for label in ("Moves so far", "Depth K", "Algorithm", "Cut only when strictly better")
    }


def change_widget(app, label, value):
    find_widget(app, label).set_value(value).run()
    assert not app.exception
    return app


HELD = {"Moves so far": "3, 1", "Depth K": "5", "Algorithm": "alphabeta", "Cut only when strictly better": True}


def begin_change(game="k-tables", moves="31"):
    app = open_step(search_params(make_question(game, moves, "max", "alphabeta", 2, strict=True)))
    return change_widget(app, "Depth K", "5")


class OneByOne(QueuedPool):
    """A pool that is busy until the test says otherwise."""

    def _answer(self, number, task):
        return task.work(task)


def test_the_form_refines_a_lower_bound_while_the_pool_is_busy(monkeypatch):
    app = open_step(search_params(make_question("connect4", "55", depth=2)))
    busy = OneByOne(Limits(nodes=5_000_000))
    monkeypatch.setattr(pools._CurrentPool, "pool", busy)
    change_widget(app, "Depth K", "11")
    (line,) = (one.value for one in app.caption if "counting …" in one.value)
    assert re.fullmatch(r"more than [\d,]+ nodes, counting …", line)
    assert int(re.sub(r"\D", "", line)) < 24_233_819  # the whole search
    busy._run_next_task(0)
    app.run()
    (line,) = (one.value for one in app.caption if one.value.startswith("about ") and " of this page" in one.value)
    assert 24_233_819 / 4 < int(re.sub(r"\D", "", line.partition(":")[0])) < 24_233_819 * 4


@pytest.mark.parametrize("evaluation", [name for name in EVALUATIONS if name != "chains"])
def test_another_evaluation_keeps_everything_else(evaluation):
    app = change_widget(begin_change(), "Evaluation", evaluation)
    assert form_values(app) == HELD
    assert not app.error


@pytest.mark.parametrize(
    "kind", [kind for kind in GAME_TYPES if kind in PRESETS and kind not in ("k-tables", "connect-m")] + ["connect4", "connect"]
)
def test_another_connect_game_keeps_everything_else_and_back(kind):
    app = change_widget(begin_change(), "Game", kind)
    assert form_values(app) == HELD
    assert form_values(change_widget(app, "Game", "k-tables")) == HELD


BOARD_BEFORE = {"3, 9": "3", "3, x": "3, 1", "3, 3, 3, 3, 3, 3, 3, 1": "3, 3, 3, 3, 3, 3"}


@pytest.mark.parametrize("typed", BOARD_BEFORE)
def test_a_bad_move_keeps_the_board_and_undo_removes_it(typed):
    app = change_widget(begin_change(), "Moves so far", typed)
    assert len(app.error) == 1
    boards = [element for element in app.get("bidi_component") if "board-" in element.proto.id or "board " in element.proto.id]
    assert len(boards) == 1
    undo = next(button for button in app.button if button.label == "Undo")
    assert not undo.disabled
    undo.click().run()
    assert (find_widget(app, "Moves so far").value, len(app.error)) == (BOARD_BEFORE[typed], 0)


OFFERED = {  # the options in the form
    "minimax": {"Order of moves"},  # of the game's columns
    "alphabeta": {"Cut only when strictly better", "Order of moves", "Quiescence"},
    "pvs": {"Cut only when strictly better", "Order of moves", "Quiescence", "With a table"},
    "mtdf": {"First guess", "Order of moves", "Quiescence", "Table slots", "Depth of entries"},
}


@pytest.mark.parametrize("algorithm", OFFERED)
def test_the_form_offers_the_options_that_have_an_effect(algorithm):
    app = open_step(search_params(Question(read_game("connect4"), "33", 2, algorithm)))
    labels = {option.label for spec in ALGORITHMS.values() for option in spec.options}
    assert {one.label for kind in ("toggle", "selectbox", "number_input") for one in app.get(kind)} & labels == OFFERED[algorithm]
    if algorithm == "pvs":
        change_widget(app, "With a table", True)
        assert find_widget(app, "Replacement").value == "depth"


@pytest.mark.parametrize("game", ["k-tables", "threats", "connect-m", "connect4"])
def test_an_option_that_is_not_offered_changes_nothing(game):
    played = read_game(game)
    for name, spec in ALGORITHMS.items():
        for option in spec.options:
            if option.is_switch and option.name != "as_published" and not has_effect(option, name, played, {}):
                plain, other = (
                    search(Question(played, "3", 3, name, **{option.name: value}))
                    for value in (option.default, not option.default)
                )
                assert (plain.expanded, plain.root.value) == (other.expanded, other.root.value)


@pytest.mark.parametrize("kind", ["tictactoe", "nim", "tree"])
def test_another_game_names_what_is_lost_and_changing_back_restores_it(kind):
    app = change_widget(begin_change(), "Game", kind)
    values = form_values(app)
    assert values["Moves so far"] == ""
    assert (values["Algorithm"], values["Cut only when strictly better"]) == ("alphabeta", True)
    assert any("belong to another game" in caption.value for caption in app.caption)
    assert values["Depth K"] == "5"  # a tree of two plies is done by then
    assert form_values(change_widget(app, "Game", "k-tables")) == HELD


def test_a_smaller_board_keeps_the_legal_moves_and_a_larger_one_has_all_again():
    app = begin_change("connect:rows=6,cols=8", "317")
    assert find_widget(change_widget(app, "Columns", 5), "Moves so far").value == "3, 1"
    assert any("Move 7 cannot be played here" in caption.value.replace("\\", "") for caption in app.caption)
    assert find_widget(change_widget(app, "Columns", 12), "Moves so far").value == "3, 1, 7"
    assert find_widget(app, "Depth K").value == "5"
    assert not app.error


def test_a_smaller_board_limits_the_line_and_the_evaluations():
    app = begin_change("connect:rows=6,cols=7,connect=6,evaluation=chains,order=3-2-4-1-5-0-6,rule=count")
    change_widget(app, "Columns", 3)
    change_widget(app, "Rows", 4)
    assert (
        find_widget(app, "In a row").value,
        find_widget(app, "Evaluation").value,
        find_widget(app, "Order of moves").value,
    ) == (
        4,
        "segments:power",
        OWN_ORDER,
    )
    assert not app.error
    change_widget(app, "Rows", 6)
    change_widget(app, "Columns", 7)
    assert (
        find_widget(app, "In a row").value,
        find_widget(app, "Evaluation").value,
        find_widget(app, "Order of moves").value,
    ) == (
        6,
        "chains",
        "3-2-4-1-5-0-6",
    )


def search_question(app):
    """Press Search and return the question of the address."""
    next(button for button in app.button if button.label == "Search").click().run()
    return read_search_params(dict(app.query_params))[0]


def test_one_control_sets_the_order_of_moves():
    app = open_step(search_params(Question(read_game("connect4"), "33", 2, "alphabeta")))
    assert not [one for one in app.selectbox if one.label == "Order of columns"]
    names = find_widget(app, "Order of moves").options
    assert names[:4] == ["as the game lists them", "left to right", "centre outwards", "best static value"]
    change_widget(app, "Order of moves", "centre")
    assert "killer moves, then centre outwards" in find_widget(app, "Order of moves").options
    change_widget(app, "Order of moves", "killer first")
    question = search_question(app)
    assert (question.game.order_option, question.options["order"]) == ("centre", "killer")


def test_a_game_that_cannot_be_read_keeps_the_rest_of_the_form():
    app = begin_change("nim:1,2,3", "1001")
    change_widget(app, "Heaps", "one")
    assert "heap 'one' is not a whole number" in app.error[0].value.replace("\\", "")
    assert next(button for button in app.button if button.label == "Search").disabled
    assert form_values(app) == {**HELD, "Moves so far": "1001"}
    assert form_values(change_widget(app, "Heaps", "1,2")) == {**HELD, "Moves so far": "1001"}
    assert not app.error


@pytest.mark.parametrize("algorithm", ["alphabeta", "mtdf", "sss"])
def test_the_form_shows_the_titles_of_algorithms(algorithm):
    app = open_step({"game": "connect4", "moves": "3", "depth": "2", "algorithm": algorithm})
    title = {"alphabeta": "Alpha-beta", "mtdf": "MTD(f)", "sss": "SSS*"}[algorithm]
    assert any(caption.value.startswith(f"{title}: ") for caption in app.caption)


def test_boards_are_offered_only_where_there_are_some():
    labels = [toggle.label for toggle in open_step({"game": "tree:[[3,12],[2,4]]"}).toggle]
    assert "Boards" not in labels
    assert "Boards" in [toggle.label for toggle in open_step({"game": "tictactoe", "moves": "40263"}).toggle]


def test_disabled_downloads_give_a_reason():
    def skipped_caption(app):
        return next(caption.value for caption in app.caption if re.match(r"[\d,]+ nodes( and|\.)", caption.value))

    app = open_step(search_params(make_question("k-tables", "3", depth=3)))
    assert skipped_caption(app) == "234 nodes and 82 skipped moves."
    app = next(one for one in app.slider if one.label == "Levels to show").set_value(1).run()
    assert skipped_caption(app) == "8 nodes. A .parquet file holds the whole tree only."
    app = open_step(search_params(make_question("k-tables", "3", depth=5)))
    assert skipped_caption(app).endswith("Formats that cannot hold this many nodes are grey: show fewer levels.")


def test_quiescence_is_offered_for_games_with_noisy_moves_and_survives_others():
    app = open_step({**search_params(make_question("connect4", "3", depth=2)), "quiescence": "4"})
    change_widget(app, "Game", "nim")
    assert not [one for one in app.number_input if one.label == "Quiescence"]
    assert any("does not declare noisy moves" in caption.value.replace("\\", "") for caption in app.caption)
    change_widget(app, "Game", "connect4")
    assert find_widget(app, "Quiescence").value == 4


def test_as_published_survives_a_game_that_has_no_quirks():
    app = open_step(search_params(make_question("k-tables", "3", depth=2, published=True)))
    change_widget(app, "Game", "connect4")
    assert any(
        "Only the student programs (presets) run as published" in caption.value.replace("\\", "") for caption in app.caption
    )
    change_widget(app, "Game", "threats")
    assert find_widget(app, "As published, with its quirks").value is True


def test_the_line_of_connect_m_follows_its_size_until_it_is_chosen():
    app = open_step(search_params(make_question("connect-m", "", depth=2)))
    assert find_widget(change_widget(app, "Size", 5), "In a row").value == 5
    change_widget(app, "In a row", 4)
    next(button for button in app.button if button.label == "Search").click().run()
    assert read_game(app.query_params["game"]).connect == 4
    assert read_game(app.query_params["game"]).rows == 5


def test_connect_m_with_another_evaluation_opens_its_form():
    app = open_step(search_params(make_question("connect-m:evaluation=lines", "", depth=2)))
    assert find_widget(app, "Evaluation").value == "lines"


def test_a_comparison_keeps_position_and_depths_too():
    app = open_page("compare", {"game": "k-tables", "moves": "31", "depths": "1-2", "repeat": "1"})
    change_widget(app, "Evaluation", "lines")
    assert (find_widget(app, "Moves so far").value, find_widget(app, "Depths K").value) == ("3, 1", "1-2")


@pytest.mark.parametrize("typed", ["31", "3,1", "3, 1", " 3 , 1 "])
def test_moves_can_be_typed_in_several_ways(typed):
    app = change_widget(begin_change(moves=""), "Moves so far", typed)
    next(button for button in app.button if button.label == "Search").click().run()
    assert app.query_params["moves"] == "31"


@given(st.data())
def test_spoken_moves_have_a_comma_between_any_two(data):
    game = read_game(data.draw(st.sampled_from(GAMES)))
    moves = data.draw(positions_with_moves(game))
    text = ("" if game.single_digits else ",").join(map(str, moves))
    sentence = describe_moves(game, text)
    assert sentence.endswith("…") or sentence.split(", ") == [game.move_name(move) for move in moves] or not moves


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_type_in_the_list(game):
    assert game_type_name(game_text(read_game(game))) in GAME_TYPES


def test_the_list_the_form_and_about_explain_everything_in_the_same_words():
    listed = " ".join(runner.CliRunner().invoke(plyscope, ["list"]).output.split())
    about = " ".join(element.value for element in open_page("about").markdown).replace("\\", "")
    for name, line in {**PRESET_LINES, **evaluation_lines()}.items():
        assert f"{name} {line}" in listed
        assert f"**{name}**: {line}" in about
    app = open_step(search_params(make_question()))
    captions = [caption.value.replace("\\", "") for caption in app.caption]
    assert f"{PRESET_LINES['k-tables']}." in captions
    assert f"{evaluation_lines()['chains']}." in captions


def test_the_list_of_games_has_plain_names():
    assert GAME_TYPES["connect4"].label == "Connect 4"
    assert GAME_TYPES["k-tables"].label == PUBLISHED_TITLES["k-tables"] == "Node counts for each K"
    app = open_step(search_params(make_question("connect4", "31", depth=2)))
    games = next(select for select in app.selectbox if select.label == "Game").options
    assert {*EXAMPLES} - {"Textbook tree"} <= {*games}
    assert "Node counts for each K (k-tables)" in games
    assert "Connect 4 · after 3, 1" in search_title(app)


# ---- Tournament


@pytest.mark.parametrize("game", ["pig:target=12,die=3", "against-random:nim:1,2"])
def test_games_with_chance_are_compared_by_what_can_search_them(game):
    app = open_page("compare", {"game": "nim:1,2", "depths": "2", "repeat": "1"})
    change_widget(app, "Game", game.partition(":")[0])
    assert app.multiselect[0].value == ["expectiminimax", "star1", "star2"]
    press_button(app, "Compare")
    assert not app.error
    assert "algorithms" not in app.query_params  # these are the default here
    assert any("expectiminimax, Star1 and Star2" in text.value for text in app.markdown)


def press_button(app, label):
    next(button for button in app.button if button.label == label).click().run()
    wait_for_job(app)


@pytest.mark.parametrize("kind", mostly_slow(GAME_TYPES, quick=4))
def test_every_game_in_the_list_has_a_tournament_that_runs(kind):
    app = open_page("tournament", {"game": "connect-m", "sizes": "3"})
    change_widget(app, "Game", kind)
    assert not app.error
    if kind.startswith("tree"):
        assert any("one depth is enough" in caption.value for caption in app.caption)
    press_button(app, "Play")
    assert not app.error
    assert not app.warning
    assert game_type_name(app.query_params["game"]) == kind
    assert heat_of(app)


@pytest.mark.parametrize("kind", GAME_TYPES)
def test_the_default_tournament_of_every_game_is_valid(kind):
    game = migrate_game(kind, "k-tables")
    competing, wrong = read_tournament_params({"game": game})
    assert not wrong
    assert competing.game == game_text(read_game(game))
    assert read_tournament_params(competing.parameters()) == (competing, "")


def test_named_players_take_the_place_of_the_depths():
    players = "policy:hold=3;expectiminimax:depth=2"
    app = open_page("tournament", {"game": "pig:target=6,die=3", "games": "2", "players": players})
    wait_for_job(app)
    assert not app.error
    assert any("hold at 3; expectiminimax, K = 2 · 2 games per cell" in text.value for text in app.markdown)
    assert any("Games won against the other players" in caption.value for caption in app.caption)
    assert find_widget(app, "Algorithm").disabled
    wrong = read_tournament_params({"game": "pig", "players": "mcts:iterations=90000"})[1]
    assert "at most 2,000 iterations" in wrong
    assert read_tournament_params({"game": "pig", "players": "human"})[1].startswith("a person cannot")


def test_depths_survive_another_game_and_sizes_another_evaluation():
    app = open_page("tournament", {"game": "connect-m", "sizes": "3", "depths": "1", "games": "1"})
    change_widget(app, "Depths K", "1-2")
    change_widget(app, "Sizes", "4")
    change_widget(app, "Evaluation", "segments:power")
    assert (find_widget(app, "Depths K").value, find_widget(app, "Sizes").value) == ("1-2", "4")
    change_widget(app, "Game", "tictactoe")
    assert find_widget(app, "Depths K").value == "1-2"
    change_widget(app, "Game", "tree")
    assert find_widget(app, "Depths K").value == "2"


# ---- Play


@pytest.mark.parametrize(
    ("game", "moves", "player"),
    [
        ("connect4", "3", "search:depth=3"),
        ("connect4", "010", "search:depth=4,faster"),  # MIN must stop a line
        ("connect4", "01020", "search:depth=2,faster"),
        ("tictactoe", "0418", "search:depth=end"),
        ("nim:1,2,3", "1001", "search:depth=4"),
        ("tree:[[3,12,8],[2,4,6]]", "1", "search:depth=end"),
        ("k-tables", "3", "search:depth=3,published"),
    ],
)
def test_see_why_says_what_the_command_line_says_and_leads_to_the_decision(game, moves, player):
    before = Match.read(read_game(game), moves, "max", min_player=read_player(player))
    if before.is_finished or before.side == "max":
        before = replace(before, max_player=read_player(player))
    choice = before.choose()
    players = {"max": "human", "min": player} if before.side == "min" else {"max": player, "min": "human"}
    app = open_page("play", {"game": game, "moves": before.play(choice.move).position, "first": "max", **players})
    press_button(app, "See why")
    page_text = " ".join(element.value for element in app.markdown).replace("\\", "")
    for sentence in filter(None, explain_choice(choice)):
        if sentence.startswith(COMMAND_INTRO):
            assert app.code[0].value == sentence.removeprefix(COMMAND_INTRO)
        else:
            assert sentence.strip() in page_text
    press_button(app, "Open the search")
    leap = next(json.loads(one.proto.json) for one in app.get("bidi_component") if "token" in one.proto.json)
    question, wrong = read_search_params(leap["parameters"])
    assert not wrong
    tree = search(question)
    assert (tree.root.best_move, int(leap["parameters"]["step"])) == (choice.move, len(Trace(tree)) - 1)


# ---- one search across pages


def open_from_menu(page, before, **shown):
    """A page opened by its link in the menu; `shown` is what other pages have shown."""
    app = AppTest.from_string(f"from visualizer.app.views import {page}\n{page}.page()", default_timeout=MAX_WAIT_SECONDS)
    app.session_state["page"] = before
    for name, value in shown.items():
        app.session_state[name.replace("_", " ")] = value
    app.run()
    wait_for_job(app)
    assert not app.warning
    return app


def position_params(app):
    return {name: app.query_params.get(name, "") for name in ("game", "moves")}


SEARCHES = [
    make_question("connect4", "31", depth=2),
    make_question("threats", "3", depth=3),
    make_question("full-depth", "", depth=3, published=True),
    make_question("tree:[[3,12,8],[2,4,6]]", "1", depth=None),
    make_question("nim:1,2,3", "1001", depth=None),
    make_question("tictactoe", "4081", depth=5, strict=True),
]


@pytest.mark.parametrize("search", SEARCHES, ids=search_key)
def test_compare_and_play_start_from_the_position_of_step(search):
    there = {name: search_params(search)[name] for name in ("game", "moves")}
    compare = {"depths": "end" if search.depth is None else "1-2", "repeat": "1", **there}
    assert (
        position_params(
            open_from_menu("compare", "step", search=search, last_compare={**compare, "game": "k-tables", "moves": "3"})
        )
        == there
    )
    address = play_page_params(search)
    assert {name: address[name] for name in there} == there
    playing, wrong = read_match_params(address)
    assert not wrong
    assert is_same_position(question_from_match(playing), search)
    assert not isinstance(playing.match().max_player, type(playing.match().min_player))


@pytest.mark.parametrize("search", SEARCHES, ids=search_key)
def test_step_starts_from_the_position_of_compare_with_its_own_k(search):
    app = open_from_menu(
        "step", "compare", search=search.replace(depth=None), last_step=search_params(make_question("k-tables", "3", depth=2))
    )
    question, wrong = read_search_params(dict(app.query_params))
    assert not wrong
    assert is_same_position(question, search)
    assert question.depth == 2


@pytest.mark.parametrize(("algorithm", "depth", "deep"), [("minimax", 8, 7), ("minimax", 7, 7), ("alphabeta", 10, 8)])
def test_play_preselects_the_deepest_affordable_search(algorithm, depth, deep):
    taken = play_page_params(make_question("connect4", "", depth=depth, algorithm=algorithm))
    assert read_player(taken["min"]).depth == deep


def test_play_opens_with_the_search_until_a_person_has_moved():
    search = make_question("tictactoe", "40", depth=2)
    assert position_params(open_from_menu("play", "step", search=search))["moves"] == "40"
    usual = {"game": "connect4", "max": "human", "min": "search:depth=1", "first": "max"}
    assert position_params(open_from_menu("play", "step", search=search, last_play={**usual, "moves": ""}))["game"] == "tictactoe"
    app = open_from_menu("play", "step", search=search, last_play={**usual, "moves": "33"})
    assert position_params(app) == {"game": "connect4", "moves": "33"}
    press_button(app, "Play from the position on Step")
    assert position_params(app) == {"game": "tictactoe", "moves": "40"}
    assert "Play from the position on Step" not in [button.label for button in app.button]


def test_step_offers_the_position_of_the_game():
    playing = MatchParams("connect4", "3344", min_player="search:depth=2")
    app = open_from_menu(
        "step", "play", search=make_question(depth=2), game=playing, last_step=search_params(make_question(depth=2))
    )
    assert position_params(app) == {"game": "k-tables", "moves": "3"}
    press_button(app, "Use the position from Play")
    assert position_params(app) == {"game": "connect4", "moves": "3344"}
    assert app.query_params["depth"] == "2"
    assert "Use the position from Play" not in [button.label for button in app.button]


def test_the_tree_of_an_exercise_on_step_does_not_become_the_position_of_other_pages():
    explained, shown = make_exercise("values", 4, 1).question, make_question("connect4", "31", depth=2)
    app = open_from_menu("step", "learn", search=shown, last_step=search_params(shown), way_back=(explained, {}))
    before = app.session_state["search"]
    app.query_params.clear()
    for name, text in search_params(explained).items():
        app.query_params[name] = text
    app.run()
    wait_for_job(app)
    assert "Back to the exercise" in [button.label for button in app.button]
    assert app.session_state["search"] == before
    assert app.session_state["last step"]["game"] == "connect4"
    app.query_params["algorithm"] = "alphabeta"  # a search of the user's own choice
    app.run()
    wait_for_job(app)
    assert app.session_state["search"].game == explained.game


def test_a_url_with_parameters_is_used_as_it_is():
    app = open_page("step", search_params(make_question("k-tables", "33", depth=2)))
    app.session_state["search"] = make_question("connect4", "", depth=2)
    app.session_state["page"] = "compare"
    app.run()
    assert position_params(app) == {"game": "k-tables", "moves": "33"}


def test_the_words_for_how_a_node_was_left_are_plain():
    assert tuple(STATUS_LABELS) == STATUS_NAMES
    assert STATUS_LABELS["exhausted"] == "all moves tried"
    for path in ASSETS.rglob("*.js"):
        assert not any(f'"{words}"' in path.read_text() for status, words in STATUS_LABELS.items() if words != status)


def test_every_example_is_explained_on_step():
    app = open_step(search_params(make_question(depth=2)))
    page_text = " ".join(element.value for element in app.markdown).replace("\\", "")
    for name in EXAMPLES:
        assert f"**{name}**: {EXAMPLE_DESCRIPTIONS[name]}." in page_text


def test_every_published_program_has_a_plain_name_and_the_name_of_its_preset():
    assert {*PRESETS} < {*PUBLISHED_EXAMPLES} == {*PUBLISHED_TITLES} == {*PUBLISHED_DESCRIPTIONS}
    app = open_step(search_params(make_question(depth=2)))
    programs = next(radio for radio in app.radio if radio.label == "Published student programs")
    assert list(programs.options) == [PUBLISHED_TITLES[name] for name in PUBLISHED_EXAMPLES]
    captions = [caption.replace("\\", "") for caption in programs.proto.captions]
    assert captions == [f"{name}. {PUBLISHED_DESCRIPTIONS[name]}." for name in PUBLISHED_EXAMPLES]
    programs.set_value("threats").run()
    wait_for_job(app)
    assert app.query_params["game"] == "threats"
    assert "Connect 4, student program threats" in search_title(app)


def test_the_descriptions_of_the_examples_are_true():
    textbook = search(EXAMPLES["Textbook tree"])
    assert (textbook.leaves, textbook.skipped) == (7, 2)
    assert search(EXAMPLES["Nim"]).root.value == -1
    assert search(EXAMPLES["Connect 4"]).expanded == 233
    assert search(EXAMPLES["Connect 4"].replace(algorithm="minimax")).expanded == 400
    large = next(name for name, title in PUBLISHED_TITLES.items() if title == "Large tree: 137,256 nodes")
    assert search(PUBLISHED_EXAMPLES[large]).expanded == 137_256
    board = search(EXAMPLES["Tic-tac-toe"])
    assert (board.complete, board.leaves) == (True, board.terminals)


def test_a_game_continues_with_another_evaluation_where_it_can():
    app = open_page("play", {"game": "connect4", "moves": "33", "max": "human", "min": "search:depth=2"})
    change_widget(app, "Evaluation", "lines")
    press_button(app, "Continue this game")
    assert (app.query_params["game"], app.query_params["moves"]) == ("connect4:evaluation=lines", "33")
    change_widget(app, "Game", "tictactoe")
    assert any("cannot continue there" in caption.value for caption in app.caption)
    assert "Continue this game" not in [button.label for button in app.button]


@pytest.mark.parametrize("kind", GAME_TYPES)
def test_every_game_in_the_list_is_played_by_its_form(kind):
    app = open_page("play", {"game": "k-tables", "max": "human", "min": "search:depth=2"})
    change_widget(app, "Game", kind)
    assert not app.error
    press_button(app, "New game")
    assert not app.error
    assert not app.warning
    assert game_type_name(app.query_params["game"]) == kind


def test_a_move_that_the_search_did_not_choose_is_not_explained_as_its_own():
    app = open_page("play", {"game": "connect4", "moves": "31", "first": "max", "max": "human", "min": "search:depth=3"})
    press_button(app, "See why")
    chosen = search(read_game("connect4"), "3", 3, first="max").root.best_move
    assert chosen != 1
    page_text = " ".join(element.value for element in app.markdown).replace("\\", "")
    assert f"This search did not choose column 1: the position was set up. It chooses column {chosen}." in page_text


def test_chance_is_drawn_after_a_move_and_the_same_seed_draws_the_same():
    for seed in range(5):
        app = open_page(
            "play", {"game": "pig:target=12,die=3", "moves": "0", "max": "human", "min": "policy:hold=5", "seed": str(seed)}
        )
        assert not app.error
        game, expected = read_game("pig:target=12,die=3"), [0]
        match = Match.read(game, "0", "max", HumanPlayer(), PolicyPlayer("hold", 5), seed)
        while match.is_chance or not (match.is_finished or isinstance(match.player, HumanPlayer)):
            match = match.play(match.choose().move)
            expected.append(match.moves[-1])
        assert read_moves(app.query_params["moves"], False) == expected
        last = max(at for at, before in enumerate(match.earlier_matches) if before.is_chance)
        assert any(f"Chance brings {expected[last]}" in element.value for element in app.markdown)


def test_a_move_of_mcts_is_explained_by_visits_and_its_search_is_offered():
    players = {"max": "human", "min": "mcts:iterations=50"}
    app = open_page("play", {"game": "tictactoe", "moves": "0", "first": "max", **players})
    tree = search(read_game("tictactoe"), "0", algorithm="mcts", iterations=50, first="max")
    assert app.query_params["moves"] == f"0{tree.root.best_move}"
    press_button(app, "See why")
    page_text = " ".join(element.value for element in app.markdown).replace("\\", "")
    assert f"{max(child.visits for child in tree.root.children)} of 50 visits" in page_text
    assert any(button.label == "Open the search" for button in app.button)


def test_moves_of_nim_are_shown_in_words_beside_their_numbers():
    app = open_step(search_params(make_question("nim:1,2,3", "1002", depth=2)))
    assert "2 from heap 1" in [caption.value for caption in app.caption]
    assert "1002 takes 2 from heap 1" in find_widget(app, "Moves so far").help


# ---- trees of one's own

BUILT = {"text": "[1,2]", "edition": 0}


def test_a_tree_is_written_in_any_format_and_stays_as_it_was_typed():
    app = open_step({"game": "tree:[[3,12],[2,4]]"})
    typed = "MIN\n  left: 3\n  go -> 5\n"
    change_widget(app, "Tree", typed)
    assert find_widget(app, "Tree").value == typed
    change_widget(app, "Algorithm", "minimax")
    assert find_widget(app, "Tree").value == typed
    assert find_widget(app, "Game").value == "tree-min"
    assert any(caption.value == "3 nodes" for caption in app.caption)
    change_widget(app, "Tree", "MIN\n  left: three")
    assert [error.value for error in app.error] == [
        "line 2, column 9\\: 'three' is not a number\\: write one such as 3 or \\-0\\.5"
    ]


@pytest.mark.parametrize(
    "sent",
    [None, 3, "[1,2]", {"text": "[1,2]"}, {"text": ["[1]"], "edition": 0}, {"text": "x" * 100_001, "edition": 0}, BUILT],
)
def test_the_builder_sends_a_text_and_its_edition_or_nothing(sent, monkeypatch):
    told, mounted = [], {}
    monkeypatch.setattr(tree_builder, "create_component", lambda name: lambda **options: mounted.update(options))
    monkeypatch.setattr(tree_builder.st, "session_state", {"b": {"built": sent}})
    tree_builder.show_tree_builder("[1]", True, "b", lambda *built: told.append(built))
    mounted["on_built_change"]()
    assert told == ([("[1,2]", 0)] if sent is BUILT else [])


def test_a_random_tree_becomes_a_tree_to_change():
    app = open_step({"game": "random-tree:branching=2,depth=2,seed=7"})
    change_widget(app, "Game", "tree")
    assert read_game(f"tree:{find_widget(app, 'Tree').value}").tree == read_game("random-tree:branching=2,depth=2,seed=7").tree


@pytest.mark.parametrize(
    ("game", "first"), [("tree-min:[[1,2],[3,4]]", "min"), ("tree:[[1,2],[3,4]]", "max"), ("connect4", "max")]
)
def test_the_side_at_the_root_of_a_tree_starts_the_game(game, first):
    assert read_match_params({"game": game})[0].first == first
    assert play_page_params(Question(read_game(game), depth=None))["first"] == first
    depths = {"depths": "2"} if "tree" in game else {}
    assert read_tournament_params({"game": game, **depths})[0].starts == first
    output = runner.CliRunner().invoke(plyscope, ["play", game, "--depth", "2"], input="quit\n").output
    assert ("MIN, the computer" in output) == (first == "min")


NAMED_TREE = 'tree-min:{"name":"A","children":[{"move":"left","value":1},{"name":"<b>","value":2}]}'


@pytest.mark.parametrize(("page", "depths"), [("compare", "end"), ("play", ""), ("tournament", "2")])
def test_every_page_shows_a_tree_with_names(page, depths):
    app = open_page(page, {"game": NAMED_TREE, "depths": depths})
    assert not app.exception
    assert [message.value for message in (*app.error, *app.warning)] == []


def test_the_line_about_the_size_runs_until_it_is_final_and_then_stays():
    def part():
        import streamlit as st

        from visualizer.app.forms.search_form import Expectation, _show_expectation

        def expect(wanted):
            st.session_state["asked"] = asked = st.session_state.get("asked", 0) + 1
            return Expectation(f"{wanted} nodes", asked > 1)

        _show_expectation(7, expect)

    app = AppTest.from_function(part, default_timeout=MAX_WAIT_SECONDS).run()
    assert [caption.value for caption in app.caption] == ["7 nodes"]
    assert app.session_state["asked"] == 3  # by the page, by the fragment, and by the page again, which then shows plain text
