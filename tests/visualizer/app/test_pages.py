"""The pages without a browser."""

import base64
import json
import re
import struct
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from engine import Question, Trace, connect, literal, search, searcher
from engine.algorithms import ALGORITHMS
from engine.games.presets import PRESETS
from engine.games.registry import GAME_TYPES, game_text
from engine.games.tree_formats.tree_utils import count_nodes
from engine.matches.tournament import Tournament
from tests.support.paths import ROOT
from tests.support.processes import MAX_WAIT_SECONDS, wait_until
from tests.support.questions import make_question
from visualizer.app.state.jobs import ComparisonJob, SearchJob, estimate_bytes
from visualizer.app.state.url_params import (
    DEFAULT_SEARCH,
    EXAMPLES,
    PUBLISHED_EXAMPLES,
    SAMPLE_SEARCH,
    SAMPLE_TOURNAMENT,
    ComparisonParams,
    TournamentParams,
    read_comparison_params,
    read_match_params,
    read_search_params,
    read_tournament_params,
    search_params,
)
from visualizer.app.views.compare import CHARTS, DOWNLOAD_GROUPS
from visualizer.narration.glossary import DEPTH_TERM, game_name, game_type_name
from visualizer.pool import pool as pools
from visualizer.pool.limits import Limits
from visualizer.pool.pool import ThreadPool
from visualizer.pool.weighted_lru import WeightedLRU
from visualizer.report import FORMATS
from visualizer.viewer.bundle import read_sent_number

APP = ROOT / "visualizer" / "app" / "main.py"
ALL_EXAMPLES = EXAMPLES | PUBLISHED_EXAMPLES


def place_of(question):
    return {name: search_params(question)[name] for name in ("game", "moves")}


class Everything:
    """What a visitor has opened: all there is."""

    def __contains__(self, key):
        return True

    def add(self, key):
        pass


def open_step(parameters, with_sections=True):
    """The page Step, with all that stands behind buttons or without."""
    app = AppTest.from_file(str(APP), default_timeout=MAX_WAIT_SECONDS)
    if with_sections:
        app.session_state["opened"] = Everything()
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    wait_for_job(app)
    return app


def open_page(page, parameters=()):
    """A page without the navigation around it, with all that stands behind buttons."""
    app = AppTest.from_string(f"from visualizer.app.views import {page}\n{page}.page()", default_timeout=MAX_WAIT_SECONDS)
    app.session_state["opened"] = Everything()
    for name, value in dict(parameters).items():
        app.query_params[name] = value
    app.run()
    wait_for_job(app)
    return app


def wait_for_job(app):
    """Wait for a job: the page shows how far it is, and runs again at the end."""
    wait_until(lambda: "job" not in app.session_state or "job" not in app.run().session_state, "the job has ended")
    assert not app.exception, app.exception


def search_title(app):
    """Return the title of the search that the page Step shows."""
    return next(element.value for element in app.markdown if element.value.startswith("**")).replace("\\", "")


def test_a_search_runs_once_together_with_minimax(monkeypatch):
    open_step({})  # makes ready what every page needs
    run, questions = searcher.create_kernel_search, []

    def counted(question, recording=True):
        questions.extend([question] * recording)  # what the truth is compared with is not recorded
        return run(question, recording=recording)

    monkeypatch.setattr(searcher, "create_kernel_search", counted)
    question = {"game": "connect:rows=5,cols=6,connect=4", "moves": "21", "depth": "4"}
    open_step({**question, "algorithm": "alphabeta"}, with_sections=False)
    assert len(questions) == 2
    open_step({**question, "algorithm": "minimax"}, with_sections=False)
    assert len(questions) == 2


def test_a_page_shows_the_overview_of_minimax_beside_its_search():
    question = {"game": "connect:rows=5,cols=6,connect=4", "moves": "21", "depth": "4"}
    app = open_step({**question, "algorithm": "alphabeta"})
    find_beside_minimax(app).click().run()
    (picture,) = app.get("image")
    drawn = base64.b64decode(picture.value[0].partition(",")[2]).decode()
    trees = [search(connect(rows=5, cols=6), "21", depth=4, algorithm=name) for name in ("alphabeta", "minimax")]
    for title, tree in zip(("alpha-beta", "minimax"), trees, strict=True):
        assert f"{title}: {tree.expanded:,} nodes" in drawn
    assert "minimax, where alpha-beta goes" in drawn
    assert not find_beside_minimax(open_step({**question, "algorithm": "minimax"}))
    assert not find_beside_minimax(open_step({**question, "depth": "3"}))  # saves too few nodes


def find_beside_minimax(app):
    return next((button for button in app.button if button.label == "Beside minimax"), None)


def tree_viewers(app):
    """The tree viewers of a page: the form has a board of its own."""
    return [element for element in app.get("bidi_component") if element.proto.bytes]


def settings_of(app):
    data = tree_viewers(app)[0].proto.bytes
    (length,) = struct.unpack("<I", data[-4:])
    return json.loads(data[-4 - length : -4])


@pytest.mark.parametrize("name", ALL_EXAMPLES)
def test_every_example_opens(name):
    app = open_step(search_params(ALL_EXAMPLES[name]))
    assert len(tree_viewers(app)) == 1
    assert not app.warning
    assert not app.error


@pytest.mark.parametrize("algorithm", list(ALGORITHMS)[2:])
def test_every_rung_opens(algorithm):
    app = open_step({"game": "tictactoe", "moves": "4", "depth": "3", "algorithm": algorithm, "order": "centre"})
    assert len(tree_viewers(app)) == 1
    assert not app.warning
    assert not app.error


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_with_every_algorithm_as_published_too(name, algorithm):
    for published in ("0", "1"):
        app = open_step({"game": name, "moves": "", "depth": "3", "algorithm": algorithm, "published": published})
        assert len(tree_viewers(app)) == 1
        assert not app.warning
        assert not app.error


@pytest.mark.parametrize("kind", GAME_TYPES)
def test_the_form_offers_every_kind_of_game(kind):
    app = open_step(search_params(make_question()))
    app.selectbox[0].set_value(kind).run()
    assert not app.exception
    assert not app.error
    next(button for button in app.button if button.label == "Search").click().run()
    assert not app.exception
    assert game_type_name(app.query_params["game"]) == kind
    assert len(tree_viewers(app)) == 1


@pytest.mark.parametrize(
    ("label", "typed", "message"),
    [
        ("Depth K", "many", "is not a depth limit"),
        ("Depth K", "501", "is not a depth limit"),
        ("Moves so far", "39", "There is no column 9"),
        ("Moves so far", "3333333", "Column 3 is full"),
    ],
)
def test_the_form_says_what_is_wrong_and_does_not_search(label, typed, message):
    app = open_step(search_params(make_question()))
    next(widget for widget in app.text_input if widget.label == label).set_value(typed).run()
    assert message in app.error[0].value.replace("\\", "")
    assert next(button for button in app.button if button.label == "Search").disabled


def test_step_opens_with_the_default_example():
    app = open_step({})
    assert any("233 nodes" in element.value for element in app.markdown)
    assert settings_of(app)["step"] is None


def test_the_viewer_gets_the_step_of_a_link():
    assert settings_of(open_step({**search_params(make_question()), "step": "300"}))["step"] == 300
    assert settings_of(open_step({**search_params(make_question()), "step": "-1"}))["step"] is None


@pytest.mark.parametrize(
    "parameters",
    [
        {"game": "bad"},
        {"game": "k-tables", "moves": "9"},
        {"game": "k-tables", "depth": "x"},
        {"game": "connect4", "published": "1"},
        {"game": "tree:[[1],[]]"},
        {"game": "tree:" + "[" * 5000},
        {"game": "k-tables", "algorithm": "<script>"},
    ],
)
def test_a_bad_link_falls_back_with_a_notice(parameters):
    app = open_step(parameters)
    assert "could not be opened" in app.warning[0].value
    assert any("233 nodes" in element.value for element in app.markdown)


def test_the_page_opens_with_an_early_cutoff_below_max():
    trace = Trace(search(SAMPLE_SEARCH))
    assert trace.tree.root.maximizing
    assert trace.next("cutoff", 0) < 40
    assert SAMPLE_SEARCH in EXAMPLES.values()
    assert (read_search_params({}), read_search_params({"step": "39"})) == ((SAMPLE_SEARCH, ""), (DEFAULT_SEARCH, ""))


def test_compare_and_tournament_open_on_connect_4_and_old_links_stay_true():
    assert read_comparison_params({})[0] == read_comparison_params(ComparisonParams(SAMPLE_SEARCH).parameters())[0]
    assert read_comparison_params({"depths": "1-2"})[0].search.game == DEFAULT_SEARCH.game
    assert read_tournament_params({}) == (SAMPLE_TOURNAMENT, "")
    assert read_tournament_params(SAMPLE_TOURNAMENT.parameters()) == (SAMPLE_TOURNAMENT, "")
    assert read_tournament_params({"depths": "1-2"}) == (TournamentParams(depths="1-2"), "")
    assert game_name(SAMPLE_TOURNAMENT.game) == game_name(game_text(SAMPLE_SEARCH.game)) == "Connect 4"


@pytest.mark.parametrize("page", ["compare", "tournament"])
def test_a_published_program_is_one_click_away(page):
    app = open_page(page)
    programs = next(radio for radio in app.radio if radio.label == "Published student programs")
    assert (programs.value, len(programs.options)) == (None, len(PRESETS))
    programs.set_value("full-depth").run()
    wait_for_job(app)
    assert app.query_params["game"] == "full-depth"
    assert next(radio for radio in app.radio if radio.label == "Published student programs").value == "full-depth"
    assert not app.error


def test_a_search_that_is_too_large_says_what_to_lower():
    app = open_step({"game": "connect4", "depth": "12", "algorithm": "minimax", "moves": ""})
    assert "Lower K" in app.info[0].value
    assert not tree_viewers(app)


def test_a_depth_that_cuts_a_literal_tree_short_is_an_error_not_a_crash():
    app = open_step({"game": "tree:[[1,2],[3,4]]", "depth": "1", "moves": ""})
    assert "ends above the leaves of this tree" in app.error[0].value.replace("\\", "")


@given(
    st.dictionaries(
        st.sampled_from(["game", "moves", "first", "algorithm", "depth", "strict", "published"]), st.text(max_size=12)
    )
)
def test_any_url_gives_a_search(parameters):
    question, notice = read_search_params(parameters)
    assert isinstance(question, Question)
    assert notice or read_search_params(search_params(question)) == (question, "")


def test_a_cancelled_job_stops_at_once():
    job = SearchJob(Question(connect(), depth=14), compiled=False, max_nodes=20_000_000)
    wait_until(lambda: job.wait(0) or job.nodes > 1000, "the search has begun")
    job.cancel()
    assert job.wait(MAX_WAIT_SECONDS)
    assert job.answer.stopped == "cancelled"


def test_an_error_in_a_job_is_raised_by_wait():
    with pytest.raises(ValueError, match="ends above the leaves of this tree"):
        SearchJob(Question(literal([[1, 2], 3]), depth=1)).wait(MAX_WAIT_SECONDS)


def test_the_answer_cache_keeps_the_last_used_trees_within_its_bytes():
    trees = {depth: search(connect(), depth=depth) for depth in range(1, 6)}
    answers = WeightedLRU(estimate_bytes(trees[1]) + estimate_bytes(trees[5]), weigh=estimate_bytes)
    for depth, tree in trees.items():
        answers.put(depth, tree)
        answers.get(1)
    assert [depth for depth in trees if answers.get(depth) is not None] == [1, 5]
    before = estimate_bytes(trees[5])
    assert trees[5].value.nbytes == estimate_bytes(trees[5]) - before  # what is made of a column counts, too


def test_a_slow_search_shows_its_progress_and_is_cached():
    slow = make_question("connect:rows=9,cols=9,connect=4", "", depth=4, algorithm="minimax")
    app = open_step(search_params(slow))
    wait_until(lambda: tree_viewers(app) or tree_viewers(app.run()), "the search is shown")  # till then, how far it is
    app.run()
    assert len(tree_viewers(app)) == 1


def test_markdown_in_a_link_stays_text():
    app = open_step({"game": "k-tables", "moves": "![x](http://evil.example/a.png) **b** $x$ :red[hi]"})
    warning = app.warning[0].value
    assert "![" not in warning
    assert "\\!\\[x\\]\\(http\\:" in warning


def test_a_url_parameter_changes_only_its_own_value():
    question, notice = read_search_params({"algorithm": "minimax"})
    assert (question, notice) == (make_question(algorithm="minimax"), "")


def test_an_absurd_depth_in_a_link_falls_back():
    assert 'enter 0-500 or "end"' in read_search_params({"game": "k-tables", "depth": "999"})[1]


# ---- Compare


@pytest.mark.parametrize("name", ["k-tables", "Textbook tree", "Tic-tac-toe", "Nim", "connect-m"])
def test_every_kind_of_game_can_be_compared(name):
    example = ALL_EXAMPLES[name]
    depths = "end" if example.depth is None else "1-3"
    app = open_page("compare", {**place_of(example), "depths": depths, "repeat": "1"})
    assert not app.error
    assert not app.warning
    assert "minimax" in app.dataframe[0].value["algorithm"].tolist()
    assert len(tree_viewers(app)) == 1


def test_published_counts_stand_beside_ours():
    app = open_page("compare", {"game": "k-tables", "moves": "3", "depths": "3", "repeat": "1"})
    assert app.dataframe[0].value["published (k-tables)"].tolist() == ["= 400", "= 234"]
    caption = next(caption.value for caption in app.caption if "Expanded counts" in caption.value)
    assert "the student report behind the preset k-tables" in caption
    assert "*Time alone* is the search without recording" in caption
    assert any(button.label == "Quiz: true or false?" for button in app.button)


def test_the_downloads_of_a_comparison_are_grouped_by_content():
    listed = [extension for extensions in DOWNLOAD_GROUPS.values() for extension in extensions]
    assert sorted(listed) == sorted(FORMATS)
    assert all(("charts only" in FORMATS[extension][2]) == (extension in DOWNLOAD_GROUPS[CHARTS]) for extension in listed)


def test_one_depth_has_no_charts_to_download():
    for depths, has_charts in (("2", False), ("1-2", True)):
        app = open_page("compare", {"game": "k-tables", "moves": "3", "depths": depths, "repeat": "1"})
        assert any(caption.value == CHARTS for caption in app.caption) == has_charts


def test_a_tree_of_minimax_that_is_too_large_is_not_run():
    app = open_page("compare", {"game": "connect4", "moves": "", "depths": "8", "repeat": "1"})
    assert any("not run\\, about" in caption.value or "not run, about" in caption.value for caption in app.caption)
    assert app.dataframe[0].value["expanded"].tolist() == ["–", "266,016"]


@pytest.mark.parametrize(
    "parameters",
    [
        {"depths": "5-1"},
        {"depths": "x"},
        {"depths": "1-300"},
        {"repeat": "0"},
        {"repeat": "x"},
        {"game": "bad"},
        {"depths": "1,2", "repeat": "999"},
    ],
)
def test_a_bad_comparison_falls_back_with_a_notice(parameters):
    comparing, wrong = read_comparison_params({"game": "k-tables", **parameters})
    assert (comparing, bool(wrong)) == (ComparisonParams(), True)
    assert "could not be opened" in open_page("compare", {"repeat": "1", "game": "k-tables", **parameters}).warning[0].value


@given(
    st.dictionaries(st.sampled_from(["game", "moves", "first", "depths", "repeat", "strict", "published"]), st.text(max_size=12))
)
def test_any_url_gives_a_comparison(parameters):
    comparing, wrong = read_comparison_params(parameters)
    assert wrong or read_comparison_params(comparing.parameters()) == (comparing, "")


def test_a_depth_that_cuts_a_tree_short_gives_a_message_not_a_crash():
    app = open_page("compare", {"game": "tree:[[1,2],[3,4]]", "moves": "", "depths": "1"})
    assert "ends above the leaves of this tree" in app.error[0].value


def test_a_job_ends_when_its_visitor_leaves_not_when_no_page_waits():
    job = SearchJob(Question(connect(), depth=14), compiled=False, max_nodes=20_000_000)
    there = True
    job.visitor_is_here = lambda: there
    wait_until(lambda: job.is_over or job.nodes > 1000, "the search has begun")
    time.sleep(1)  # a slow page: nobody asks how far it is
    assert not job.is_over
    there = False
    wait_until(lambda: job.is_over, "the job has ended by itself")
    assert job.answer.stopped == "cancelled"
    assert job.was_abandoned  # for a visitor who comes back it is begun anew


# ---- messages of a browser that are not what our pages send


FORGED = [5, 0, -1, 10**9, True, 1.5, "5", None, [5], {"row": 5}, float("nan")]


@pytest.mark.parametrize("message", FORGED, ids=repr)
@pytest.mark.parametrize("wish", ["open", "why", "export"])
def test_a_forged_request_of_the_viewer_does_not_rerun_the_page_forever(wish, message, monkeypatch):
    runs = []
    target = "visualizer.app.views.step.show_viewer"
    from visualizer.viewer import tree_viewer

    def counting(*arguments, **options):
        runs.append(None)
        return tree_viewer.show_viewer(*arguments, **options)

    monkeypatch.setattr(target, counting)
    monkeypatch.setattr(
        "visualizer.viewer.tree_viewer.create_component", lambda entry: lambda **data: SimpleNamespace(**{wish: message})
    )
    app = open_page("step", {"game": "tree:[[3,12,8],[2,4,6],[14,5,2]]", "moves": "", "depth": "", "algorithm": "alphabeta"})
    assert len(runs) <= 2
    assert not app.exception


def test_the_first_search_of_a_machine_shows_its_spinner_outside_the_closed_form(monkeypatch):
    order = []
    monkeypatch.setattr("visualizer.app.state.background_search.warm_up_search", lambda: order.append("ready"))
    monkeypatch.setattr("visualizer.app.views.step.ask_for_search", lambda *form: order.append("form"))
    open_page(
        "step", search_params(make_question("tree:[[31,12,8],[2,4,6]]", "", depth=None))
    )  # one that nobody has searched yet
    assert order[:2] == ["ready", "form"]


def test_a_computers_move_is_cached_for_all_visitors(monkeypatch):
    game = {"game": "connect4", "moves": "6", "first": "max", "max": "human", "min": "search:depth=3"}
    first = open_page("play", game)
    assert len(first.query_params["moves"]) == 2
    monkeypatch.setattr("visualizer.app.views.play.poll_answer", lambda *asked: pytest.fail("searched again"))
    assert open_page("play", game).query_params["moves"] == first.query_params["moves"]


def test_a_game_continues_if_the_computers_depth_is_too_deep(monkeypatch):
    monkeypatch.setattr(pools._CurrentPool, "pool", ThreadPool(Limits(nodes=3000)))
    app = open_page("play", {"game": "connect4", "moves": "665", "first": "max", "max": "human", "min": "search:depth=8"})
    assert len(app.query_params["moves"]) == 4
    assert not app.error
    assert any("it looked 4 moves ahead" in caption.value for caption in app.caption)


def test_a_game_whose_computer_takes_too_long_is_in_the_url_and_continues(monkeypatch):
    monkeypatch.setattr(pools._CurrentPool, "pool", ThreadPool(Limits(seconds=0.0)))
    app = AppTest.from_string("from visualizer.app.views import play\nplay.page()", default_timeout=MAX_WAIT_SECONDS)
    app.query_params.update({"game": "connect4", "moves": "61", "first": "max", "max": "human", "min": "search:depth=12"})
    app.session_state["pending"] = read_match_params({**app.query_params, "moves": "616"})[0]  # a disc that waits for its answer
    wait_for_job(app.run())
    wait_until(lambda: app.error or app.run().error, "the time is over")
    assert app.query_params["moves"] == "616"
    assert any("contains the game" in caption.value for caption in app.caption)
    monkeypatch.setattr(pools._CurrentPool, "pool", ThreadPool())
    next(button for button in app.button if button.label == "Continue with a player that looks 4 moves ahead").click().run()
    wait_for_job(app)
    assert len(app.query_params["moves"]) == 4
    assert app.query_params["min"] == "search:depth=4"


def test_the_headline_of_a_tree_of_numbers_is_plain():
    for name, example in (
        ("Textbook tree", EXAMPLES["Textbook tree"]),
        ("Tree of 3 leaves", make_question("tree:[[3,1],[2]]", "", depth=None)),
    ):
        app = open_page("step", search_params(example))
        assert search_title(app).startswith(f"**{name} · ")


def test_in_a_large_tree_only_nodes_that_hide_others_can_be_opened(monkeypatch):
    from visualizer.viewer import tree_viewer, viewport

    tree = search(connect(), depth=6)
    part = viewport.find_visible_part(tree, most=200)
    hides = part.rows[part.hidden > 0]
    wishes = [row for row in range(len(tree)) if tree_viewer._is_valid_request("open", row, tree, part)]
    assert wishes == hides.tolist()
    assert not any(tree_viewer._is_valid_request("open", row, tree, None) for row in range(50))


@pytest.mark.parametrize("message", FORGED[2:], ids=repr)
def test_a_message_that_is_not_a_valid_index_is_ignored(message):
    assert read_sent_number(SimpleNamespace(cell=message), "cell", 10) is None
    assert read_sent_number(SimpleNamespace(), "cell", 10) is None
    assert read_sent_number(SimpleNamespace(cell=9), "cell", 10) == 9


def test_a_cancelled_comparison_keeps_its_rows():
    job = ComparisonJob(Question(connect()), depths="1-13", algorithms="alphabeta", repeat=1)
    while not job.rows:
        job.wait(0.01)
    job.cancel()
    assert job.wait(MAX_WAIT_SECONDS)
    assert job.comparison.stopped == "cancelled"
    assert job.comparison.rows


# ---- Play


@pytest.mark.parametrize("name", ALL_EXAMPLES)
def test_every_game_can_be_played(name):
    example = ALL_EXAMPLES[name]
    depth = "end" if example.depth is None else "2"
    players = {"max": "human", "min": f"search:depth={depth}"}
    app = open_page("play", {**place_of(example), "first": example.first or "max", **players})
    assert not app.error
    assert not app.warning


@pytest.mark.parametrize(
    "parameters",
    [
        {"game": "tree:[[1,2],[3,[4,5]]]", "min": "search:depth=1"},
        {"game": "bad"},
        {"moves": "9"},
        {"max": "robot"},
        {"min": "search:depth=0"},
        {"first": "me"},
        {"starts": "never"},
    ],
)
def test_a_bad_game_falls_back_with_a_notice(parameters):
    assert "could not be opened" in open_page("play", parameters).warning[0].value


@given(
    st.dictionaries(st.sampled_from(["game", "moves", "first", "max", "min", "starts"]), st.text(max_size=12)),
)
def test_any_url_gives_a_game(parameters):
    playing, wrong = read_match_params(parameters)
    assert wrong or read_match_params(playing.parameters()) == (playing, "")


def test_the_computer_answers_and_the_game_ends_with_a_tally():
    app = open_page("play", {"game": "connect4", "moves": "010101", "max": "human", "min": "search:depth=2", "first": "max"})
    assert "your turn" in app.subheader[0].value
    app = open_page("play", {"game": "connect4", "moves": "0101010", "max": "human", "min": "search:depth=2", "first": "max"})
    assert "MAX wins: you have won" in app.subheader[0].value
    assert any("Games on this page so far" in caption.value for caption in app.caption)


# ---- Tournament


def heat_of(app):
    """What the heat maps show, board by board."""
    data = next(element for element in app.get("bidi_component") if "panels" in element.proto.json)
    return json.loads(data.proto.json)["panels"]


def test_the_page_reproduces_the_published_tournament():
    app = open_page("tournament", {"game": "connect-m"})
    assert not app.error
    assert any("64 of 64 cells" in caption.value for caption in app.caption)
    first = heat_of(app)[0]
    assert [cell["text"] for cell in first["cells"][first["rows"].index("2")]] == ["draw", "draw", "MIN", "MIN"]


def test_a_tournament_without_a_finished_cell_offers_only_to_play_the_rest():
    app = AppTest.from_string("from visualizer.app.views import tournament\ntournament.page()", default_timeout=MAX_WAIT_SECONDS)
    app.session_state["tournaments"] = {SAMPLE_TOURNAMENT: Tournament(SAMPLE_TOURNAMENT.grid())}
    app.run()
    assert not app.exception
    assert "No cell is finished yet" in app.warning[0].value
    assert "Play the rest" in [button.label for button in app.button]
    assert not [caption for caption in app.caption if "Click a cell" in caption.value]


@pytest.mark.parametrize(
    "parameters",
    [
        {"depths": "0-2"},
        {"depths": "x"},
        {"sizes": "3-1"},
        {"games": "0"},
        {"games": "-1"},
        {"game": "tictactoe", "sizes": "3"},
        {"game": "bad"},
        {"openings": "9999"},
        {"starts": "me"},
        {"algorithm": "guess"},
        {"games": "100", "openings": "3", "depths": "1-8"},
        {"depths": "9"},
        {"games": "101"},
        {"seed": "2000000"},
    ],
)
def test_a_bad_tournament_falls_back_with_a_notice(parameters):
    competing, wrong = read_tournament_params({"game": "connect-m", **parameters})
    assert (competing, bool(wrong)) == (SAMPLE_TOURNAMENT, True)


def test_the_notice_of_a_bad_tournament_is_on_the_page():
    assert "could not be opened" in open_page("tournament", {"game": "connect-m", "games": "0"}).warning[0].value


@given(
    st.dictionaries(
        st.sampled_from(["game", "sizes", "depths", "games", "openings", "starts", "seed", "faster"]), st.text(max_size=6)
    )
)
def test_any_url_gives_a_tournament(parameters):
    competing, wrong = read_tournament_params(parameters)
    assert wrong or read_tournament_params(competing.parameters()) == (competing, "")


@pytest.mark.parametrize("game", ["tictactoe", "nim:1,2", "tree:[[1,2],[3,4]]"])
def test_small_games_have_tournaments_too(game):
    app = open_page("tournament", {"game": game, "depths": "2-3", "games": "1"})
    assert not app.warning
    assert not app.error
    assert len(heat_of(app)) == 1


def test_about_names_every_page_preset_and_key():
    app = open_page("about")
    page_text = " ".join(element.value for element in app.markdown)
    for name in (*PRESETS, "Step", "Compare", "Play a game", "Tournament"):
        assert f"**{name}**" in page_text


@pytest.mark.parametrize("game", ["connect4", "connect:rows=5,cols=5", "k-tables", "nim:1,2,3", "tree:[[1, 2], [3, 4]]"])
def test_the_form_begins_with_the_position_that_is_shown(game):
    moves = {"nim:1,2,3": "1001"}.get(game, "1")
    app = open_step({"game": game, "moves": moves, "depth": "end" if game.startswith("tree") else "2", "algorithm": "alphabeta"})
    values = {widget.label: widget.value for widget in app.text_input}
    assert values["Moves so far"] == moves
    assert values["Depth K"] == ("end" if game.startswith("tree") else "2")


def test_a_part_of_a_tree_is_not_offered_as_a_tree_file():
    app = open_step(search_params(make_question()))
    app.slider[0].set_value(1).run()
    assert not app.exception
    buttons = {button.proto.label: button.proto.disabled for button in app.get("download_button")}
    assert (buttons[".parquet"], buttons[".dot"], buttons["Interactive page"]) == (True, False, False)


@pytest.mark.parametrize(
    ("game", "first", "nodes"),
    [
        ("", "tree", 13),
        ("tree-min:[[1,2],3]", "tree-min", 5),
        ("random-tree:branching=2,depth=2,seed=7", "tree", 7),
        ("connect4", "tree", 13),  # not a tree: the default one
        ("tree:[[", "tree", 13),
        (f"tree:{[0] * 300}", "tree", None),  # too many nodes for the builder
    ],
)
def test_the_builder_shows_every_tree_that_is_small_enough(game, first, nodes):
    app = open_page("build", {"game": game} if game else {})
    assert not app.exception
    builders = [json.loads(element.proto.json) for element in app.get("bidi_component") if "maxFirst" in element.proto.json]
    sizes = [count_nodes(json.loads(sent["tree"]["text"])) for sent in builders]
    assert sizes == ([nodes] if nodes else [])
    assert all(sent["tree"]["maxFirst"] == (first == "tree") for sent in builders)
    assert bool(app.warning) == (nodes is None or game == "tree:[[")


def test_step_and_learn_lead_to_the_builder():
    labels = [button.label for button in open_page("step", {"game": "tree:[[3,12],[2,4]]"}).button]
    assert "Edit tree" in labels
    assert "Edit tree" not in [button.label for button in open_page("step", {"game": "nim:1,2"}).button]
    assert "Build a tree" in [button.label for button in open_page("learn", {}).button]


ASKED = {"moves": "4", "game": "connect4", "depth": "2", "depths": "1-2"}
RANDOM_TREE = {"game": "random-tree:branching=2,depth=2,seed=7", "depth": "2"}


@pytest.mark.parametrize(
    ("page", "parameters"),
    [*((page, ASKED) for page in ("step", "compare", "play", "tournament", "learn")), ("step", RANDOM_TREE), ("about", {})],
)
def test_the_depth_of_a_search_has_one_name(page, parameters):
    """It is K, or moves ahead; only the pseudo-code has plies, and one sentence says that they are the same."""
    app = open_page(page, parameters)
    widgets = [*app.text_input, *app.slider, *app.number_input, *app.selectbox, *app.toggle, *app.multiselect]
    texts = [text for widget in widgets for text in (widget.label, widget.help)]
    texts += [element.value for element in (*app.markdown, *app.caption, *app.info, *app.subheader)]
    texts = [text.replace(DEPTH_TERM, "") for text in texts if text]
    assert texts
    assert not [text for text in texts if re.search(r"\b(ply|plies)\b", text, re.IGNORECASE)]
    if page in ("step", "about"):
        assert any(DEPTH_TERM in element.value for element in app.markdown)
